import { ExternalLink, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Dish } from "@/api/types";
import { sentenceFor } from "@/lib/server-errors";
import { Button, ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { TextInput } from "@/ui/inputs";
import { Notice } from "@/ui/notice";
import { showError, showSuccess } from "@/ui/toaster";
import { useDeleteDish } from "../api/delete-dish";
import { useMenu } from "../api/get-menu";
import { useReorderMenu } from "../api/reorder-menu";
import { useUpdateDish } from "../api/update-dish";
import { DishDialog } from "./dish-dialog";
import { DishList } from "./dish-list";

/** With this many dishes or more, the menu has a search field. */
const CROWDED = 9;

interface MenuPageProps {
  restaurantName: string;
  canEdit: boolean;
  dishes: Dish[];
  /** The URL of the preview: the page as guests see it, with the hidden dishes marked. */
  previewUrl: string;
}

/** The regular menu: dishes are added, sorted, hidden, and removed. */
export function MenuPage({ restaurantName, canEdit, dishes: initial, previewUrl }: MenuPageProps) {
  const dishes = useMenu(initial);
  const [editing, setEditing] = useState<Dish | "new" | null>(null);
  const [filter, setFilter] = useState("");
  const [problem, setProblem] = useState<ReactNode>("");
  const update = useUpdateDish();
  const remove = useDeleteDish();
  const order = useReorderMenu();

  async function attempt(work: () => Promise<unknown>, done: string, fallback: string) {
    setProblem("");
    try {
      await work();
      if (done) showSuccess(done);
    } catch (failure) {
      const sentence = sentenceFor(failure, fallback);
      setProblem(sentence);
      showError("Error", sentence);
    }
  }

  const show = (dish: Dish) =>
    attempt(
      () => update.mutateAsync({ id: dish.id, body: { hidden: !dish.hidden } }),
      dish.hidden ? `${dish.name} is visible to guests` : `${dish.name} is hidden from guests`,
      "We couldn't save that. Try again.",
    );

  function takeOff(dish: Dish) {
    if (!window.confirm(`Are you sure you want to delete "${dish.name}"?`)) return;
    void attempt(
      () => remove.mutateAsync(dish.id),
      `${dish.name} was removed from your menu`,
      "We couldn't remove the dish. Try again.",
    );
  }

  const query = filter.trim().toLowerCase();
  const shown = dishes.filter((dish) => dish.name.toLowerCase().includes(query));
  const hidden = dishes.filter((dish) => dish.hidden).length;
  const busyId = update.isPending
    ? update.variables.id
    : remove.isPending
      ? remove.variables
      : undefined;
  return (
    <div className="stack mx-auto max-w-[56rem] rhythm-6">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="stack rhythm-1">
          <p className="eyebrow">{restaurantName}</p>
          <h1>Menu</h1>
          <p className="muted">
            {dishes.length === 0
              ? "Your regular dishes, and the alternatives for your specials."
              : `${dishes.length} ${dishes.length === 1 ? "dish" : "dishes"}${hidden ? `, ${hidden} hidden` : ""}. Guests see them in this order.`}
          </p>
        </div>
        <div className="cluster">
          <ButtonLink
            size="small"
            variant="quiet"
            className="max-sm:-ml-3"
            href={previewUrl}
            target="_blank"
            rel="noopener"
          >
            <ExternalLink size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            Preview menu
          </ButtonLink>
          {canEdit && dishes.length > 0 && (
            <Button variant="primary" onClick={() => setEditing("new")}>
              <Plus size="1.125rem" strokeWidth={2} aria-hidden="true" />
              Add a dish
            </Button>
          )}
        </div>
      </div>
      {problem && (
        <Notice tone="berry" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {dishes.length >= CROWDED && (
        <div className="max-w-sm">
          <TextInput
            type="search"
            label="Find a dish"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      )}
      {dishes.length === 0 && (
        <div className="card">
          <EmptyState
            heading="h2"
            title="No dishes yet"
            action={
              canEdit && (
                <Button variant="primary" onClick={() => setEditing("new")}>
                  Add your first dish
                </Button>
              )
            }
          >
            {canEdit
              ? "Add your regular dishes. Guests see them below your specials, and a special can use one as its alternative."
              : "Dishes appear here once a teammate adds them."}
          </EmptyState>
        </div>
      )}
      {dishes.length > 0 && shown.length === 0 && (
        <p className="muted" role="status">
          No dishes match “{filter.trim()}”.
        </p>
      )}
      {shown.length > 0 && (
        <DishList
          dishes={shown}
          canEdit={canEdit}
          // A filtered list can't be sorted.
          canReorder={canEdit && query === "" && dishes.length > 1}
          busyId={busyId}
          onOrder={(next) =>
            void attempt(
              () => order.mutateAsync(next),
              "",
              "We couldn't save the new order. Your menu hasn't changed.",
            )
          }
          onEdit={setEditing}
          onShow={(dish) => void show(dish)}
          onDelete={takeOff}
        />
      )}
      {editing && (
        <DishDialog dish={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
    </div>
  );
}
