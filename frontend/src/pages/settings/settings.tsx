import "@/styles/app.css";
import { RestaurantSettings } from "@/app/restaurant-settings";
import { mountIsland } from "@/islands/mount";

mountIsland("settings/settings", RestaurantSettings);
