import "@/styles/app.css";
import { TierSelection } from "@/app/tier-selection";
import { mountIsland } from "@/islands/mount";

mountIsland("restaurants/tier-selection", TierSelection);
