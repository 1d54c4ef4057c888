"""The payment gateway's types and errors, independent of Stripe.

Only `stripe_gateway` talks to Stripe. Amounts are `Money`, times are timezone-aware UTC. Every call
that changes something takes an idempotency key, so that repeating it has no further effect.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from apps.common.money import Money


class IntentStatus(StrEnum):
    """The state of a payment intent, reduced to what the application distinguishes."""

    OPEN = "open"  # no card yet, or the last one was declined
    PROCESSING = "processing"  # the outcome is not known yet; it must not be canceled
    NEEDS_ACTION = "needs_action"  # the guest's bank wants a confirmation (3-D Secure)
    HELD = "held"
    CAPTURED = "captured"
    DEAD = "dead"  # canceled or expired; can never be charged


class RefundStatus(StrEnum):
    """The state of a refund. https://docs.stripe.com/api/refunds/object#refund_object-status"""

    PENDING = "pending"  # the platform's balance is too low, or the bank takes its time
    SUCCEEDED = "succeeded"  # on its way to the card; it can still fail for 30 days
    FAILED = "failed"  # or canceled: the money is in the platform's balance


@dataclass(frozen=True, slots=True)
class RefundSnapshot:
    """A refund of a charge, whoever made it."""

    refund_id: str
    amount: Money
    state: RefundStatus
    created_at: datetime
    reason: str = ""  # why it is pending or failed, as Stripe names it
    dispute_id: str = ""  # the won dispute because of which it repeats an earlier refund


@dataclass(frozen=True, slots=True)
class RefundTotals:
    """All refunds of a charge, and what Stripe took back with them."""

    refunds: tuple[RefundSnapshot, ...]  # oldest first
    fee: Money  # of our application fee
    reversed: Money  # of the restaurant's transfer, in the charge's currency
    rounding: Money = Money(0)  # how far `reversed` can be off where Stripe converted it

    @property
    def by_id(self) -> dict[str, RefundSnapshot]:
        return {each.refund_id: each for each in self.refunds}

    def ids_of(self, *states: RefundStatus) -> set[str]:
        return {each.refund_id for each in self.refunds if each.state in states}

    def total(self, *states: RefundStatus) -> Money:
        """The sum of the refunds in these states; without any, of all."""
        wanted = states or tuple(RefundStatus)
        return Money(sum(each.amount.cents for each in self.refunds if each.state in wanted))


@dataclass(frozen=True, slots=True)
class IntentSnapshot:
    """A snapshot of a payment intent, in any state.

    `refunded` is the charge's own total. Stripe doesn't document whether pending and failed refunds
    count in it, so amounts come from `refunds`; None if they weren't read.
    """

    intent_id: str
    state: IntentStatus
    pre_order_id: str | None
    amount: Money
    currency: str  # of all amounts here, as in `common.currencies`
    captured: Money = Money(0)
    refunded: Money = Money(0)
    fee: Money = Money(0)
    customer_id: str = ""
    payment_method_id: str = ""
    authorized_at: datetime | None = None
    captured_at: datetime | None = None  # None if it wasn't captured, or wasn't asked for
    capture_before: datetime | None = None
    transfer_id: str = ""
    reason: str = ""
    card_brand: str = ""  # Stripe's value, such as `visa`
    card_digits: str = ""  # the last four
    statement_name: str = ""  # what the guest's bank statement says
    refunds: RefundTotals | None = None


@dataclass(frozen=True, slots=True)
class DisputeMovement:
    """A balance transaction of a dispute, in the charge's currency: `amount` is negative when the
    bank takes it, `fee` when Stripe returns it."""

    movement_id: str
    amount: Money
    fee: Money


@dataclass(frozen=True, slots=True)
class DisputeSnapshot:
    """A snapshot of a dispute, in any state."""

    dispute_id: str
    status: str  # Stripe's: https://docs.stripe.com/api/disputes/object
    intent_id: str
    charge_id: str
    amount: Money
    currency: str
    reason: str
    network_reason_code: str
    due_by: datetime | None  # None also if the bank takes no answer
    submissions: int
    movements: tuple[DisputeMovement, ...]
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Evidence:
    """The answer to a dispute. Texts can have 20,000 characters; the document is a PDF."""

    customer_name: str
    customer_email: str
    product_description: str
    service_date: str
    refund_policy: str  # how the guest was shown the terms before ordering
    remarks: str
    document: bytes
    file_name: str


