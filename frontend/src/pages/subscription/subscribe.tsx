import "@/styles/app.css";
import { SubscribePage } from "@/features/subscription/components/subscribe-page";
import { mountIsland } from "@/islands/mount";

mountIsland("subscription/subscribe", SubscribePage);
