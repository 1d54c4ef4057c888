"""An order's number of portions, its amounts when that changes, and its pickup time.

The caller holds the order's lock. A hold is never for less than the order costs: fewer portions are
charged as a part of the hold, more portions wait for a larger one (decision 26).
"""

from copy import copy
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from apps.billing.gateway import IntentSnapshot
from apps.billing.models import PaymentHistory
from apps.common import formats
from apps.common.errors import DomainError
from apps.common.money import Money
from apps.integrations.event_types import EventType
from apps.offers.models import PickupSlot
from apps.offers.pickup_slots import choose_slot
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.friends import tell_friends_of_time
from apps.preorders.core.pricing import Price, price_of_portions
from apps.preorders.core.selectors import slot_label
from apps.preorders.core.webhook_events import publish_order_event
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import GUEST, EmailKind, PaymentStatus


def authorized_amount(order: PreOrder) -> Money:
    """The amount of the order's current hold, from the ledger; zero without one."""
    held = PaymentHistory.objects.filter(
        pre_order=order,
        payment_intent_id=order.payment_intent_id,
        transaction_type=PaymentHistory.Type.AUTHORIZATION,
    ).first()
    return Money.of(held.amount) if held else Money(0)


def amount_on_hold(order: PreOrder) -> Money:
    """What the order's bank holds or held: after fewer portions, more than the order costs
    (decision 26). Its total if the ledger has no hold of it."""
    held = authorized_amount(order)
    return held if held.cents else Money.of(order.total_amount)


def set_quantity(order: PreOrder, quantity: int, *, now: datetime) -> None:
    """Change the number of portions and email the guest the new amount of the hold."""
    if quantity == order.quantity:
        return
    order.transitions.create(
        restaurant_id=order.restaurant_id,
        field="quantity",
        old=str(order.quantity),
        new=str(quantity),
        actor=GUEST,
        at=now,
    )
    columns = _columns(quantity, price_of_portions(order, quantity))
    PreOrder.objects.filter(pk=order.pk).update(**columns)
    for name, value in columns.items():
        setattr(order, name, value)
    queue_email(order, EmailKind.RECEIVED, now=now, again=True)
    publish_order_event(order, EventType.ORDER_CHANGED, now=now)


def email_change(order: PreOrder, *, now: datetime) -> None:
    """Email the guest what the order is for, after a change without another hold."""
    if order.payment_status == PaymentStatus.AUTHORIZED:
        queue_email(order, EmailKind.RECEIVED, now=now, again=True)


def set_slot(order: PreOrder, slot: PickupSlot | None, *, now: datetime) -> bool:
    """Change the pickup time; returns whether it is another one. The caller has checked that it has
    room, and emails the guest."""
    if slot is None or slot.pk == order.pickup_slot_id:
        return False
    before = order.pickup_slot
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=slot)
    order.pickup_slot = slot
    order.transitions.create(
        restaurant_id=order.restaurant_id,
        field="slot",
        old=_in_history(before, order) if before else "",
        new=_in_history(slot, order),
        actor=GUEST,
        at=now,
    )
    tell_friends_of_time(order, now=now)
    return True


def former_time(order: PreOrder, noted: str) -> str:
    """A pickup time that a transition of the order notes, in the language in use; empty if it isn't
    the special's anymore."""
    slots = PickupSlot.objects.filter(offer=order.offer_id)
    slot = next((each for each in slots if _in_history(each, order) == noted), None)
    zone = order.offer.restaurant.zone
    return formats.span(slot.starts_at, slot.ends_at, zone) if slot else ""


def last_change(order: PreOrder) -> str:
    """What the order was changed to: `2 portions (was 1), 5:30–6:00 PM (was 6:00–6:30 PM)`, one of
    the two, or `pickup`; empty if it never was, or if `chose_again`."""
    made = _last_changes(order)
    if "service_mode" in made:
        return order.serving.mode.lower()
    parts = []
    if "quantity" in made:
        parts.append(_with_former(formats.portions(order.quantity), made["quantity"]))
    if "slot" in made:
        parts.append(_with_former(slot_label(order), former_time(order, made["slot"])))
    return ", ".join(parts)


