import "@/styles/app.css";
import { Plans } from "@/app/plans";
import { mountIsland } from "@/islands/mount";

mountIsland("settings/tiers", Plans);
