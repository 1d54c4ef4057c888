import "@/styles/app.css";
import { TiersPage } from "@/features/settings/components/tiers-page";
import { mountIsland } from "@/islands/mount";

mountIsland("settings/tiers", TiersPage);
