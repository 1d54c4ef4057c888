import "@/styles/app.css";
import { PickupPage } from "@/features/pickup/components/pickup-page";
import { mountIsland } from "@/islands/mount";

mountIsland("pickup/pickup", PickupPage);
