/** Loaded by a menu with sections: see apps/offers/templates/offers/menu.html. */
import { markSections } from "@/features/storefront/menu-sections";

markSections();
