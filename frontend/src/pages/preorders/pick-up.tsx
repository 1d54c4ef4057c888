import "@/styles/app.css";
import { PickUpPage } from "@/features/pickup/components/pick-up-page";
import { mountIsland } from "@/islands/mount";

mountIsland("preorders/pick-up", PickUpPage);
