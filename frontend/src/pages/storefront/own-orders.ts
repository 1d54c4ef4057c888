/** Loaded by the public pages' script in a browser that remembers orders or follows: see remembered.ts. */
import { startFollowing } from "@/features/storefront/following";
import { startOwnOrders } from "@/features/storefront/own-orders";

startOwnOrders();
startFollowing();
