import type { ReactNode } from "react";

/** The special of the demo. */
export function DemoCard({ children }: { children: ReactNode }) {
  return (
    <section className="card" aria-label="The special">
      <div className="card-body stack">
        <p className="flex flex-wrap justify-between gap-2">
          <span className="eyebrow">Special of the week</span>
          <span className="small muted">Closes Thursday, 6 PM</span>
        </p>
        <div>
          <p className="board-dish">Lasagne verdi al forno</p>
          <p className="price">
            <strong className="price-now">$14.00</strong> <s className="price-was">$19.00</s>{" "}
            <span className="price-save">Save 26%</span>
          </p>
        </div>
        {children}
      </div>
    </section>
  );
}
