"""Types of the payment provider's page on which a guest enters a card, independent of Stripe."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from apps.billing.gateway import Charge
from apps.common.money import Money


class CheckoutState(StrEnum):
    OPEN = "open"
    COMPLETE = "complete"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A hosted checkout page where a guest enters a card."""

    session_id: str
    url: str
    state: CheckoutState
    intent_id: str | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class CheckoutItem:
    """A line of the hosted checkout page; `unit` is the price of one, without tax."""

    name: str
    quantity: int
    unit: Money
    description: str = ""
    photo_url: str = ""  # absolute; empty without a photo


@dataclass(frozen=True, slots=True)
class CheckoutLook:
    """How the hosted checkout page looks. Colors are `#rrggbb`; without a logo, the page shows the
    name."""

    name: str
    paper: str
    button: str
    logo_url: str = ""


@dataclass(frozen=True, slots=True)
class CheckoutRequest:
    """What the hosted checkout page shows and does; its URLs are absolute."""

    charge: Charge
    item: CheckoutItem
    tax_name: str
    customer_email: str
    success_url: str  # can contain {CHECKOUT_SESSION_ID}
    cancel_url: str
    expires_at: datetime
    hold_only: bool  # False charges at once (the payment link after a failed capture)
    submit_note: str
    locale: str  # the page's language, as Stripe names it
    look: CheckoutLook

    @property
    def items(self) -> list[CheckoutItem]:
        """What was ordered and the tax on it, which is the rest of the amount: the sum of the lines
        is what is held, to the cent."""
        tax = self.charge.amount - self.item.unit * self.item.quantity
        if tax.cents < 0:
            return [replace(self.item, quantity=1, unit=self.charge.amount)]
        return [self.item, CheckoutItem(self.tax_name, 1, tax)] if tax.cents else [self.item]
