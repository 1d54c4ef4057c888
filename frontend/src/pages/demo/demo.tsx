import "@/styles/app.css";
import { Demo } from "@/features/demo/components/demo";
import { mountIsland } from "@/islands/mount";

mountIsland("demo/demo", Demo);
