import { Calculator, Gauge, type LucideIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { Advice as Answer } from "@/api/types";
import { centsToDecimal, parseCents } from "@/lib/money";
import { sentenceFor } from "@/lib/server-errors";
import { useSettled } from "@/lib/use-settled";
import { MoneyInput } from "@/ui/inputs";
import { useAdvice } from "../api/get-advice";

interface AdviceProps {
  /** As typed: '18' or '$18.00'. */
  price: string;
  minimum: string | number;
  maximum?: string | number | null;
  /** A published special's id: its fees and its portions ordered so far are counted. */
  offer?: string;
  /** Inside another form: folded, with the chance in its heading. */
  folded?: boolean;
}

/** An amount as the API takes it, or nothing for a text that isn't one. */
function amountOf(text: string): string {
  const cents = parseCents(text);
  return cents === null ? "" : centsToDecimal(cents);
}

/** How likely the minimum is, and from how many portions on the special carries its cost. */
export function Advice({ price, minimum, maximum, offer, folded = false }: AdviceProps) {
  const [fixedCost, setFixedCost] = useState("");
  const [portionCost, setPortionCost] = useState("");
  const typed = JSON.stringify({
    price: amountOf(price),
    minimum: String(minimum ?? ""),
    maximum: maximum ? String(maximum) : "",
    fixedCost: amountOf(fixedCost),
    portionCost: amountOf(portionCost),
    offer,
  });
  const advice = useAdvice(JSON.parse(useSettled(typed)));
  const chance = advice.data?.chance;
  const breakEven = advice.data?.breakEven;
  const headline = advice.isError
    ? sentenceFor(advice.error, "The advisor isn't available right now.")
    : (chance?.sentence ?? "Enter a price and a minimum to see how likely it is.");

  const costs = (
    <div className="stack">
      <div className="field-row">
        <MoneyInput
          label="Fixed cost"
          optional
          hint="For example, an extra cook or a whole lamb"
          value={fixedCost}
          onChange={(event) => setFixedCost(event.target.value)}
        />
        <MoneyInput
          label="Cost per portion"
          optional
          hint="Ingredients for one plate"
          value={portionCost}
          onChange={(event) => setPortionCost(event.target.value)}
        />
      </div>
      <BreakEven breakEven={breakEven} />
    </div>
  );

  if (folded) {
    return (
      <details className="fold fold-framed" onKeyDown={keepEnter}>
        <summary>
          <span>
            What to expect
            <span className="small muted block font-normal" role="status">
              {headline}
            </span>
          </span>
        </summary>
        <div className="stack rhythm-5">
          {chance?.evidence && <p className="small muted">{chance.evidence}</p>}
          {costs}
        </div>
      </details>
    );
  }
  return (
    <section className="card" aria-labelledby="advice-title">
      <div className="card-body stack rhythm-5">
        <h2 id="advice-title">What to expect</h2>
        <Finding icon={Gauge} strong={chance?.percent != null} sentence={headline}>
          {chance?.evidence && <p className="small muted">{chance.evidence}</p>}
        </Finding>
        {costs}
      </div>
    </section>
  );
}

/** Enter in the cost's field must not submit the form around it, which publishes. */
function keepEnter(event: KeyboardEvent) {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
}

function BreakEven({ breakEven }: { breakEven: Answer["breakEven"] | undefined }) {
  if (!breakEven) return null;
  return (
    <Finding icon={Calculator} strong sentence={breakEven.sentence}>
      {breakEven.warning && <p className="small font-semibold text-honey">{breakEven.warning}</p>}
    </Finding>
  );
}

function Finding({
  icon: Icon,
  strong,
  sentence,
  children,
}: {
  icon: LucideIcon;
  strong: boolean;
  sentence: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex gap-3" role="status">
      <Icon size="1.25rem" strokeWidth={1.5} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="stack rhythm-1">
        <p className={strong ? "font-semibold" : "muted"}>{sentence}</p>
        {children}
      </div>
    </div>
  );
}