@dataclass(frozen=True, slots=True)
class FraudWarning:
    """A card issuer's warning that a charge may be fraud."""

    warning_id: str
    intent_id: str
    fraud_type: str
    is_actionable: bool
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class TransferReversal:
    reversal_id: str
    amount: Money
    dispute_id: str  # empty if another cause, such as a refund, reversed it


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer to a restaurant, and its reversals, newest first.

    Amounts are in the smallest units of `currency`, which isn't the charge's where the restaurant's
    account settles in another one.
    """

    transfer_id: str
    amount: Money
    currency: str
    destination: str
    reversals: tuple[TransferReversal, ...] = ()

    @property
    def left(self) -> Money:
        """What can still be reversed."""
        return self.amount - Money(sum(each.amount.cents for each in self.reversals))


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount to authorize or charge, our fee in it, and the account that gets the rest."""

    pre_order_id: str
    amount: Money
    fee: Money
    currency: str
    destination: str
    description: str


@dataclass(frozen=True, slots=True)
class BrowserIntent:
    """An intent that the guest's browser confirms with a card, using the client secret."""

    intent_id: str
    client_secret: str


class CardSetupStatus(StrEnum):
    OPEN = "open"  # no card yet, the last one was declined, or the bank wants a confirmation
    READY = "ready"  # the card can be charged without the guest present
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class CardSetup:
    """A card saved once for several authorizations."""

    setup_id: str
    state: CardSetupStatus
    payment_method_id: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """A restaurant's account at Stripe."""

    account_id: str
    details_submitted: bool
    charges_enabled: bool
    payouts_enabled: bool
    requirements: dict[str, list[str]] = field(default_factory=dict)
    disabled_reason: str = ""  # why payments are disabled, as Stripe names it
    country: str = "US"
    currency: str = "usd"  # what its bank gets


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's balance in its own currency; negative if it owes."""

    available: Decimal
    pending: Decimal


@dataclass(frozen=True, slots=True)
class BalanceMovement:
    """A balance transaction of the platform, with its source in the charge's own currency.

    `kind` is Stripe's type, or `dispute`; `source_id` the charge, refund, transfer, or dispute.
    `intent_id` is empty where the source doesn't name one; a transfer names its charge and its
    destination.
    """

    movement_id: str
    kind: str
    source_id: str
    amount: Money  # of the source, never negative
    fee: Money  # the application fee of a charge
    created_at: datetime
    intent_id: str = ""
    charge_id: str = ""
    destination: str = ""
    stripe_fee: Money = Money(0)  # what Stripe kept, in `settled_currency`; negative if returned
    settled_currency: str = ""


class PayoutStatus(StrEnum):
    """A payout's status, reduced to what the application distinguishes."""

    SENT = "sent"
    PAID = "paid"
    FAILED = "failed"  # canceled too: the money is in the balance again


@dataclass(frozen=True, slots=True)
class PayoutSnapshot:
    """A payout of a connected account; `key` is what our request named it."""

    payout_id: str
    status: PayoutStatus
    amount: Decimal
    currency: str
    arrives_on: date
    key: str = ""
    failure_code: str = ""


@dataclass(frozen=True, slots=True)
class SubscriptionSnapshot:
    """A restaurant's subscription to the platform; `status` is Stripe's value."""

    subscription_id: str
    status: str
    period_end: datetime | None
    cancels_at_period_end: bool
    ended_at: datetime | None
    last_paid_at: datetime | None  # of its latest invoice, if that is paid
    pay_url: str  # where its latest invoice can be paid; empty if it is paid


@dataclass(frozen=True, slots=True)
class DomainSnapshot:
    """A host that is registered for wallets; `problem` says why one of them can't show there."""

    domain_id: str
    is_enabled: bool
    problem: str


class GatewayError(Exception):
    """A call to Stripe failed."""


class Unreachable(GatewayError):
    """No answer, so the outcome is unknown: read the object, then retry with the same key."""


class Busy(Unreachable):
    """Our calls are at Stripe's rate limit: nothing was done. Retry in a moment, same key."""


class StillWorking(Unreachable):
    """Stripe is still processing an earlier call with the same key: retry in a moment."""


class ServerError(GatewayError):
    """Stripe answered that it failed. It replays that answer for this key, so the next attempt
    needs a new key, after reading the object."""


class Refused(GatewayError):
    """A definite refusal: retrying changes nothing. `code` is Stripe's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class CardUnusable(Refused):
    """The saved card can't be charged, for instance because it was detached from its customer."""


class Declined(Refused):
    """The card's bank declined. `intent_id` is the payment intent, if there is one, and
    `decline_code` the bank's reason, if it gave one."""

    def __init__(
        self, code: str, message: str, intent_id: str = "", decline_code: str = ""
    ) -> None:
        super().__init__(code, message)
        self.intent_id = intent_id
        self.decline_code = decline_code


class NeedsAuthentication(Declined):
    """The bank requires the guest to confirm the payment (3-D Secure)."""
