import "@/styles/app.css";
import { Expiration } from "@/features/expiration/components/expiration";
import { mountIsland } from "@/islands/mount";

mountIsland("expiration/expiration", Expiration);
