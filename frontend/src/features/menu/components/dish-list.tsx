import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { useEffect, useRef, useState } from "react";
import type { Dish } from "@/api/types";
import { moved } from "../lib/order";
import { DishRow } from "./dish-row";

interface DishListProps {
  dishes: Dish[];
  canEdit: boolean;
  canReorder: boolean;
  /** The dish that is being changed. */
  busyId: string | undefined;
  onOrder: (dishes: Dish[]) => void;
  onEdit: (dish: Dish) => void;
  onShow: (dish: Dish) => void;
  onDelete: (dish: Dish) => void;
}

const HOW_TO_MOVE = {
  draggable:
    "Press Space to pick up a dish, the arrow keys to move it, Space to drop it, and Escape to cancel.",
};

const orderOf = (dishes: Dish[]) => dishes.map(({ id }) => id).join();

/** Dishes in their order: dragged by hand or keyboard, or moved one place at a time. */
export function DishList({
  dishes,
  canEdit,
  canReorder,
  busyId,
  onOrder,
  onEdit,
  onShow,
  onDelete,
}: DishListProps) {
  const [status, setStatus] = useState("");
  // A row that moves loses the focus, and gets it back once the new order is rendered.
  const refocus = useRef<{ order: string; buttons: string[] } | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

  const order = orderOf(dishes);
  useEffect(() => {
    if (refocus.current?.order !== order) return;
    const buttons = refocus.current.buttons.map((id) => document.getElementById(id));
    refocus.current = null;
    buttons.find((button) => button && !(button as HTMLButtonElement).disabled)?.focus();
  }, [order]);

  const placeOf = (id: unknown) => dishes.findIndex((dish) => dish.id === id);

  function move(from: number, to: number, buttons: string[] = []) {
    const next = moved(dishes, from, to);
    if (next === dishes) return;
    refocus.current = buttons.length > 0 ? { order: orderOf(next), buttons } : null;
    setStatus(`${dishes[from]?.name} is now ${to + 1} of ${dishes.length}.`);
    onOrder(next);
  }

  function drop({ active, over }: DragEndEvent) {
    if (over) move(placeOf(active.id), placeOf(over.id));
  }

  const name = (id: unknown) => dishes[placeOf(id)]?.name ?? "The dish";
  const announcements: Announcements = {
    onDragStart: ({ active }) => `${name(active.id)} is picked up.`,
    onDragOver: ({ active, over }) =>
      over ? `${name(active.id)} is at position ${placeOf(over.id) + 1} of ${dishes.length}.` : "",
    onDragEnd: ({ active }) => `${name(active.id)} was dropped.`,
    onDragCancel: ({ active }) => `${name(active.id)} was not moved.`,
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: HOW_TO_MOVE }}
      onDragEnd={drop}
    >
      <SortableContext
        items={dishes.map(({ id }) => id)}
        strategy={verticalListSortingStrategy}
        disabled={!canReorder}
      >
        <ol className="rows">
          {dishes.map((dish, place) => (
            <DishRow
              key={dish.id}
              dish={dish}
              canEdit={canEdit}
              canReorder={canReorder}
              isFirst={place === 0}
              isLast={place === dishes.length - 1}
              busy={busyId === dish.id}
              onMove={(by) =>
                move(
                  place,
                  place + by,
                  by < 0
                    ? [`up-${dish.id}`, `down-${dish.id}`]
                    : [`down-${dish.id}`, `up-${dish.id}`],
                )
              }
              onEdit={() => onEdit(dish)}
              onShow={() => onShow(dish)}
              onDelete={() => onDelete(dish)}
            />
          ))}
        </ol>
      </SortableContext>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </DndContext>
  );
}
