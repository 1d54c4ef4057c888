import { type ReactNode, useId } from "react";
import { formatCents } from "@/lib/money";
import { Badge } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";
import { type FeeSchedule, type FeeTier, formatRate, shareOf } from "../lib/fees";
import { FeeSimulator } from "./fee-simulator";

export interface TierComparisonProps {
  fees: FeeSchedule;
  current: FeeTier;
  /** What the branded plan includes, as the server has it. */
  brandedPoints: string[];
  /** Where a free restaurant chooses the branded plan (DECISIONS X55). */
  upgradeUrl: string;
}

/** Monthly sales the table shows, in cents. */
const SALES = [50_000, 100_000, 200_000];
/** The amount of the example that explains the share. */
const EXAMPLE = 20_000;

/** '$1,000': a round figure without its cents. */
const formatRound = (cents: number) => formatCents(cents).replace(".00", "");

/** Free and Branded side by side, every figure from the one fee schedule (DECISIONS X3). */
export function TierComparison({ fees, current, brandedPoints, upgradeUrl }: TierComparisonProps) {
  const free = formatRate(fees.freeRate);
  const branded = formatRate(fees.brandedRate);
  const { monthlyFee } = fees;
  return (
    <div className="stack rhythm-6">
      <div className="grid gap-4 md:grid-cols-2">
        <Plan
          name="Free"
          isCurrent={current === "free"}
          price={`No monthly fee. ${fees.freeOffers} special offers a month without a platform fee.`}
          points={[
            `From special ${fees.freeOffers + 1} on, ${free} of its orders until next month`,
            "Your own web address",
            "Cards held at pre-order, charged or released at the deadline",
          ]}
        />
        <Plan
          name="Branded"
          recommendation="Recommended for your own brand"
          isCurrent={current === "branded"}
          price={`${monthlyFee ? `${monthlyFee} a month.` : "No monthly fee."} ${brandedShare(fees)}`}
          points={brandedPoints}
        >
          {current === "free" && (
            <ButtonLink variant="primary" size="large" href={upgradeUrl}>
              Upgrade to Branded Tier
            </ButtonLink>
          )}
        </Plan>
      </div>
      <section className="card" aria-labelledby="revenue-sharing">
        <div className="card-body stack">
          <h2 id="revenue-sharing">How Revenue Sharing Works</h2>
          <p>
            {monthlyFee
              ? `Your subscription costs ${monthlyFee} a month. With it, our share on the Branded plan is ${branded}`
              : `There's no monthly fee. On the Branded plan our share is ${branded}`}{" "}
            of each successful order, calculated on the transaction total before processing fees:{" "}
            <strong>
              {formatRound(EXAMPLE)} in sales gives a{" "}
              {formatRound(shareOf(EXAMPLE, fees.brandedRate))} fee
            </strong>
            . A special that doesn't go ahead costs nothing.
          </p>
          <p>
            On either plan, card processing is passed on: {formatRate(fees.processingRate)} +{" "}
            {formatCents(fees.processingFixedCents)} per successful transaction.
          </p>
          <PriceTable fees={fees} />
        </div>
      </section>
      <FeeSimulator fees={fees} current={current} />
    </div>
  );
}

interface PlanProps {
  name: string;
  price: string;
  points: string[];
  isCurrent: boolean;
  recommendation?: string;
  children?: ReactNode;
}

function Plan({ name, price, points, isCurrent, recommendation, children }: PlanProps) {
  const id = useId();
  return (
    <section className="card choice" aria-labelledby={id}>
      <div className="card-body">
        <div className="stack rhythm-2">
          <p>
            {isCurrent ? (
              <Badge tone="herb">Current plan</Badge>
            ) : (
              <Badge tone="other">{recommendation ?? "Free Tier"}</Badge>
            )}
          </p>
          <h2 id={id}>{name}</h2>
          <p className="font-semibold">{price}</p>
        </div>
        <ul className="choice-list">
          {points.map((point) => (
            <li key={point}>
              <span>{point}</span>
            </li>
          ))}
        </ul>
        {children}
      </div>
    </section>
  );
}

function PriceTable({ fees }: { fees: FeeSchedule }) {
  return (
    <table className="fees">
      <caption>
        Our share of a month&rsquo;s sales; on the Free plan when the {formatRate(fees.freeRate)}{" "}
        fee is active.{" "}
        {fees.monthlyFee
          ? `On Branded, you also pay ${fees.monthlyFee} a month for your subscription.`
          : "Unlike on a traditional platform, there is no monthly fee on top."}
      </caption>
      <thead>
        <tr>
          <th scope="col">Monthly sales</th>
          <th scope="col">Free</th>
          <th scope="col">Branded</th>
        </tr>
      </thead>
      <tbody>
        {SALES.map((sales, row) => (
          <tr key={sales}>
            <th scope="row">
              {formatRound(sales)}
              {row === SALES.length - 1 && "+"}
            </th>
            <td>{formatRound(shareOf(sales, fees.freeRate))}</td>
            <td>{formatRound(shareOf(sales, fees.brandedRate))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function brandedShare({ brandedRate }: FeeSchedule): string {
  return brandedRate
    ? `${formatRate(brandedRate)} of each successful order.`
    : "We take no share of your orders.";
}

/** What a plan pays, in a sentence. */
export function feeText(fees: FeeSchedule, tier: FeeTier): string {
  const processing = `Card processing (${formatRate(fees.processingRate)} + ${formatCents(fees.processingFixedCents)} per successful transaction) is passed on.`;
  if (tier === "branded" && fees.monthlyFee) {
    return `${fees.monthlyFee} a month. ${brandedShare(fees)} ${processing}`;
  }
  return tier === "free"
    ? `${fees.freeOffers} special offers a month without a platform fee, then ${formatRate(fees.freeRate)} of each successful order until next month. ${processing}`
    : `${formatRate(fees.brandedRate)} of each successful order, with no monthly fee and unlimited special offers. ${processing}`;
}
