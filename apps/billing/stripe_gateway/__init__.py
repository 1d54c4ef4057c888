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
    delete_customer,
    retrieve_setup,
)
from apps.billing.stripe_gateway.checkout import (
    create_checkout,
    expire_checkout,
    retrieve_checkout,
)
from apps.billing.stripe_gateway.client import (
    configure,
    with_new_key_after_error,
)
from apps.billing.stripe_gateway.disputes import (
    accept_dispute,
    disputes_since,
    fraud_warnings_since,
    retrieve_dispute,
    retrieve_fraud_warning,
    submit_evidence,
    upload_evidence,
)
from apps.billing.stripe_gateway.intents import (
    ListPage,
    balance_page,
    capture,
    charge_off_session,
    create_intent,
    failed_refund_intents_page,
    intent_of_charge,
    intents_of_customer,
    intents_page,
    refund,
    refunded_intents_page,
    release,
    reopen_intent,
    repeat_refund,
    retrieve_intent,
    retrieve_with_refunds,
)
from apps.billing.stripe_gateway.parallel import in_parallel
from apps.billing.stripe_gateway.payouts import (
    account_balance,
    create_payout,
    find_payouts,
    retrieve_payout,
    settled_amount,
)
from apps.billing.stripe_gateway.rate_limiter import in_background
from apps.billing.stripe_gateway.subscriptions import (
    billing_portal_url,
    cancel_subscription,
    create_first_payment,
    create_paid_invoice,
    create_subscription,
    find_subscription,
    finish_paid_invoice,
    retrieve_subscription,
    set_cancellation,
)
from apps.billing.stripe_gateway.transfers import (
    retrieve_transfer,
    return_transfer,
    reverse_transfer,
    transfer_for_dispute,
)
from apps.billing.stripe_gateway.wallet_domains import (
    find_wallet_domain,
    register_wallet_domain,
    set_wallet_domain_enabled,
    validate_wallet_domain,
)
from apps.billing.stripe_gateway.webhook_endpoints import (
    CONNECT_EVENTS,
    OWN_EVENTS,
    connect_webhooks,
    has_undelivered_events,
)

__all__ = [
    "CONNECT_EVENTS",
    "OWN_EVENTS",
    "account_balance",
    "ListPage",
    "accept_dispute",
    "balance_page",
    "billing_portal_url",
    "cancel_setup",
    "cancel_subscription",
    "capture",
    "charge_off_session",
    "client_secret",
    "configure",
    "connect_webhooks",
    "create_account",
    "create_checkout",
    "create_customer",
    "create_first_payment",
    "create_paid_invoice",
    "finish_paid_invoice",
    "create_subscription",
    "find_subscription",
    "with_new_key_after_error",
    "create_intent",
    "create_payout",
    "create_setup",
    "dashboard_url",
    "delete_customer",
    "disputes_since",
    "expire_checkout",
    "find_payouts",
    "find_wallet_domain",
    "has_undelivered_events",
    "in_background",
    "in_parallel",
    "fraud_warnings_since",
    "intent_of_charge",
    "intents_of_customer",
    "failed_refund_intents_page",
    "intents_page",
    "refunded_intents_page",
    "retrieve_subscription",
    "set_cancellation",
    "set_wallet_domain_enabled",
    "onboarding_url",
    "refund",
    "repeat_refund",
    "register_wallet_domain",
    "release",
    "reopen_intent",
    "retrieve_account",
    "retrieve_checkout",
    "retrieve_dispute",
    "retrieve_fraud_warning",
    "retrieve_intent",
    "retrieve_payout",
    "retrieve_setup",
    "settled_amount",
    "retrieve_with_refunds",
    "retrieve_transfer",
    "return_transfer",
    "reverse_transfer",
    "submit_evidence",
    "upload_evidence",
    "transfer_for_dispute",
    "validate_wallet_domain",
]
