import "@/styles/app.css";
import { SetupWizard } from "@/app/setup";
import { mountIsland } from "@/islands/mount";

mountIsland("restaurants/setup", SetupWizard);
