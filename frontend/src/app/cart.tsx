import { createRoot, type Root } from "react-dom/client";
import { CartDialog } from "@/features/cart/components/cart-dialog";
import { ErrorBoundary } from "@/islands/error-boundary";
import type { CartOpening } from "@/lib/cart-store";

let root: Root | undefined;

/** Opens the cart over the current page; closing it returns the focus to `opener`. */
export function openCart({ restaurant, opener }: CartOpening) {
  if (!root) {
    const place = document.createElement("div");
    document.body.append(place);
    root = createRoot(place);
  }
  // Not the whole body: the payment provider puts a bank's question there, which must be answered.
  const behind = document.querySelectorAll<HTMLElement>("body > :is(a, header, main, footer)");
  for (const part of behind) part.inert = true;
  const close = () => {
    root?.render(null);
    for (const part of behind) part.inert = false;
    (opener.hidden ? document.querySelector<HTMLElement>("#main") : opener)?.focus();
  };
  root.render(
    <ErrorBoundary>
      <CartDialog restaurant={restaurant} onClose={close} />
    </ErrorBoundary>,
  );
}
