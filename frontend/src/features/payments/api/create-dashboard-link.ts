import { request } from "@/api/client";
import type { Link } from "../types";

/** A link to the restaurant's own dashboard at the payment provider; it works once. */
export const dashboardLink = () => request<Link>("/api/connect-dashboard", { method: "POST" });
