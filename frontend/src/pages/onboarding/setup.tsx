import "@/styles/app.css";
import { SetupWizard } from "@/app/setup";
import { mountIsland } from "@/islands/mount";

mountIsland("onboarding/setup", SetupWizard);
