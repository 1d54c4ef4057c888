import "@/styles/app.css";
import { TeamPage } from "@/features/team/components/team-page";
import { mountIsland } from "@/islands/mount";

mountIsland("team/team", TeamPage);
