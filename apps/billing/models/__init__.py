"""Payment accounts, the ledger, payouts, and the comparison with Stripe (design §4)."""

from apps.billing.models.accounts import ConnectAccount
from apps.billing.models.ledger import (
    Conversion,
    FeeInvoice,
    LedgerChain,
    LedgerSeal,
    MonthlyBillingCycle,
    PaymentHistory,
    PlatformFee,
)
from apps.billing.models.payouts import Payout, PayoutEntry
from apps.billing.models.reconciliation import Discrepancy, ProcessedEvent, ReconciliationProgress
from apps.billing.models.stripe_fees import StripeFee
from apps.billing.models.subscriptions import Subscription, SubscriptionSignUp
from apps.billing.models.wallet_domains import WalletDomain

__all__ = [
    "ConnectAccount",
    "Conversion",
    "Discrepancy",
    "FeeInvoice",
    "LedgerChain",
    "LedgerSeal",
    "MonthlyBillingCycle",
    "PaymentHistory",
    "Payout",
    "PayoutEntry",
    "PlatformFee",
    "ProcessedEvent",
    "ReconciliationProgress",
    "StripeFee",
    "Subscription",
    "SubscriptionSignUp",
    "WalletDomain",
]
