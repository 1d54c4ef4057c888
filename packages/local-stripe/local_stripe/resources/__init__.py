"""API resources, one module per group. Importing this package registers every endpoint."""

from . import (
    accounts,
    charges,
    checkout,
    customers,
    events,
    intent_capture,
    intent_confirmation,
    payment_intents,
    payment_methods,
    products,
    refunds,
    setup_intents,
    subscriptions,
    webhook_endpoints,
)

__all__ = [
    "accounts",
    "charges",
    "checkout",
    "customers",
    "events",
    "intent_capture",
    "intent_confirmation",
    "payment_intents",
    "payment_methods",
    "products",
    "refunds",
    "setup_intents",
    "subscriptions",
    "webhook_endpoints",
]
