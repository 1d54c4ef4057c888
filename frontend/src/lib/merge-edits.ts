import { ApiError } from "@/api/client";

/** The result of merging a form with someone else's saved changes. */
export interface Merged<Values> {
  /** Their values, with mine where I changed something. */
  values: Values;
  /** The fields that they changed and I didn't. */
  adopted: (keyof Values)[];
  /** The fields that both changed, to different values: a person has to choose. */
  contested: (keyof Values)[];
}

const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Both edits of `base`, one over the other, field by field. */
export function mergeEdits<Values extends object>(
  base: Values,
  theirs: Values,
  mine: Values,
  isSame: (one: Values[keyof Values], other: Values[keyof Values]) => boolean = isSameJson,
): Merged<Values> {
  const merged: Merged<Values> = { values: { ...theirs }, adopted: [], contested: [] };
  for (const name of Object.keys(mine) as (keyof Values)[]) {
    if (isSame(mine[name], theirs[name])) continue;
    if (isSame(mine[name], base[name])) {
      merged.adopted.push(name);
      continue;
    }
    merged.values[name] = mine[name];
    if (!isSame(theirs[name], base[name])) merged.contested.push(name);
  }
  return merged;
}

/** What is stored now, from the refusal of an edit of an older version; null for any other. */
export function editedMeanwhile<Stored>(failure: unknown): Stored | null {
  if (!(failure instanceof ApiError) || failure.code !== "edited_meanwhile") return null;
  return (failure.body as { current?: Stored }).current ?? null;
}
