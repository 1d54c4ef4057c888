import { type FormEvent, type ReactNode, useState } from "react";
import type { Places, Profile } from "@/api/types";
import { Button } from "@/ui/button";
import { TextArea, TextInput } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { SpanishFold } from "@/ui/spanish-fields";
import { showError, showSuccess } from "@/ui/toaster";
import { type ProfileForm, useProfileForm } from "../hooks/use-profile-form";
import { fieldLabels, type ProfileField, profileWords, withScheme } from "../lib/profile-form";
import { CurrencySelect } from "./currency-select";
import { HoursEditor } from "./hours-editor";
import { PlaceFields } from "./place-fields";
import { SaveStatus } from "./save-status";
import { fieldOf } from "./text-field";
import { TimezoneSelect } from "./timezone-select";

const ARRIVAL_NOTE_LENGTH = 160;

interface ProfileEditorProps {
  profile: Profile;
  places: Places;
  /** What the button reads, and what is said when it has saved. */
  saveLabel?: "Save All Changes" | "Save Profile";
}

/** The restaurant's profile; each field is saved when it is left. */
export function ProfileEditor({
  profile,
  places,
  saveLabel = "Save All Changes",
}: ProfileEditorProps) {
  const form = useProfileForm(profile);
  // Busy only with a press: leaving a field saves, too, and must not block the press that follows.
  const [pressed, setPressed] = useState(false);

  async function saveAll(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const frame = event.currentTarget;
    setPressed(true);
    const isSaved = await form.saveAll();
    setPressed(false);
    if (isSaved) {
      showSuccess(saveLabel === "Save Profile" ? "Profile Updated" : "All changes saved");
      return;
    }
    const first = frame.querySelector<HTMLElement>("[aria-invalid=true]");
    if (first) {
      first.focus();
      showError("Update Failed", "Please correct the errors in the form.");
    }
  }

  return (
    <form noValidate className="stack rhythm-8" onSubmit={(event) => void saveAll(event)}>
      <Group title="About">
        <TextInput
          label="Restaurant name"
          autoComplete="organization"
          maxLength={255}
          {...fieldOf(form, "name")}
        />
        <TextArea
          label="Description"
          optional
          rows={3}
          maxLength={2000}
          hint="One or two sentences about your kitchen."
          {...fieldOf(form, "description")}
        />
        <SpanishFold isUsed={profile.spanishDescription !== ""}>
          <TextArea
            lang="es"
            label={fieldLabels.spanishDescription}
            optional
            rows={3}
            maxLength={2000}
            hint="If it's empty, guests read the description above"
            {...fieldOf(form, "spanishDescription")}
          />
        </SpanishFold>
        <div className="field-row">
          <TextInput
            label="Cuisine"
            optional
            maxLength={100}
            placeholder="Italian"
            {...fieldOf(form, "cuisineType")}
          />
          <TextInput
            label="Phone"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={50}
            {...fieldOf(form, "phone")}
          />
        </div>
        <TextInput
          label="Website"
          optional
          type="url"
          inputMode="url"
          autoComplete="url"
          maxLength={500}
          placeholder="https://"
          {...fieldOf(form, "website")}
          onBlur={() => {
            form.change({ website: withScheme(form.values.website) });
            form.leave("website");
          }}
        />
      </Group>
      <Group title="Address">
        <PlaceFields form={form} places={places} />
      </Group>
      <Group
        title="Opening hours"
        hint="In your restaurant's time zone. Days left blank show as closed."
      >
        <HoursEditor form={form} />
      </Group>
      <Group
        title="When guests arrive"
        hint="Guests read this with the day and the time, on your specials and in their orders."
      >
        <TextArea
          label={fieldLabels.dineInNote}
          optional
          rows={1}
          maxLength={ARRIVAL_NOTE_LENGTH}
          className="control field-sizing-content min-h-11"
          hint="For example: Your table is kept for 20 minutes. Ask for Luisa."
          {...fieldOf(form, "dineInNote")}
        />
        <TextArea
          label={fieldLabels.pickupNote}
          optional
          rows={1}
          maxLength={ARRIVAL_NOTE_LENGTH}
          className="control field-sizing-content min-h-11"
          hint="For example: Come to the side door on Hester Street."
          {...fieldOf(form, "pickupNote")}
        />
        <SpanishFold isUsed={profile.spanishDineInNote + profile.spanishPickupNote !== ""}>
          {(["spanishDineInNote", "spanishPickupNote"] as const).map((name) => (
            <TextArea
              key={name}
              lang="es"
              label={fieldLabels[name]}
              optional
              rows={1}
              maxLength={ARRIVAL_NOTE_LENGTH}
              className="control field-sizing-content min-h-11"
              hint="If it's empty, guests read the note above"
              {...fieldOf(form, name)}
            />
          ))}
        </SpanishFold>
      </Group>
      <Group title="Tax & currency">
        <TimezoneSelect form={form} places={places} />
        <CurrencySelect form={form} places={places} profile={profile} />
        <TextInput
          label="Sales tax (%)"
          inputMode="decimal"
          autoComplete="off"
          maxLength={6}
          className="control max-w-32 tabular-nums"
          hint="Applies to new orders. Existing orders keep their tax rate."
          {...fieldOf(form, "taxRate")}
        />
        <TextInput
          label="Tax number"
          optional
          autoComplete="off"
          maxLength={50}
          className="control max-w-sm"
          hint="Printed on your guests' receipts and on your statements."
          {...fieldOf(form, "taxNumber")}
        />
      </Group>
      <Group title="Contact">
        <div className="field-row">
          <TextInput
            label="Owner's name"
            autoComplete="name"
            maxLength={100}
            {...fieldOf(form, "ownerName")}
          />
          <TextInput
            label="Restaurant's email"
            readOnly
            value={profile.email}
            hint="You sign in with the email on your Account page."
          />
        </div>
      </Group>
      <div className="save-bar">
        <Conflicts form={form} />
        <SaveStatus state={form.state} errors={form.errors} />
        <Button type="submit" variant="primary" busy={pressed}>
          {pressed ? "Saving..." : saveLabel}
        </Button>
      </div>
    </form>
  );
}

/** Fields that somebody else saved while they were changed here: one of the two has to go. */
function Conflicts({ form }: { form: ProfileForm }) {
  return Object.entries(form.conflicts).map(([name, theirs]) => {
    const field = name as ProfileField;
    return (
      <div key={field} className="basis-full">
        <Notice tone="honey" urgent>
          <p className="wrap-anywhere">
            <strong>Someone else changed this: {fieldLabels[field]}.</strong> Theirs:{" "}
            {profileWords(theirs)}. Yours: {profileWords(form.values[field])}.
          </p>
          <div className="cluster">
            <Button size="small" onClick={() => form.settle(field, "theirs")}>
              Use theirs
            </Button>
            <Button size="small" onClick={() => form.settle(field, "mine")}>
              Keep mine
            </Button>
          </div>
        </Notice>
      </div>
    );
  });
}

function Group({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="stack">
      <legend className="legend">{title}</legend>
      {hint && <p className="hint">{hint}</p>}
      {children}
    </fieldset>
  );
}
