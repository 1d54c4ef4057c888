import "@/styles/app.css";
import { EmbedSetup } from "@/app/embed-setup";
import { mountIsland } from "@/islands/mount";

mountIsland("onboarding/embed-setup", EmbedSetup);
