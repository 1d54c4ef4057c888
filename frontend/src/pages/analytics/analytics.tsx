import "@/styles/app.css";
import { AnalyticsPage } from "@/features/analytics/components/analytics-page";
import { mountIsland } from "@/islands/mount";

mountIsland("analytics/analytics", AnalyticsPage);
