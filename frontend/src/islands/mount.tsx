import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "@/api/query-client";
import { tidyStoredSession } from "@/lib/stored-session";
import { Toaster } from "@/ui/toaster";
import { ErrorBoundary } from "./error-boundary";

/** The props that the server printed beside the island's container. */
function readProps<Props>(container: HTMLElement): Props {
  const source = document.getElementById(container.dataset.props ?? "");
  return JSON.parse(source?.textContent || "{}") as Props;
}

/** Replaces the server's fallback in every `[data-island=name]` with the component. */
export function mountIsland<Props extends object>(name: string, Island: ComponentType<Props>) {
  tidyStoredSession();
  for (const container of document.querySelectorAll<HTMLElement>(`[data-island="${name}"]`)) {
    createRoot(container).render(
      <StrictMode>
        <ErrorBoundary>
          <QueryClientProvider client={createQueryClient()}>
            <Island {...readProps<Props>(container)} />
            <Toaster />
          </QueryClientProvider>
        </ErrorBoundary>
      </StrictMode>,
    );
  }
}
