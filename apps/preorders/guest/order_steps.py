"""The timeline of an order on the guest's page: what happened and what comes next."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.billing.models import PaymentHistory
from apps.common import formats
from apps.offers.presentation import Special
from apps.offers.serving import ArrivalNote, ServiceChoice
from apps.offers.states import OfferStatus
from apps.preorders.checkout.terms import otherwise_of
from apps.preorders.core.pricing import price_of_portions
from apps.preorders.core.selectors import cancellation_of_order, slot_label
from apps.preorders.guest.order_status.charged import is_whole, pending_refund
from apps.preorders.guest.order_status.dinner import is_day_over
from apps.preorders.guest.order_status.released import hold_lapsed
from apps.preorders.models import PreOrder, PreOrderTransition
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    OperationKind,
    PaymentStatus,
    PreOrderStatus,
)


class StepState(StrEnum):
    DONE = "done"
    NOW = "now"  # the current step
    NEXT = "next"
    ENDED = "ended"  # the order stopped here


@dataclass(frozen=True, slots=True)
class Step:
    """`at` is when it happened or will happen, in words; `happened_at` where that is known.
    `text` adds a detail, the restaurant's `notes` too."""

    title: str
    at: str = ""
    text: str = ""
    state: StepState = StepState.DONE
    notes: tuple[ArrivalNote, ...] = ()
    happened_at: datetime | None = None


NOT_HELD = frozenset({PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION})
CHARGED = frozenset({PaymentStatus.CAPTURED, PaymentStatus.REFUNDED})
# The fields of an order that its guest changes and that its history names.
CHANGES = ("quantity", "slot", "service_mode")
# A hold has the payment processor's time.
CLOCKS_DIFFER = timedelta(minutes=1)

# The amount of a hold, and when the bank placed it.
Held = tuple[Decimal, datetime]


def order_steps(order: PreOrder, special: Special) -> list[Step]:
    """The steps in the order of their times; at most one of them is the current one."""
    return _by_time([step for step in _all_steps(order, special) if step is not None])


def _by_time(steps: list[Step]) -> list[Step]:
    """Sorted by the minute in which they happened, because Stripe's times are whole seconds; one
    without a time stays after all that stood before it."""
    reached = datetime.min.replace(tzinfo=UTC)
    times = []
    for step in steps:
        at = step.happened_at
        minute = at.replace(second=0, microsecond=0) if at else reached
        reached = max(reached, minute)
        times.append(minute)
    return [steps[i] for i in sorted(range(len(steps)), key=times.__getitem__)]


def _all_steps(order: PreOrder, special: Special) -> list[Step | None]:
    rows = order.transitions.filter(field__in=(*CHANGES, "payment_status")).order_by("pk")
    ledger = PaymentHistory.objects.filter(
        pre_order=OuterRef("pre_order"), transaction_type=PaymentHistory.Type.AUTHORIZATION
    ).order_by("pk")
    history: list[Any] = list(
        rows.annotate(
            hold_amounts=ArraySubquery(ledger.values("amount")),
            hold_times=ArraySubquery(ledger.values("processed_at")),
        )
    )
    newest = history[-1] if history else None
    holds = list(zip(newest.hold_amounts, newest.hold_times, strict=True)) if newest else []
    portions = [row for row in history if row.field == "quantity"]
    placed, held = _ordered(order, portions), _held(order, history, holds)
    later = holds[1:]
    changed = _changed(history, order, later)
    head = [placed, held, *changed, *(_new_hold_of(each, order) for each in later)]
    if order.status == PreOrderStatus.CANCELLED:
        return [*head, *_cancelled(order, special)]
    refund = pending_refund(order)
    last = _refunding(order) if is_whole(refund) else _pick_up(order, special)
    return [*head, _decided(order, special), _money(order, special), last]


def _ordered(order: PreOrder, changes: list[PreOrderTransition]) -> Step:
    number = int(changes[0].old) if changes else order.quantity
    portions = ngettext("%(number)d portion", "%(number)d portions", number)
    is_placed = order.authorized_at or order.payment_status not in CHECKOUT_STATUSES
    says = _("Ordered: %(portions)s") if is_placed else _("Started: %(portions)s")
    title = says % {"portions": portions % {"number": number}}
    return _past(title, order.created_at, order)


