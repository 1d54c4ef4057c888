import "@/styles/app.css";
import { TierSelection } from "@/app/tier-selection";
import { mountIsland } from "@/islands/mount";

mountIsland("onboarding/tier-selection", TierSelection);
