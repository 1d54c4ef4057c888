import { request } from "@/api/client";
import type { DayCount } from "../types";

export const getDayCount = () => request<DayCount>("/api/pick-up/today");