def _changed(history: list[Any], order: PreOrder, later: list[Held]) -> list[Step]:
    """The changes by the guest; portions and their time that were saved at once are one. `later`
    are the holds after the first one, and afterwards those that no change needed."""
    portions = {row.at for row in history if row.field == "quantity"}
    times = {row.at for row in history if row.field == "slot"}
    steps = []
    for row in history:
        if row.field not in CHANGES or (row.field == "slot" and row.at in portions):
            continue
        step = _change(row, order, later)
        # The stored names of times are the restaurant's; the order has the last one.
        time = slot_label(order) if times and row.at == max(times) else ""
        if row.field == "quantity" and row.at in times:
            title = _("%(change)s, at another time") % {"change": step.title}
            step = replace(step, title=f"{step.title}, {time}" if time else title)
        elif row.field == "slot" and time:
            step = replace(step, title=f"{step.title}: {time}")
        steps.append(step)
    return steps


def _change(change: PreOrderTransition, order: PreOrder, later: list[Held]) -> Step:
    if change.field == "slot":
        title = _("Time changed") if order.is_eaten_there else _("Pickup time changed")
        return _past(title, change.at, order)
    if change.field == "service_mode":
        eats_there = change.new == ServiceChoice.DINE_IN
        title = _("Changed to dine in") if eats_there else _("Changed to pickup")
        return _past(title, change.at, order)
    text = ngettext(
        "Changed from %(old)d portion to %(new)d",
        "Changed from %(old)d portions to %(new)d",
        int(change.old),
    )
    step = _past(text % {"old": int(change.old), "new": int(change.new)}, change.at, order)
    return replace(step, text=_new_hold(change, order, later))


def _new_hold(change: PreOrderTransition, order: PreOrder, later: list[Held]) -> str:
    """That the bank placed another hold for more portions, which is for just what they cost; empty
    if the hold in force covered them."""
    if int(change.new) <= int(change.old):
        return ""
    total = price_of_portions(order, int(change.new)).total.amount
    for number, (amount, at) in enumerate(later):
        if amount == total and at <= change.at + CLOCKS_DIFFER:
            del later[number]
            facts = {"total": formats.money(amount, order.offer.restaurant.currency)}
            says = _("Your bank placed a new hold of %(total)s, and we released the old one.")
            return says % facts
    return ""


def _new_hold_of(hold: Held, order: PreOrder) -> Step:
    """A hold that took the place of one that was released first or would have ended too early."""
    amount, at = hold
    total = formats.money(amount, order.offer.restaurant.currency)
    return _past(_("Your bank placed a new hold of %(total)s") % {"total": total}, at, order)


def _held(order: PreOrder, history: list[Any], holds: list[Held]) -> Step | None:
    """The first hold: one for more portions, or renewed, has a later `authorized_at`."""
    if order.payment_status in NOT_HELD:
        if order.status == PreOrderStatus.CANCELLED:
            return None
        return Step(_("Add a card"), text=_("Your card isn't held yet."), state=StepState.NOW)
    first = [row.at for row in history if row.new == PaymentStatus.AUTHORIZED][:1]
    known = [max(at, order.created_at) for at in (*first, order.authorized_at) if at]
    total = formats.money(holds[0][0], order.offer.restaurant.currency) if holds else ""
    title = _("Your bank placed a hold of %(total)s") if total else _("Your bank placed a hold")
    return _past(title % {"total": total}, min(known, default=None), order)


def _decided(order: PreOrder, special: Special) -> Step:
    offer = special.offer
    if offer.status == OfferStatus.SUCCEEDED:
        was_served = order.status == PreOrderStatus.FULFILLED or special.was_served
        title = _("It went ahead") if was_served else _("It's on")
        return _past(title, offer.decided_at or offer.deadline, order)
    if offer.status == OfferStatus.FAILED:
        failed = _past(_("Not enough guests ordered"), offer.decided_at or offer.deadline, order)
        return replace(failed, state=StepState.ENDED)
    waits = order.payment_status not in NOT_HELD
    state = StepState.NOW if waits else StepState.NEXT
    if not special.is_open:
        return Step(special.sentence, text=_("This takes up to ten minutes."), state=state)
    # What happens otherwise is said of early charges by the notice (DECISIONS X12).
    text = "" if order.payment_status in CHARGED else otherwise_of(order)
    when = _moment(offer.deadline, order)
    return Step(_if_it_is_on(order, special), when, text, state)


def _if_it_is_on(order: PreOrder, special: Special) -> str:
    """The decision and what it costs in one step, because both happen when orders close. The seats
    beside it say how many portions are missing."""
    if order.payment_status in CHARGED:  # early (DECISIONS X12)
        return _("Orders close")
    currency = order.offer.restaurant.currency
    total = formats.money(order.total_amount, currency)
    if special.offer.goes_ahead or not special.needed:
        return _("We'll charge your card %(total)s") % {"total": total}
    return _("If it's on, we'll charge your card %(total)s") % {"total": total}


