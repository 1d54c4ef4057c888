"""Queue push messages: rows recorded with what they tell of, sent by a sweep (decision 142)."""

from collections.abc import Iterable
from datetime import datetime

from apps.accounts.models import User
from apps.offers.models import SpecialOffer
from apps.preorders.models import PushMessage, PushSubscription
from apps.preorders.models.states import NoticeKind, PushKind


def queue_progress(offer: SpecialOffer, *, before: int, after: int, now: datetime) -> None:
    """Queue what guests who follow the offer want to hear of its portions; the caller holds its
    lock. A message that is no longer true when it is sent is dropped."""
    least = offer.min_preorders
    if before < least <= after:
        kind = PushKind.ITS_ON
    elif before < least - 1 == after:
        kind = PushKind.ONE_MORE
    else:
        return
    _queue(PushSubscription.objects.filter(offer=offer), kind, offer, due_at=now)


def queue_push(kind: NoticeKind, offer: SpecialOffer, owner: User, *, due_at: datetime) -> None:
    """Queue a notice for all devices on which this owner turned push on; repeating it changes
    nothing."""
    devices = PushSubscription.objects.filter(restaurant=offer.restaurant_id, user=owner)
    _queue(devices, kind, offer, due_at=due_at)


def _queue(
    devices: Iterable[PushSubscription],
    kind: PushKind | NoticeKind,
    offer: SpecialOffer,
    *,
    due_at: datetime,
) -> None:
    messages = [
        PushMessage(
            restaurant_id=offer.restaurant_id,
            subscription=device,
            offer=offer,
            kind=kind,
            due_at=due_at,
        )
        for device in devices
    ]
    if messages:
        PushMessage.objects.bulk_create(messages, ignore_conflicts=True)
