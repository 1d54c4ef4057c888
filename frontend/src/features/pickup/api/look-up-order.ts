import { request } from "@/api/client";
import type { LookUp } from "../types";
import { PATIENCE_MS } from "./send-check-ins";

/** The order of a short code or of a QR code's text, and whether it can be picked up. */
export const lookUpOrder = (code: string) =>
  request<LookUp>(`/api/pick-up?${new URLSearchParams({ code })}`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