def _money(order: PreOrder, special: Special) -> Step | None:
    currency = order.offer.restaurant.currency
    total = formats.money(order.total_amount, currency)
    match PaymentStatus(order.payment_status):
        case PaymentStatus.CAPTURED | PaymentStatus.REFUNDED:
            title = _("We charged your card %(total)s") % {"total": total}
            taken_back = _("Your bank took this payment back.") if order.disputed_amount else ""
            charged = _past(title, order.payment_processed_at, order)
            return replace(charged, text=taken_back or _refunded(order))
        case PaymentStatus.CAPTURE_FAILED:
            title = _("Your bank declined the charge")
            return Step(title, text=_("Pay with this or another card."), state=StepState.NOW)
    if special.offer.status in (OfferStatus.SUCCEEDED, OfferStatus.FAILED):
        return Step(_("We're charging your card %(total)s") % {"total": total}, state=StepState.NOW)
    if special.is_open:
        return None  # the decision's step says it
    return Step(_if_it_is_on(order, special), state=StepState.NEXT)


def _refunding(order: PreOrder) -> Step:
    left = order.total_amount - order.refunded_amount
    amount = formats.money(left, order.offer.restaurant.currency)
    return Step(_("We're refunding your %(amount)s") % {"amount": amount}, state=StepState.NOW)


def _refunded(order: PreOrder) -> str:
    if order.returned_amount:
        returned = formats.money(order.returned_amount, order.offer.restaurant.currency)
        return _("Our refund of %(amount)s didn't reach you.") % {"amount": returned}
    if not order.refunded_amount:
        return ""
    if order.refunded_amount >= order.total_amount:
        return _("All of it was refunded.")
    amount = formats.money(order.refunded_amount, order.offer.restaurant.currency)
    return _("%(amount)s of it was refunded.") % {"amount": amount}


def _pick_up(order: PreOrder, special: Special) -> Step:
    serving = order.serving
    when = serving.when
    match PreOrderStatus(order.status):
        case PreOrderStatus.FULFILLED:
            return Step(_("Served") if order.is_eaten_there else _("Picked up"), when)
        case PreOrderStatus.NO_SHOW:
            missed = _("You weren't there") if order.is_eaten_there else _("Not picked up")
            return Step(missed, when, state=StepState.ENDED)
    waits = order.status == PreOrderStatus.CONFIRMED and order.payment_status in CHARGED
    if waits and is_day_over(order, special.now):
        return Step(serving.mode, when)
    state = StepState.NOW if waits else StepState.NEXT
    return Step(serving.mode, when, state=state, notes=serving.notes)


def _cancelled(order: PreOrder, special: Special) -> list[Step | None]:
    canceled = cancellation_of_order(order)
    says = _("You canceled the order") if canceled.by_guest else _("The order was canceled")
    if special.offer.status == OfferStatus.DELETED and not canceled.by_guest:
        speaker = canceled.speaker(special.restaurant)
        says = _("%(name)s canceled the special") % {"name": speaker}
    ended = replace(_past(says, canceled.at, order), state=StepState.ENDED)
    if special.offer.status == OfferStatus.FAILED and not canceled.by_somebody:
        ended = _decided(order, special)
    match PaymentStatus(order.payment_status):
        case PaymentStatus.RELEASED if _was_declined(order, special):
            text = _("No other card was added in time. You paid nothing.")
            declined = Step(_("Your bank declined the charge"), text=text, state=StepState.ENDED)
            return [_decided(order, special), declined, ended]
        case PaymentStatus.RELEASED if hold_lapsed(order):
            text = _("Your order ended with it. You paid nothing.")
            lapsed = _past(_("Your bank's hold ended"), order.payment_processed_at, order)
            return [replace(lapsed, text=text, state=StepState.ENDED)]
        case PaymentStatus.RELEASED:
            money = _past(_("The hold was released"), order.payment_processed_at, order)
        case PaymentStatus.AUTHORIZED:
            # Nothing is left for the guest to do, so it isn't marked as their current step.
            money = Step(_("We're releasing the hold"), state=StepState.NEXT)
        case PaymentStatus.CAPTURED | PaymentStatus.REFUNDED:
            return [_money(order, special), ended]
        case _:
            money = Step(_("Nothing was charged"))
    return [ended, money]


def _was_declined(order: PreOrder, special: Special) -> bool:
    """Whether the order ended because the card was declined and nobody paid."""
    charged_for = special.offer.status == OfferStatus.SUCCEEDED or order.serves_alternative
    return charged_for and order.operations.filter(kind=OperationKind.CAPTURE).exists()


def _past(title: str, at: datetime | None, order: PreOrder) -> Step:
    return Step(title, _moment(at, order) if at else "", happened_at=at)


def _moment(at: datetime, order: PreOrder) -> str:
    return formats.moment(at, order.offer.restaurant.zone)
