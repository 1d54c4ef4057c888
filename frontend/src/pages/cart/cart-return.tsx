import "@/styles/app.css";
import { CartReturn } from "@/features/cart/components/cart-return";
import { mountIsland } from "@/islands/mount";

mountIsland("cart/cart-return", CartReturn);
