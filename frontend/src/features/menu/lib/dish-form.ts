import * as z from "zod/mini";
import type { Allergen, Diet, Dish, DishEditInput, DishInput } from "@/api/types";
import { allergens, diets } from "@/lib/diets";
import { centsToDecimal, formatCents, parseCents } from "@/lib/money";
import { spanishValues, translationsOf } from "@/lib/second-language";

const fields = z.object({
  name: z.string(),
  description: z.string(),
  spanishName: z.string(),
  spanishDescription: z.string(),
  price: z.string(),
  allergens: z.array(z.string()),
  dietary: z.array(z.string()),
  imageUrl: z.nullable(z.string()),
});

/** The form's values: text as typed. */
export type DishFormValues = z.infer<typeof fields>;

/** A name and a price are enough. */
export const dishSchema = fields.check(({ value: { name, price }, issues }) => {
  const report = (field: keyof DishFormValues, message: string, input: string) =>
    issues.push({ code: "custom", path: [field], message, input });
  if (!name.trim()) report("name", "Name is required", name);
  if (!price.trim()) report("price", "Price is required", price);
  else if (!parseCents(price)) report("price", "Price must be a positive number", price);
});

export function dishValues(dish: Dish | null): DishFormValues {
  return {
    name: dish?.name ?? "",
    description: dish?.description ?? "",
    ...spanishValues(dish?.translations),
    price: dish?.price ?? "",
    allergens: dish?.allergens ?? [],
    dietary: dish?.dietary ?? [],
    imageUrl: dish?.imageUrl ?? null,
  };
}

export function dishPayload(values: DishFormValues): DishInput {
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    translations: translationsOf(values),
    price: centsToDecimal(parseCents(values.price) ?? 0),
    allergens: values.allergens as Allergen[],
    dietary: values.dietary as Diet[],
    imageUrl: values.imageUrl,
  };
}

/** What changed of a dish, and the version that the form was filled with. */
export function changedDish(values: DishFormValues, dish: Dish): DishEditInput {
  const now = dishPayload(values);
  const before = dishPayload(dishValues(dish));
  const names = (Object.keys(now) as (keyof DishInput)[]).filter(
    (name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]),
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, now[name]])),
    version: dish.version,
  };
}

export const dishFieldLabels: Record<keyof DishFormValues, string> = {
  name: "Name",
  description: "Description",
  spanishName: "Name in Spanish",
  spanishDescription: "Description in Spanish",
  price: "Price",
  allergens: "Allergens",
  dietary: "Dietary tags",
  imageUrl: "Photo",
};

/** A field's value as a person reads it. */
export function dishWords(name: keyof DishFormValues, values: DishFormValues): string {
  switch (name) {
    case "price":
      return formatCents(parseCents(values.price) ?? 0);
    case "allergens":
      return values.allergens.map((mark) => allergens[mark as Allergen]).join(", ") || "None";
    case "dietary":
      return values.dietary.map((mark) => diets[mark as Diet]).join(", ") || "None";
    case "imageUrl":
      return values.imageUrl ? "Another photo" : "No photo";
    default:
      return values[name] || "Empty";
  }
}
