import type { Dish } from "@/api/types";

/** What a list of dishes to choose from shows. */
export type DishChoice = Pick<Dish, "id" | "name" | "price">;
