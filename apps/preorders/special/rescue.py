"""Helps an open offer succeed: lower the minimum, guarantee it, add restaurant portions, extend it.

An action is a value such as `LowerMinimum(10)`. `preview_rescue` previews it and writes nothing;
`rescue_offer` executes the same value under the offer's lock (decision 18).
"""

from copy import copy
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, NoReturn
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, Min, OuterRef, Q

from apps.activity import kinds
from apps.activity.services import record
from apps.common import formats
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.integrations.event_types import EventType
from apps.offers.locks import UNKNOWN_OFFER, lock_offer
from apps.offers.models import OfferChange, PickupSlot, SpecialOffer
from apps.offers.states import OfferStatus
from apps.offers.validation import MAX_OPEN_TIME
from apps.offers.webhook_events import publish_special_event
from apps.preorders.core.decision import is_met
from apps.preorders.core.email_queue import queue_emails_again
from apps.preorders.core.portions import ordered_portions, recount, reserved_portions
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CHECKOUT_GRACE,
    EmailKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
)
from apps.preorders.settlement.deadline import decision_now
from apps.preorders.settlement.expiry import SETTLEMENT_MARGIN
from apps.preorders.special.rehearsal import Rehearsal, rehearse
from apps.restaurants.models import Restaurant

DEADLINE_PASSED = "The deadline for {name} has passed, so you can't change it anymore."
Kind = OfferChange.Kind
LAST_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LowerMinimum:
    """Require fewer portions, which favors everyone who ordered (DECISIONS X10)."""

    minimum: int


@dataclass(frozen=True, slots=True)
class GoAhead:
    """Guarantee the offer, however few portions are ordered; this can't be undone."""


@dataclass(frozen=True, slots=True)
class RestaurantPortions:
    """Set the total portions that the restaurant reserves for itself, up or down."""

    portions: int


@dataclass(frozen=True, slots=True)
class Extend:
    """Move the deadline later; guests whose card is held or charged are told and can cancel for
    free."""

    until: datetime


