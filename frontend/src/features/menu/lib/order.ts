/** `list` with the item at `from` moved to `to`; the list itself when there is no such place. */
export function moved<Item>(list: Item[], from: number, to: number): Item[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length || from === to) return list;
  const next = list.filter((_, place) => place !== from);
  next.splice(to, 0, item);
  return next;
}
