import "@/styles/app.css";
import { HistoryPage } from "@/app/history-page";
import { mountIsland } from "@/islands/mount";

mountIsland("history/history", HistoryPage);