RescueAction = LowerMinimum | GoAhead | RestaurantPortions | Extend


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest possible deadline, and why."""

    moment: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class RescuePreview:
    """The preview of an action: a sentence, and the rehearsal after it."""

    sentence: str
    rehearsal: Rehearsal


def rescue_offer(
    *, restaurant: Restaurant, offer_id: UUID, action: RescueAction, by: str, now: datetime
) -> SpecialOffer:
    """Execute `action`, record it in the offer's history as done by `by`, and queue its emails.

    Repeating an action has no further effect. Raises NotFound, Conflict once the deadline has
    passed, and Invalid if the action isn't possible.
    """
    with transaction.atomic():
        offer = _open_offer(restaurant, offer_id, now=now, lock=True)
        change = _change(offer, action, now)
        if change is None:
            return offer
        _apply(offer, action)
        offer.save(update_fields=["min_preorders", "goes_ahead", "restaurant_portions", "deadline"])
        change.by, change.at = by[:100], now
        change.save(force_insert=True)
        about = ("special", offer.pk)
        kind = kinds.Kind.SPECIAL_RESCUED
        record(kind, restaurant=restaurant, about=about, change=change.kind, now=now)
        publish_special_event(offer, EventType.SPECIAL_CHANGED, now=now)
        recount(offer, now=now)
        if isinstance(action, Extend):
            # Everybody whose card is held or was charged early is told, and can cancel for free.
            counted = list(PreOrder.objects.filter(offer=offer).counted().order_by("pk"))
            queue_emails_again(counted, EmailKind.EXTENDED, now=now)
        return offer


def preview_rescue(
    *, restaurant: Restaurant, offer_id: UUID, action: RescueAction, now: datetime
) -> RescuePreview:
    """Preview `rescue_offer`; raises the same errors."""
    offer = _open_offer(restaurant, offer_id, now=now)
    _change(offer, action, now)
    tried = copy(offer)
    _apply(tried, action)
    tried.reserved_portions += tried.restaurant_portions - offer.restaurant_portions
    rehearsal = rehearse(tried, decision_now(tried))
    return RescuePreview(_sentence(offer, tried, action, rehearsal), rehearsal)


def latest_deadline(offer: SpecialOffer, now: datetime) -> Latest:
    """The latest possible deadline, in whole minutes.

    It must be before existing and future holds expire, within seven days of the first early charge,
    before the serve date ends and before the first pickup.
    """
    zone = offer.restaurant.zone
    end_of_day = datetime.combine(offer.serve_date + timedelta(days=1), time(), zone)
    limits = [
        Latest(now + MAX_OPEN_TIME, "A card can be held for seven days."),
        Latest(end_of_day - timedelta(minutes=1), "It's served that day."),
    ]
    first_slot = PickupSlot.objects.filter(offer=offer).aggregate(first=Min("starts_at"))["first"]
    if first_slot:
        limits.append(Latest(first_slot, "The first pickup starts then."))
    held = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.AUTHORIZED)
    charged = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.CAPTURED)
    first_charge = charged.counted().aggregate(first=Min("payment_processed_at"))["first"]
    if first_charge:
        reason = "A card was charged early, and its guest can wait seven days at most."
        limits.append(Latest(first_charge + MAX_OPEN_TIME, reason))
    first_end = held.counted().aggregate(first=Min("capture_before"))["first"]
    if first_end:
        reason = "The first card hold expires soon after that."
        limits.append(Latest(first_end - CHECKOUT_GRACE - SETTLEMENT_MARGIN, reason))
    latest = min(limits, key=lambda limit: limit.moment)
    return Latest(latest.moment.replace(second=0, microsecond=0), latest.reason)


# --- validation -----------------------------------------------------------------------------------
def _open_offer(
    restaurant: Restaurant, offer_id: UUID, *, now: datetime, lock: bool = False
) -> SpecialOffer:
    try:
        offer = (
            lock_offer(offer_id)
            if lock
            else SpecialOffer.objects.select_related("restaurant").get(pk=offer_id)
        )
    except SpecialOffer.DoesNotExist:
        raise NotFound(UNKNOWN_OFFER) from None
    if offer.restaurant_id != restaurant.pk or offer.status == OfferStatus.DELETED:
        raise NotFound(UNKNOWN_OFFER)
    if offer.status != OfferStatus.ACTIVE or now >= offer.deadline:
        raise Conflict(DEADLINE_PASSED.format(name=offer.name), code=ErrorCode.DEADLINE_PASSED)
    return offer


def _change(offer: SpecialOffer, action: RescueAction, now: datetime) -> OfferChange | None:
    """The history entry of this action; None if it changes nothing. Raises Invalid."""
    match action:
        case LowerMinimum(minimum):
            return _minimum_change(offer, minimum)
        case GoAhead():
            if offer.goes_ahead:
                return None
            return _history_entry(
                offer, Kind.GOES_AHEAD, "Guaranteed, no matter how many guests order"
            )
        case RestaurantPortions(portions):
            return _restaurant_portions_change(offer, portions, now)
        case Extend(until):
            return _deadline_change(offer, until, now)


def _history_entry(
    offer: SpecialOffer, kind: OfferChange.Kind, detail: str, **also: Any
) -> OfferChange:
    return OfferChange(
        offer=offer, restaurant_id=offer.restaurant_id, kind=kind, detail=detail, **also
    )


def _refuse(field: str, message: str) -> NoReturn:
    raise Invalid(message, fields=[FieldError(field, message)])


def _minimum_change(offer: SpecialOffer, minimum: int) -> OfferChange | None:
    was = offer.min_preorders
    if minimum == was:
        return None
    if minimum > was:
        _refuse(
            "minimum",
            f"The minimum is {was} and can only be lowered. Enter a smaller number.",
        )
    detail = f"Minimum lowered from {was} to {minimum}"
    figures = {"portions_before": was, "portions_after": minimum}
    return _history_entry(offer, Kind.MINIMUM_LOWERED, detail, **figures)


def portions_to_keep(offer: SpecialOffer, now: datetime) -> int:
    """The restaurant portions that can't be taken back; zero while all of them can.

    Portions that the minimum needs must stay once a card was charged because of them (DECISIONS
    X12), and in the last day before the deadline, when guests have read that it's on: taking them
    back would raise the minimum.
    """
    if offer.goes_ahead or not offer.restaurant_portions:
        return 0
    guests = ordered_portions(offer)
    if not guests:
        return 0
    counted_on = offer.deadline - now < LAST_DAY and is_met(offer, guests)
    if not (counted_on or _has_early_charge(offer)):
        return 0
    return min(offer.restaurant_portions, max(0, offer.min_preorders - guests))


def _has_early_charge(offer: SpecialOffer) -> bool:
    counted = PreOrder.objects.filter(offer=offer).counted()
    under_way = Exists(
        PaymentOperation.objects.filter(
            pre_order=OuterRef("pk"), kind=OperationKind.CAPTURE, state=OperationStatus.PENDING
        )
    )
    return counted.filter(Q(payment_status=PaymentStatus.CAPTURED) | under_way).exists()


def _restaurant_portions_change(
    offer: SpecialOffer, portions: int, now: datetime
) -> OfferChange | None:
    was = offer.restaurant_portions
    if portions == was:
        return None
    keep = portions_to_keep(offer, now)
    if portions < keep:
        reason = (
            "A guest's card was charged early because your portions met the minimum."
            if _has_early_charge(offer)
            else "Guests have already been told it's on, and the deadline is less than a day away."
        )
        _refuse("portions", f"{reason} Enter {keep} or more.")
    if portions > was and offer.max_preorders is not None:
        capacity = max(0, offer.max_preorders - (reserved_portions(offer) - was))
        if portions > capacity:
            message = (
                f"Guests have ordered all but {capacity} of your {offer.max_preorders} portions. "
                f"Enter {capacity} or fewer."
                if capacity
                else f"Guests have ordered all of your {offer.max_preorders} portions."
            )
            _refuse("portions", message)
    detail = f"Restaurant portions changed from {was} to {portions}"
    figures = {"portions_before": was, "portions_after": portions}
    return _history_entry(offer, Kind.RESTAURANT_PORTIONS, detail, **figures)


def _deadline_change(offer: SpecialOffer, until: datetime, now: datetime) -> OfferChange | None:
    zone = offer.restaurant.zone
    if until == offer.deadline:
        return None
    old = formats.moment(offer.deadline, zone)
    if until < offer.deadline:
        _refuse("until", f"The deadline is {old}. Choose a later time.")
    latest = latest_deadline(offer, now)
    if until > latest.moment:
        if latest.moment <= offer.deadline:
            _refuse("until", f"The deadline can't be any later. {latest.reason}")
        most = formats.moment(latest.moment, zone)
        _refuse("until", f"The deadline can be {most} at the latest. {latest.reason}")
    detail = f"Deadline extended from {old} to {formats.moment(until, zone)}"
    return _history_entry(offer, Kind.EXTENDED, detail)


def _apply(offer: SpecialOffer, action: RescueAction) -> None:
    match action:
        case LowerMinimum(minimum):
            offer.min_preorders = minimum
        case GoAhead():
            offer.goes_ahead = True
        case RestaurantPortions(portions):
            offer.restaurant_portions = portions
        case Extend(until):
            offer.deadline = until


# --- preview --------------------------------------------------------------------------------------
def _sentence(
    offer: SpecialOffer, tried: SpecialOffer, action: RescueAction, after: Rehearsal
) -> str:
    count = formats.count
    match action:
        case LowerMinimum(minimum):
            so_far = f"{after.portions} of {count(offer.min_preorders, 'portion')} ordered"
            return f"{so_far}. Lower the minimum to {minimum}, and {_outcome(tried, after)}"
        case GoAhead():
            return (
                f"Guarantee it, and {_outcome(tried, after)} "
                "Your guests will see that it's on. You can't undo this."
            )
        case RestaurantPortions(portions):
            reserved = (
                f"With {count(portions, 'restaurant portion')}"
                if portions
                else "No restaurant portions"
            )
            joined = "," if portions else ":"
            free = "No one is charged for restaurant portions."
            return f"{reserved}{joined} {_outcome(tried, after)} {free}"
        case Extend(until):
            held = after.charged.orders + after.alternative.orders
            held += after.released.orders + after.refunded.orders
            moment = formats.moment(until, offer.restaurant.zone)
            sentence = (
                f"We'll email {count(held, 'guest')}, who can cancel for free."
                if held
                else "No one has ordered yet, so we won't email anyone."
            )
            return f"Orders stay open until {moment}. {sentence} No one is charged before then."


def _outcome(tried: SpecialOffer, after: Rehearsal) -> str:
    """What the deadline would do if nothing else changes."""
    moment = formats.moment(tried.deadline, tried.restaurant.zone)
    if after.goes_ahead:
        cards = formats.count(after.charged.orders, "card")
        verb = "is" if after.charged.orders == 1 else "are"
        currency = tried.restaurant.currency
        gross = formats.money(after.sums.gross, currency)
        payout = formats.money(after.sums.payout, currency)
        tax = f", including {formats.money(after.sums.tax, currency)} sales tax you owe"
        return (
            f"{cards} {verb} charged on {moment}: {gross}, of which you receive {payout}"
            f"{tax if after.sums.tax.cents else ''}."
        )
    if after.portions - after.restaurant_portions <= 0:
        return f"it goes ahead on {moment} if at least one guest has ordered by then."
    return f"it's still {formats.count(after.minimum - after.portions, 'portion')} short."
