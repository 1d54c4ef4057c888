import { createRoot, type Root } from "react-dom/client";
import { CartDialog } from "@/features/cart/components/cart-dialog";
import { ErrorBoundary } from "@/islands/error-boundary";

let root: Root | undefined;

/** Opens the cart over the page it is asked for on; closing it leads back to `opener`. */
export function openCart({ restaurant, opener }: { restaurant: string; opener: HTMLElement }) {
  if (!root) {
    const place = document.createElement("div");
    document.body.append(place);
    root = createRoot(place);
  }
  const close = () => {
    root?.render(null);
    (opener.hidden ? document.querySelector<HTMLElement>("#main") : opener)?.focus();
  };
  root.render(
    <ErrorBoundary>
      <CartDialog restaurant={restaurant} onClose={close} />
    </ErrorBoundary>,
  );
}
