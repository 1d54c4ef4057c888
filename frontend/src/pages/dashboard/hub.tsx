import "@/styles/app.css";
import { Hub } from "@/app/hub";
import { mountIsland } from "@/islands/mount";

mountIsland("dashboard/hub", Hub);
