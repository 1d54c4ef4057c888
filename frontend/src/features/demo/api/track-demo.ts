import { request } from "@/api/client";

/** The steps of the demo, in order; their names are what the server keeps. */
const demoSteps = ["publish", "book", "deadline"] as const;
export type DemoStep = (typeof demoSteps)[number];

/** Says who looks at the demo and how far they came. */
export function trackDemo(email: string, completedSteps: DemoStep[]): Promise<{ message: string }> {
  return request("/api/demo/track", { method: "POST", body: { email, completedSteps } });
}
