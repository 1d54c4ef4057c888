/** Loaded by the public pages' script when the cart is opened; its styles come beside it. */
import { openCart } from "@/app/cart";
import { type CartOpening, OPEN_CART } from "@/lib/cart-store";

addEventListener(OPEN_CART, (event) => openCart((event as CustomEvent<CartOpening>).detail));