def last_change_besides_portions(order: PreOrder) -> str:
    """The time, or `pickup`, that the order was changed to; empty if its portions were changed,
    too, or nothing was."""
    made = _last_changes(order)
    if "service_mode" in made:
        return order.serving.mode.lower()
    return slot_label(order) if list(made) == ["slot"] else ""


def chose_again(order: PreOrder) -> bool:
    """Whether the last change was what the guest gets if too few order."""
    return "alternative" in _last_changes(order)


def _last_changes(order: PreOrder) -> dict[str, str]:
    """What the guest changed last, each field with what it was before. Only portions and their time
    are changed at once."""
    at_once = ("quantity", "slot")
    changes = order.transitions.filter(field__in=(*at_once, "service_mode", "alternative"))
    last = changes.order_by("pk").last()
    if last is None:
        return {}
    if last.field not in at_once:
        return {last.field: last.old}
    made = changes.filter(at=last.at, field__in=at_once).order_by("-pk")
    return {each.field: each.old for each in made}


def _with_former(now: str, former: str) -> str:
    return _("%(now)s (was %(former)s)") % {"now": now, "former": former} if former else now


def _in_history(slot: PickupSlot, order: PreOrder) -> str:
    with override(settings.LANGUAGE_CODE):  # the restaurant's
        return formats.span(slot.starts_at, slot.ends_at, order.offer.restaurant.zone)


def make_requested_change(order: PreOrder, operation: PaymentOperation, *, now: datetime) -> None:
    """Change the order as its guest asked, now that the operation's new hold is in place or the old
    one is released for it."""
    set_slot(order, operation.pickup_slot, now=now)
    if operation.quantity is not None:
        set_quantity(order, operation.quantity, now=now)


def with_requested_change(order: PreOrder, operation: PaymentOperation) -> PreOrder:
    """The order as it will be once the operation's new hold is in place; nothing is saved."""
    if operation.quantity is None:
        return order
    changed = copy(order)
    if operation.pickup_slot is not None:
        changed.pickup_slot = operation.pickup_slot
    price = price_of_portions(order, operation.quantity)
    for name, value in _columns(operation.quantity, price).items():
        setattr(changed, name, value)
    return changed


def can_replace_authorization(
    operation: PaymentOperation, order: PreOrder, hold: IntentSnapshot
) -> bool:
    """Whether `hold` can replace the current one for this renewal.

    It must cover what the order will cost; one placed for an earlier change may not. And the pickup
    time must still have room, because meanwhile only the offer's portions are reserved.
    """
    changed = with_requested_change(order, operation)
    if not covers(hold, changed, Money.of(changed.total_amount)):
        return False
    try:
        check_slot(order, changed.quantity, changed.pickup_slot_id)
    except DomainError:
        return False
    return True


def check_slot(order: PreOrder, quantity: int, slot_id: int | None) -> PickupSlot | None:
    """The pickup time, which has room for the order with `quantity` portions. Fewer portions than
    it has keep their place.

    Raises what `choose_slot` does.
    """
    if slot_id == order.pickup_slot_id and (slot_id is None or quantity <= order.quantity):
        return order.pickup_slot
    return choose_slot(
        order.offer,
        slot_id,
        portions=quantity,
        besides=order.pk,
        friend_of=order.friend_of_id,
    )


def covers(hold: IntentSnapshot, order: PreOrder, amount: Money) -> bool:
    """Whether `hold` covers `amount`, in the currency the order is charged in."""
    return hold.currency == order.offer.restaurant.currency and hold.amount >= amount


def _columns(quantity: int, price: Price) -> dict[str, Any]:
    return {
        "quantity": quantity,
        "subtotal": price.subtotal.amount,
        "tax": price.tax.amount,
        "total_amount": price.total.amount,
        "revenue_share": price.fees.revenue_share.amount,
        "processing_fee": price.fees.processing.amount,
    }
