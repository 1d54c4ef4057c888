import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { isSignedOut } from "@/api/client";
import type { Dish } from "@/api/types";
import { allergens, diets } from "@/lib/diets";
import { applyServerErrors } from "@/lib/server-errors";
import { uploadImage } from "@/lib/upload-image";
import { useEditConflict } from "@/lib/use-edit-conflict";
import { useGuestsToTell } from "@/lib/use-guests-to-tell";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { EditConflict } from "@/ui/edit-conflict";
import { ImageField } from "@/ui/image-field";
import { MoneyInput, TextArea, TextInput } from "@/ui/inputs";
import { MarkChoice } from "@/ui/mark-choice";
import { SpanishFields } from "@/ui/spanish-fields";
import { showError, showSuccess } from "@/ui/toaster";
import { useCreateDish } from "../api/create-dish";
import { useUpdateDish } from "../api/update-dish";
import {
  changedDish,
  type DishFormValues,
  dishFieldLabels,
  dishPayload,
  dishSchema,
  dishValues,
  dishWords,
} from "../lib/dish-form";

interface DishDialogProps {
  /** The dish to change; null adds one. */
  dish: Dish | null;
  onClose: () => void;
}

/** A dish of the regular menu, new or changed. */
export function DishDialog({ dish: opened, onClose }: DishDialogProps) {
  const form = useForm<DishFormValues>({
    resolver: zodResolver(dishSchema),
    defaultValues: dishValues(opened),
  });
  const conflict = useEditConflict({
    form,
    stored: opened,
    valuesOf: dishValues,
    label: (name) => dishFieldLabels[name],
    words: dishWords,
  });
  const { base: dish, differences } = conflict;
  const { register, setValue, watch, setError, handleSubmit, formState } = form;
  const { errors } = formState;
  const create = useCreateDish();
  const update = useUpdateDish();
  const telling = useGuestsToTell(`/api/menu/dishes/${dish?.id}/change`);
  const [uploading, setUploading] = useState(false);
  const [problem, setProblem] = useState<ReactNode>(null);

  const save = handleSubmit(async (values) => {
    setProblem(null);
    const body = dishPayload(values);
    try {
      if (dish && !(await telling.isUnderstood(body))) return;
      if (dish) await update.mutateAsync({ id: dish.id, body: changedDish(values, dish) });
      else await create.mutateAsync(body);
      showSuccess(dish ? `${body.name} was updated` : `${body.name} is on your menu`);
      onClose();
    } catch (failure) {
      if (conflict.isConflict(failure)) return;
      const { sentence, inForm } = applyServerErrors(
        failure,
        values,
        setError,
        "We couldn't save the dish. Try again.",
      );
      if (inForm) {
        setProblem(
          isSignedOut(failure) ? sentence : <>{sentence} What you entered is still here.</>,
        );
      }
      showError("Error", sentence);
    }
  });

  const busy = create.isPending || update.isPending;
  return (
    <Dialog
      open
      locked={busy}
      problem={problem ?? telling.warning}
      onClose={onClose}
      title={dish ? "Edit dish" : "Add a dish"}
      description={dish ? undefined : "A name and a price are enough."}
      footer={
        <>
          <Button variant="quiet" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            variant="primary"
            type="submit"
            form="dish"
            busy={busy}
            disabled={busy || uploading}
          >
            {uploading
              ? "Uploading photo…"
              : busy
                ? "Saving…"
                : dish
                  ? telling.saveLabel
                  : "Add dish"}
          </Button>
        </>
      }
    >
      <form id="dish" noValidate className="stack rhythm-5" onSubmit={save}>
        {differences && (
          <EditConflict
            key={dish?.version}
            what="this dish"
            button={telling.saveLabel}
            differences={differences}
            taken={conflict.taken}
            onChoose={conflict.choose}
          />
        )}
        <TextInput
          label="Name"
          autoComplete="off"
          data-autofocus
          maxLength={200}
          error={errors.name?.message}
          {...register("name")}
        />
        <MoneyInput label="Price" error={errors.price?.message} {...register("price")} />
        <TextArea
          label="Description"
          optional
          rows={3}
          maxLength={2000}
          error={errors.description?.message}
          {...register("description")}
        />
        <SpanishFields
          name={register("spanishName")}
          description={register("spanishDescription")}
          isUsed={Object.keys(dish?.translations.es ?? {}).length > 0}
          maxName={200}
        />
        <ImageField
          label="Photo"
          url={watch("imageUrl")}
          error={errors.imageUrl?.message}
          upload={uploadImage}
          onBusyChange={setUploading}
          onChange={(url) => setValue("imageUrl", url, { shouldDirty: true })}
        />
        <MarkChoice
          label="Dietary tags"
          hint="Guests see these tags beside the dish."
          choices={diets}
          error={errors.dietary?.message}
          field={register("dietary")}
        />
        <MarkChoice
          label="Allergens"
          hint="Shown to guests and on the kitchen sheet."
          choices={allergens}
          error={errors.allergens?.message}
          field={register("allergens")}
        />
      </form>
    </Dialog>
  );
}
