import "@/styles/app.css";
import { OrderPage } from "@/features/orders/components/order-page";
import { mountIsland } from "@/islands/mount";

mountIsland("orders/order", OrderPage);
