import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "@/api/query-client";
import { tidyStoredSession } from "@/lib/stored-session";
import { Toaster } from "@/ui/toaster";
import { islandsNamed } from "./containers";
import { ErrorBoundary } from "./error-boundary";

/** Replaces the server's fallback in every `[data-island=name]` with the component. */
export function mountIsland<Props extends object>(name: string, Island: ComponentType<Props>) {
  tidyStoredSession();
  for (const { container, props } of islandsNamed<Props>(name)) {
    createRoot(container).render(
      <StrictMode>
        <ErrorBoundary>
          <QueryClientProvider client={createQueryClient()}>
            <Island {...props} />
            <Toaster />
          </QueryClientProvider>
        </ErrorBoundary>
      </StrictMode>,
    );
  }
}
