"""What we ask of a card processor, and what it answers, in our own words.

Only `stripe_gateway` knows how it is done. Amounts are `Money`, times are aware UTC. Every call
that changes something takes the idempotency key that makes asking twice the same as asking once.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from apps.common.money import Money


class IntentStatus(StrEnum):
    """Where an intent stands, for our purposes."""

    OPEN = "open"  # no card yet, or the last one was declined
    NEEDS_ACTION = "needs_action"  # the diner's bank is asking (3-D Secure)
    HELD = "held"
    CAPTURED = "captured"
    DEAD = "dead"  # cancelled or expired; can never be charged


@dataclass(frozen=True, slots=True)
class IntentSnapshot:
    """A payment intent as the processor shows it now."""

    intent_id: str
    state: IntentStatus
    pre_order_id: str | None
    amount: Money
    currency: str  # of every amount here, as `common.currencies` writes it
    captured: Money = Money(0)
    refunded: Money = Money(0)
    fee: Money = Money(0)
    customer_id: str = ""
    payment_method_id: str = ""
    authorized_at: datetime | None = None
    capture_before: datetime | None = None
    transfer_id: str = ""
    reason: str = ""
    card_brand: str = ""  # the processor's word, such as `visa`
    card_digits: str = ""  # the last four


@dataclass(frozen=True, slots=True)
class Charge:
    """What to hold or take: the whole amount, our part of it, and whose money the rest is."""

    pre_order_id: str
    amount: Money
    fee: Money
    currency: str
    destination: str
    description: str


class CheckoutState(StrEnum):
    OPEN = "open"
    COMPLETE = "complete"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A hosted page where a diner gives a card."""

    session_id: str
    url: str
    state: CheckoutState
    intent_id: str | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class CheckoutRequest:
    charge: Charge
    item_name: str
    item_description: str
    customer_email: str
    success_url: str  # may hold {CHECKOUT_SESSION_ID}
    cancel_url: str
    expires_at: datetime
    hold_only: bool  # False takes the money at once (the pay link after a failed capture)
    submit_note: str


@dataclass(frozen=True, slots=True)
class BrowserIntent:
    """What the diner's browser confirms with a card: an intent, and the secret that lets it."""

    intent_id: str
    client_secret: str


class CardSetupStatus(StrEnum):
    OPEN = "open"  # no card yet, the last one was declined, or the bank is asking
    READY = "ready"  # the card may be charged without the diner
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class CardSetup:
    """A card that is given once, for several holds."""

    setup_id: str
    state: CardSetupStatus
    payment_method_id: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """A restaurant's account at the processor (D7)."""

    account_id: str
    details_submitted: bool
    charges_enabled: bool
    payouts_enabled: bool
    requirements: dict[str, list[str]] = field(default_factory=dict)
    disabled_reason: str = ""  # why payments are switched off, in the processor's word


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a restaurant pays the platform regularly; `status` is the processor's word."""

    status: str
    period_end: datetime | None


class GatewayError(Exception):
    """The processor did not do it."""


class Unreachable(GatewayError):
    """No answer, so nobody knows whether it was done: look, then ask again with the same key."""


class StillWorking(Unreachable):
    """The processor is at work on an earlier call with the same key: ask again in a moment."""


class ServerError(GatewayError):
    """The processor answered that it failed. It will say the same again for this key, so the next
    try, after a look, takes a new one."""


class Refused(GatewayError):
    """A final no: asking again changes nothing. `code` is the processor's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Declined(Refused):
    """The card's bank said no. `intent_id` is the intent it was asked about, if there is one."""

    def __init__(self, code: str, message: str, intent_id: str = "") -> None:
        super().__init__(code, message)
        self.intent_id = intent_id


class NeedsAuthentication(Declined):
    """The bank wants the diner present."""
