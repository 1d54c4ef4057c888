import "@/styles/cart.css";
import type { ComponentProps } from "react";
import { createRoot } from "react-dom/client";
import { CartReturn } from "@/features/cart/components/cart-return";
import { islandsNamed } from "@/islands/containers";
import { ErrorBoundary } from "@/islands/error-boundary";

// A guest waits for it on a phone: without what only the team's islands need.
type Props = ComponentProps<typeof CartReturn>;
for (const { container, props } of islandsNamed<Props>("cart/cart-return")) {
  createRoot(container).render(
    <ErrorBoundary>
      <CartReturn {...props} />
    </ErrorBoundary>,
  );
}
