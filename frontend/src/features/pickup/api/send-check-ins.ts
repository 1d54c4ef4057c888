import { request } from "@/api/client";
import type { CheckIn } from "../types";

/** Longer than a slow answer, shorter than a guest waits. */
export const PATIENCE_MS = 8_000;

interface CheckInResult {
  status: "picked_up" | "already" | "refused";
  sentence: string;
}

/** Sends what was marked here; sent again, each still counts once. Results are in the same order. */
export async function sendCheckIns(made: CheckIn[]): Promise<CheckInResult[]> {
  const checkIns = made.map(({ id, orderId, madeAt }) => ({ id, orderId, madeAt }));
  const answer = await request<{ checkIns: CheckInResult[] }>("/api/pick-up/check-ins", {
    method: "POST",
    body: { checkIns },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return answer.checkIns;
}
