import { request } from "@/api/client";

/** The steps of the demo, in order; the server stores their names. */
const demoSteps = ["publish", "book", "deadline"] as const;
export type DemoStep = (typeof demoSteps)[number];

/** Records who looks at the demo, and which steps they completed. */
export function trackDemo(email: string, completedSteps: DemoStep[]): Promise<{ message: string }> {
  return request("/api/demo/track", { method: "POST", body: { email, completedSteps } });
}
