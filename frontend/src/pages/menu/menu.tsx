import "@/styles/app.css";
import { MenuPage } from "@/features/menu/components/menu-page";
import { mountIsland } from "@/islands/mount";

mountIsland("menu/menu", MenuPage);
