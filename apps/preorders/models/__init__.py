"""Models of orders, payment operations, emails and the waitlist."""

from apps.preorders.models.letters import MailChoice, OfferLetter, OrderMail
from apps.preorders.models.operations import SETTLEMENT_KINDS, PaymentOperation
from apps.preorders.models.orders import Cart, OrderNote, PreOrder, PreOrderTransition
from apps.preorders.models.waiting import WaitingLetter, WaitingPlace

__all__ = [
    "SETTLEMENT_KINDS",
    "Cart",
    "MailChoice",
    "OfferLetter",
    "OrderMail",
    "OrderNote",
    "PaymentOperation",
    "PreOrder",
    "PreOrderTransition",
    "WaitingLetter",
    "WaitingPlace",
]
