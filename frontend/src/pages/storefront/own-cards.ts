/** Loaded by the list of specials in a browser that remembers orders: see own-orders.ts. */
import { startOwnCards } from "@/features/storefront/own-cards";

startOwnCards();
