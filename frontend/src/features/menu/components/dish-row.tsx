import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ChevronDown, ChevronUp, Eye, EyeOff, GripVertical, Pencil, Trash2 } from "lucide-react";
import type { Dish } from "@/api/types";
import { allergens, diets } from "@/lib/diets";
import { formatDecimal } from "@/lib/money";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { classNames } from "@/ui/class-names";
import { Picture } from "@/ui/picture";

interface DishRowProps {
  dish: Dish;
  canEdit: boolean;
  canReorder: boolean;
  isFirst: boolean;
  isLast: boolean;
  busy: boolean;
  onMove: (by: -1 | 1) => void;
  onEdit: () => void;
  onShow: () => void;
  onDelete: () => void;
}

/** At an end of the menu there is a gap instead of a button that does nothing. */
const step = {
  size: "small",
  variant: "quiet",
  className: "px-2! disabled:border-transparent disabled:bg-transparent disabled:opacity-30",
} as const;

/** One dish with its place in the menu. */
export function DishRow({
  dish,
  canEdit,
  canReorder,
  isFirst,
  isLast,
  busy,
  onMove,
  onEdit,
  onShow,
  onDelete,
}: DishRowProps) {
  const sortable = useSortable({ id: dish.id, disabled: !canReorder });
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition } =
    sortable;
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classNames(
        "relative bg-surface first:rounded-t-xl last:rounded-b-xl",
        sortable.isDragging && "z-10 shadow-[var(--shadow)]",
      )}
    >
      <div className="flex min-w-0 flex-[1_1_18rem] items-start gap-2 sm:gap-3">
        {canReorder && (
          <button
            type="button"
            ref={setActivatorNodeRef}
            className="-ml-2 grid min-h-12 w-8 shrink-0 cursor-grab touch-none place-items-center self-center rounded-lg text-muted hover:text-ink active:cursor-grabbing"
            {...attributes}
            {...listeners}
            aria-label={`Drag ${dish.name}`}
          >
            <GripVertical size="1.25rem" strokeWidth={1.5} aria-hidden="true" />
          </button>
        )}
        <div
          className={classNames(
            "w-16 shrink-0 overflow-hidden rounded-lg sm:w-20",
            dish.hidden && "opacity-50",
          )}
        >
          <Picture url={dish.imageUrl} srcset={dish.imageSrcset} sizes="80px" alt="" />
        </div>
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-title min-w-0 leading-tight font-semibold wrap-anywhere">
              {dish.name}
            </span>
            <span className="tabular-nums">{formatDecimal(dish.price)}</span>
          </p>
          {dish.description && (
            <p className="small muted line-clamp-2 break-words">{dish.description}</p>
          )}
          <Marks dish={dish} />
        </div>
      </div>
      {canEdit && (
        <div className="rows-actions -mr-2 ml-auto rhythm-0 max-sm:w-full max-sm:justify-between">
          {canReorder && (
            <span className="flex">
              <Button
                id={`up-${dish.id}`}
                {...step}
                aria-label={`Move ${dish.name} up`}
                title="Move up"
                disabled={isFirst}
                onClick={() => onMove(-1)}
              >
                <ChevronUp size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              </Button>
              <Button
                id={`down-${dish.id}`}
                {...step}
                aria-label={`Move ${dish.name} down`}
                title="Move down"
                disabled={isLast}
                onClick={() => onMove(1)}
              >
                <ChevronDown size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
              </Button>
            </span>
          )}
          <span className="flex max-sm:ml-auto">
            <Button
              size="small"
              variant="quiet"
              aria-label={dish.hidden ? `Show ${dish.name} to guests` : `Hide ${dish.name}`}
              title={dish.hidden ? "Show to guests" : "Hide from guests"}
              busy={busy}
              onClick={onShow}
            >
              {!busy && <ShowIcon hidden={dish.hidden} />}
            </Button>
            <Button
              size="small"
              variant="quiet"
              aria-label={`Edit ${dish.name}`}
              title="Edit"
              onClick={onEdit}
            >
              <Pencil size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            </Button>
            <Button
              size="small"
              variant="quiet"
              className="text-berry"
              aria-label={`Delete ${dish.name}`}
              title="Delete"
              onClick={onDelete}
            >
              <Trash2 size="1.125rem" strokeWidth={1.5} aria-hidden="true" />
            </Button>
          </span>
        </div>
      )}
    </li>
  );
}

function ShowIcon({ hidden }: { hidden: boolean }) {
  const Icon = hidden ? EyeOff : Eye;
  return <Icon size="1.125rem" strokeWidth={1.5} aria-hidden="true" />;
}

/** Whether guests see the dish, its diets, and its allergens. */
function Marks({ dish }: { dish: Dish }) {
  const suits = dish.dietary.map((value) => diets[value]);
  const contains = dish.allergens.map((value) => allergens[value].toLowerCase());
  if (!dish.hidden && suits.length === 0 && contains.length === 0) return null;
  return (
    <p className="small mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
      {dish.hidden && <Badge tone="other">Hidden from guests</Badge>}
      {suits.length > 0 && <span className="font-semibold text-herb">{suits.join(", ")}</span>}
      {contains.length > 0 && <span className="muted">Contains {contains.join(", ")}</span>}
    </p>
  );
}
