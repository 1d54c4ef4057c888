"""Changes without a new hold that a guest makes before the deadline: the note, how the order is
eaten, the pickup time, and the alternative (decision 26)."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from apps.common.errors import Conflict
from apps.offers.serving import check_service_mode
from apps.preorders.core.locks import lock_order
from apps.preorders.core.quantities import check_slot, email_change, set_slot
from apps.preorders.guest import changes
from apps.preorders.models import PreOrder
from apps.preorders.models.states import GUEST


@transaction.atomic
def change_note(*, order: PreOrder, note: str, now: datetime) -> PreOrder:
    """Change the note to the kitchen. Raises Conflict when it is too late."""
    locked = _changeable(order, now)
    if note != locked.note:
        _save_change(locked, "note", "", "changed", now, note=note)
    return locked


@transaction.atomic
def change_service_mode(*, order: PreOrder, mode: str, now: datetime) -> PreOrder:
    """Choose again between dining in and pickup. Raises Invalid for what the special doesn't offer,
    Conflict when it is too late."""
    locked = _changeable(order, now)
    check_service_mode(locked.offer, mode)
    if mode != locked.service_mode:
        before = locked.service_mode
        _save_change(locked, "service_mode", before, mode, now, service_mode=mode)
        email_change(locked, now=now)
    return locked


@transaction.atomic
def change_slot(*, order: PreOrder, slot_id: int | None, now: datetime) -> PreOrder:
    """Change the pickup time. Raises Invalid for one that is not the offer's, Conflict for a full
    one or when it is too late."""
    locked = _changeable(order, now)
    if set_slot(locked, check_slot(locked, locked.quantity, slot_id), now=now):
        email_change(locked, now=now)
    return locked


@transaction.atomic
def choose_alternative(*, order: PreOrder, accepted: bool, now: datetime) -> PreOrder:
    """Choose whether to get the alternative, at today's price, if the minimum is missed (DECISIONS
    X18). Raises Conflict when it is too late or there is none."""
    locked = lock_order(order.pk)
    if refusal := changes.why_not_the_alternative(locked, now=now):
        raise Conflict(refusal)
    dish = locked.offer.alternative_dish if locked.offer.has_alternative else None
    if dish is None:
        raise Conflict(_("This special has no alternative."))
    if accepted != (locked.alternative_price is not None):
        price = dish.price if accepted else None
        words = ("release", "serve") if accepted else ("serve", "release")
        _save_change(locked, "alternative", *words, now, alternative_price=price)
        email_change(locked, now=now)
    return locked


def _changeable(order: PreOrder, now: datetime) -> PreOrder:
    locked = lock_order(order.pk)
    if refusal := changes.why_fixed(locked, now=now):
        raise Conflict(refusal)
    return locked


def _save_change(
    order: PreOrder, field: str, old: str, new: str, now: datetime, **columns: object
) -> None:
    """Save the columns, and an audit row for the restaurant."""
    PreOrder.objects.filter(pk=order.pk).update(**columns)
    for name, value in columns.items():
        setattr(order, name, value)
    order.transitions.create(
        restaurant_id=order.restaurant_id,
        field=field,
        old=old[:20],
        new=new[:20],
        actor=GUEST,
        at=now,
    )
