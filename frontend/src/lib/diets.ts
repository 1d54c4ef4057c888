import type { Allergen, Diet } from "@/api/types";

/** Allergens that a dish can contain, in the order in which menus list them. */
export const allergens: Record<Allergen, string> = {
  celery: "Celery",
  crustaceans: "Shellfish",
  eggs: "Eggs",
  fish: "Fish",
  gluten: "Gluten",
  lupin: "Lupin",
  milk: "Milk",
  molluscs: "Mollusks",
  mustard: "Mustard",
  nuts: "Tree nuts",
  peanuts: "Peanuts",
  sesame: "Sesame",
  soy: "Soy",
  sulphites: "Sulfites",
};

/** Diets that a dish can fit. */
export const diets: Record<Diet, string> = {
  vegetarian: "Vegetarian",
  vegan: "Vegan",
  gluten_free: "Gluten-free",
  dairy_free: "Dairy-free",
  halal: "Halal",
  kosher: "Kosher",
  spicy: "Spicy",
};
