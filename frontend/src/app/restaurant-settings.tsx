import type { ConnectStatus } from "@/api/types";
import { useConnectStatus } from "@/features/payments/api/get-connect-status";
import { PaymentSetup } from "@/features/payments/components/payment-setup";
import { useConnectReturn } from "@/features/payments/hooks/use-connect-return";
import { useProfile } from "@/features/settings/api/get-profile";
import { OpeningDay } from "@/features/settings/components/opening-day";
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
  const profile = useProfile(props.profile).data ?? props.profile;
  const takesOrders = useConnectStatus(payments).data?.setup.takesOrders ?? false;
  const paymentSetup = (
    <div className="stack rhythm-6">
      <PaymentSetup
        returnTo="/restaurant/settings"
        initial={payments}
        stripeAccountId={profile.stripeAccountId}
        timeZone={profile.timezone}
      />
      {!takesOrders && <OpeningDay profile={profile} />}
    </div>
  );
  const Screen = props.tiers.current === "free" ? FreeSettings : BrandedSettings;
  return <Screen {...props} paymentSetup={paymentSetup} />;
}
