import * as z from "zod/mini";
import type { Allergen, Diet, Dish, DishInput } from "@/api/types";
import { centsToDecimal, parseCents } from "@/lib/money";
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
