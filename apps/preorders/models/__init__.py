"""Pre-orders, what is to be done with their money, and the letters they cause."""

from apps.preorders.models.emails import EmailPreference, OfferEmail, OrderEmail
from apps.preorders.models.operations import SETTLEMENT_KINDS, PaymentOperation
from apps.preorders.models.orders import Cart, OrderNote, PreOrder, PreOrderTransition
from apps.preorders.models.waitlist import WaitlistEmail, WaitlistEntry

__all__ = [
    "SETTLEMENT_KINDS",
    "Cart",
    "EmailPreference",
    "OfferEmail",
    "OrderEmail",
    "OrderNote",
    "PaymentOperation",
    "PreOrder",
    "PreOrderTransition",
    "WaitlistEmail",
    "WaitlistEntry",
]
