import "@/styles/app.css";
import { Dashboard } from "@/app/dashboard";
import { mountIsland } from "@/islands/mount";

mountIsland("dashboard/dashboard", Dashboard);
