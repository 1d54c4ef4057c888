import "@/styles/app.css";
import { MarketingSettings } from "@/features/settings/components/marketing-settings";
import { mountIsland } from "@/islands/mount";

mountIsland("settings/marketing", MarketingSettings);
