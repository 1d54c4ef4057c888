import "@/styles/app.css";
import { QuickStart } from "@/app/quick-start";
import { mountIsland } from "@/islands/mount";

mountIsland("quick-start/quick-start", QuickStart);
