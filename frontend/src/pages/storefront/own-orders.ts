/** Loaded by the public pages' script in a browser that remembers orders: see remembered.ts. */
import { startOwnOrders } from "@/features/storefront/own-orders";

startOwnOrders();
