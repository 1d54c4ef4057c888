import { useEffect, useState } from "react";
import type { LedgerByOrder, OrderPage, Special } from "@/api/types";
import { LedgerSection } from "./ledger";
import { OrderList } from "./order-list";

interface OrdersTabProps {
  initial: OrderPage | undefined;
  ledger: LedgerByOrder | undefined;
  permissions: {
    seeLedger: boolean;
    fulfillOrders: boolean;
    editOrders: boolean;
    exportOrders: boolean;
  };
  offers: Special[];
  timeZone: string;
  version: string;
}

type View = "orders" | "ledger";

const viewInAddress = (): View =>
  new URLSearchParams(location.search).get("view") === "ledger" ? "ledger" : "orders";

/** The list of orders, and the ledger, which `?view=ledger` opens. */
export function OrdersTab({
  initial,
  ledger,
  permissions,
  offers,
  timeZone,
  version,
}: OrdersTabProps) {
  const [view, setView] = useState(viewInAddress);

  useEffect(() => {
    const follow = () => setView(viewInAddress());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);

  function open(next: View) {
    setView(next);
    const url = new URL(location.href);
    if (next === "ledger") url.searchParams.set("view", next);
    else url.searchParams.delete("view");
    if (url.href === location.href) return;
    history.pushState(null, "", url);
  }

  return (
    <div className="stack rhythm-5">
      {permissions.seeLedger && (
        // biome-ignore lint/a11y/useSemanticElements: two buttons, not fields of a form
        <div className="segmented" role="group" aria-label="Show">
          {(["orders", "ledger"] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={view === each}
              onClick={() => view !== each && open(each)}
            >
              {each === "orders" ? "Orders" : "Ledger"}
            </button>
          ))}
        </div>
      )}
      {view === "ledger" && permissions.seeLedger ? (
        <LedgerSection initial={ledger} timeZone={timeZone} />
      ) : (
        <OrderList
          initial={initial}
          offers={offers}
          timeZone={timeZone}
          canFulfill={permissions.fulfillOrders}
          canEdit={permissions.editOrders}
          canExport={permissions.exportOrders}
          besideLedger={permissions.seeLedger}
          version={version}
        />
      )}
    </div>
  );
}
