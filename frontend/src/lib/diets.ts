import type { Allergen, Diet } from "@/api/types";

/** What may be in a dish, in the order in which menus name it. */
export const allergens: Record<Allergen, string> = {
  celery: "Celery",
  crustaceans: "Crustaceans",
  eggs: "Eggs",
  fish: "Fish",
  gluten: "Gluten",
  lupin: "Lupin",
  milk: "Milk",
  molluscs: "Molluscs",
  mustard: "Mustard",
  nuts: "Nuts",
  peanuts: "Peanuts",
  sesame: "Sesame",
  soy: "Soy",
  sulphites: "Sulphites",
};

/** Whom a dish suits. */
export const diets: Record<Diet, string> = {
  vegetarian: "Vegetarian",
  vegan: "Vegan",
  gluten_free: "Gluten-free",
  dairy_free: "Dairy-free",
  halal: "Halal",
  kosher: "Kosher",
  spicy: "Spicy",
};
