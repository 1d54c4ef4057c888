import type { ReactNode } from "react";
import type { Completion, ConnectStatus } from "@/api/types";
import { useConnectStatus } from "@/features/payments/api/get-connect-status";
import { PaymentBanner } from "@/features/payments/components/payment-banner";
import { useConnectReturn } from "@/features/payments/hooks/use-connect-return";
import { useProcessor } from "@/features/payments/hooks/use-processor";
import type { ReturnPath } from "@/features/payments/types";
import { useCompletion } from "@/features/setup/api/get-completion";
import { NextStep } from "@/features/setup/components/next-step";
import { SetupChecklist } from "@/features/setup/components/setup-checklist";

/** The props about the setup on an owner's page, so that nothing is fetched to show it. */
export interface OwnerSetupProps {
  restaurantId: string;
  setup: { payment: ConnectStatus; completion: Completion };
  settingsUrl: string;
  paymentsUrl: string;
  returnTo: ReturnPath;
}

/** Before these steps are done, connecting the payment account isn't due. */
const BEFORE_PAYMENTS = new Set<string>(["name", "address", "special"]);

/**
 * First what keeps guests from ordering, then the page's own content, then what is left of the
 * setup, because the day's work comes before chores. The setup disappears once everything is done.
 */
export function OwnerSetup({ children, ...props }: OwnerSetupProps & { children: ReactNode }) {
  const { setup, returnTo } = props;
  const { data: status = setup.payment } = useConnectStatus(setup.payment);
  const processor = useProcessor(returnTo);
  useConnectReturn();
  const { data: completion = setup.completion } = useCompletion(setup.completion);
  const isBefore = completion.steps.some(({ key, isDone }) => BEFORE_PAYMENTS.has(key) && !isDone);
  const { action, actionLabel, sentence, state } = status.setup;
  return (
    <>
      {isBefore ? (
        <NextStep steps={completion.steps} />
      ) : (
        <PaymentBanner status={status} processor={processor} url={props.paymentsUrl} />
      )}
      {children}
      <SetupChecklist
        restaurantId={props.restaurantId}
        initial={setup.completion}
        settingsUrl={props.settingsUrl}
        payment={{
          complete: state === "complete",
          label: action === "onboarding" ? actionLabel : "",
          sentence,
          busy: processor.underWay === "onboarding",
          problem: processor.problem,
          start: () => void processor.onboard(),
        }}
      />
    </>
  );
}
