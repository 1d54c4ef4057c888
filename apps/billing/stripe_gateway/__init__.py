"""The Stripe implementation of the payment gateway; the only package that imports stripe.

Callers import the package and write `gateway.capture(…)`.
"""

from apps.billing.stripe_gateway.accounts import (
    create_account,
    dashboard_url,
    onboarding_url,
    retrieve_account,
)
from apps.billing.stripe_gateway.cards import (
    cancel_setup,
    client_secret,
    create_customer,
    create_setup,
    retrieve_setup,
)
from apps.billing.stripe_gateway.checkout import (
    create_checkout,
    expire_checkout,
    retrieve_checkout,
)
from apps.billing.stripe_gateway.client import (
    configure,
)
from apps.billing.stripe_gateway.intents import (
    capture,
    charge_off_session,
    create_intent,
    failed_refunds,
    intents_of_customer,
    intents_refunded_since,
    intents_since,
    intents_with_failed_refunds_since,
    refund,
    release,
    reopen_intent,
    retrieve_intent,
)
from apps.billing.stripe_gateway.payouts import (
    account_balance,
    create_payout,
    find_payouts,
    retrieve_payout,
    settled_amount,
)
from apps.billing.stripe_gateway.subscriptions import (
    billing_portal_url,
    latest_subscription,
)
from apps.billing.stripe_gateway.webhook_endpoints import (
    CONNECT_EVENTS,
    OWN_EVENTS,
    connect_webhooks,
)

__all__ = [
    "CONNECT_EVENTS",
    "OWN_EVENTS",
    "account_balance",
    "billing_portal_url",
    "cancel_setup",
    "capture",
    "charge_off_session",
    "client_secret",
    "configure",
    "connect_webhooks",
    "create_account",
    "create_checkout",
    "create_customer",
    "create_intent",
    "create_payout",
    "create_setup",
    "dashboard_url",
    "expire_checkout",
    "failed_refunds",
    "find_payouts",
    "intents_of_customer",
    "intents_refunded_since",
    "intents_since",
    "intents_with_failed_refunds_since",
    "latest_subscription",
    "onboarding_url",
    "refund",
    "release",
    "reopen_intent",
    "retrieve_account",
    "retrieve_checkout",
    "retrieve_intent",
    "retrieve_payout",
    "retrieve_setup",
    "settled_amount",
]
