"""Pre-orders, what is to be done with their money, and the emails they cause."""

from apps.preorders.models.disputes import Dispute, DisputeTransition, EarlyFraudWarning
from apps.preorders.models.emails import Email, GuestMessage
from apps.preorders.models.expirations import ExpirationRun, ExpirationSchedule, SettlementPause
from apps.preorders.models.notices import NoticePreference
from apps.preorders.models.operations import SETTLEMENT_KINDS, PaymentOperation
from apps.preorders.models.orders import (
    Cart,
    OrderNote,
    PickupCheckIn,
    PreOrder,
    PreOrderTransition,
)
from apps.preorders.models.push import PushMessage, PushSubscription
from apps.preorders.models.subscribers import Subscriber
from apps.preorders.models.waitlist import WaitlistEntry

__all__ = [
    "SETTLEMENT_KINDS",
    "Cart",
    "Dispute",
    "DisputeTransition",
    "EarlyFraudWarning",
    "Email",
    "ExpirationRun",
    "ExpirationSchedule",
    "GuestMessage",
    "NoticePreference",
    "OrderNote",
    "PaymentOperation",
    "PickupCheckIn",
    "PreOrder",
    "PreOrderTransition",
    "PushMessage",
    "PushSubscription",
    "SettlementPause",
    "Subscriber",
    "WaitlistEntry",
]
