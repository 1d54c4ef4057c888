"""What Stripe keeps, one module per family. Importing this package registers every endpoint."""

from . import (
    accounts,
    charges,
    checkout,
    customers,
    events,
    payment_intents,
    payment_methods,
    refunds,
    setup_intents,
    webhook_endpoints,
)

__all__ = [
    "accounts",
    "charges",
    "checkout",
    "customers",
    "events",
    "payment_intents",
    "payment_methods",
    "refunds",
    "setup_intents",
    "webhook_endpoints",
]
