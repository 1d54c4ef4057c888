import { Notice } from "@/ui/notice";
import { freeOffers } from "../lib/free-offers";

/** Says when the free offers of the month run low (T49); nothing while there are plenty. */
export function FreeCounter({ count, upgradeUrl }: { count: number; upgradeUrl: string }) {
  const state = freeOffers(count);
  if (state.kind === "plenty") return null;
  return (
    <Notice tone="honey">
      {state.kind === "warning" ? (
        <p>
          <strong>
            {state.remaining} free {state.remaining === 1 ? "offer" : "offers"} left this month.
          </strong>{" "}
          After that, further offers carry a 3% platform fee until next month.
        </p>
      ) : (
        <p>
          <strong>You have used your 10 free offers this month.</strong> Further offers carry a 3%
          platform fee until next month. <a href={upgradeUrl}>Upgrade</a>
        </p>
      )}
    </Notice>
  );
}
