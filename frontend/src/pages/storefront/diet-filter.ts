/** Loaded by a page with a choice of diet: see templates/components/diet_filter.html. */
import { keepDiet } from "@/features/storefront/diet-filter";

keepDiet();
