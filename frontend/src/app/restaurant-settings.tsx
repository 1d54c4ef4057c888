import type { ConnectStatus } from "@/api/types";
import { PaymentSetup } from "@/features/payments/components/payment-setup";
import { useConnectReturn } from "@/features/payments/hooks/use-connect-return";
import {
  BrandedSettings,
  FreeSettings,
  type SettingsProps,
} from "@/features/settings/components/settings-screens";

interface RestaurantSettingsProps extends Omit<SettingsProps, "paymentSetup"> {
  payments: ConnectStatus;
  dashboardUrl: string;
}

/** One URL with a different screen for each tier. */
export function RestaurantSettings({ payments, dashboardUrl, ...props }: RestaurantSettingsProps) {
  useConnectReturn({ leadTo: dashboardUrl });
  const paymentSetup = (
    <PaymentSetup
      returnTo="/restaurant/settings"
      initial={payments}
      stripeAccountId={props.profile.stripeAccountId}
      timeZone={props.profile.timezone}
    />
  );
  const Screen = props.tiers.current === "free" ? FreeSettings : BrandedSettings;
  return <Screen {...props} paymentSetup={paymentSetup} />;
}
