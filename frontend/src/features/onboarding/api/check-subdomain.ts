import { request } from "@/api/client";

/** How long an answer may take. */
export const CHECK_TIMEOUT = 8000;
export const NOT_AVAILABLE =
  "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens.";

interface SubdomainAnswer {
  available: boolean;
  /** Why not. */
  message?: string;
  /** A free one like it. */
  suggestion?: string;
}

function isAnswer(value: unknown): value is SubdomainAnswer {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Record<string, unknown>).available === "boolean"
  );
}

/**
 * Whether a label is free. A check that fails, takes too long or answers anything but our JSON
 * counts as free: saving asks the database, which decides. Rejects only when `signal` aborts.
 */
export async function checkSubdomain(label: string, signal: AbortSignal): Promise<SubdomainAnswer> {
  try {
    const answer = await request<unknown>(
      `/api/subdomain-check?subdomain=${encodeURIComponent(label)}`,
      { signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT)]) },
    );
    if (isAnswer(answer)) return answer;
  } catch (failure) {
    if (signal.aborted) throw failure;
  }
  return { available: true };
}
