import "@/styles/app.css";
import { PlatformAdmin } from "@/features/platform/components/platform-admin";
import { mountIsland } from "@/islands/mount";

mountIsland("platform/platform-admin", PlatformAdmin);
