"""What an owner may do about an offer that is still open, and what each of it would bring
(decision 18): lower the minimum, go ahead anyway, take on house portions, extend the deadline.

An act is described by a value (`LowerMinimum(10)`); the same value is tried out by `try_rescue`,
which writes nothing, and carried out by `rescue_offer` under the offer's lock.
"""

from copy import copy
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, NoReturn
from uuid import UUID

from django.db import transaction
from django.db.models import Min

from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.offers.locks import UNKNOWN_OFFER, lock_offer
from apps.offers.models import OfferChange, PickupSlot, SpecialOffer
from apps.offers.states import OfferStatus
from apps.offers.validation import MAX_AUTHORIZATION_AGE
from apps.preorders.core.portions import recount, reserved_portions
from apps.preorders.emails.deadline_moved import queue_deadline_moved_emails
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus
from apps.preorders.settlement.deadline import decision_now
from apps.preorders.settlement.expiry import EXPIRY_MARGIN
from apps.preorders.settlement.payments import GRACE
from apps.preorders.special.rehearsal import Rehearsal, rehearse
from apps.restaurants.models import Restaurant

IS_OVER = "The deadline of {name} has passed. It is decided as it stood then."
Kind = OfferChange.Kind


@dataclass(frozen=True, slots=True)
class LowerMinimum:
    """Fewer portions are enough. It favours everybody who ordered (DECISIONS X10)."""

    minimum: int


@dataclass(frozen=True, slots=True)
class GoAhead:
    """The restaurant's word to cook whatever is booked; it cannot be taken back."""


@dataclass(frozen=True, slots=True)
class RestaurantPortions:
    """So many portions, in all, that the restaurant takes on itself; may go up and down."""

    portions: int


@dataclass(frozen=True, slots=True)
class Extend:
    """A later deadline, with notice to everybody whose card is held and a free way out."""

    until: datetime


RescueAction = LowerMinimum | GoAhead | RestaurantPortions | Extend


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest moment a deadline may be moved to, and what sets it."""

    moment: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class RescuePreview:
    """What an act would bring: in a sentence, and the rehearsal after it."""

    sentence: str
    rehearsal: Rehearsal


def rescue_offer(
    *, restaurant: Restaurant, offer_id: UUID, act: RescueAction, by: str, now: datetime
) -> SpecialOffer:
    """Carry out `act`, note it in the offer's history as done by `by`, and write the letters it
    needs. Doing again what is done already changes nothing and notes nothing.

    Raises NotFound, Conflict once the deadline has passed, and Invalid when the act asks for what
    may not be.
    """
    with transaction.atomic():
        offer = _open_offer(restaurant, offer_id, now=now, lock=True)
        change = _change(offer, act, now)
        if change is None:
            return offer
        _apply(offer, act)
        offer.save(update_fields=["min_preorders", "goes_ahead", "restaurant_portions", "deadline"])
        change.by, change.at = by[:100], now
        change.save(force_insert=True)
        recount(offer)
        if isinstance(act, Extend):
            queue_deadline_moved_emails(offer, now=now)
        return offer


def preview_rescue(
    *, restaurant: Restaurant, offer_id: UUID, act: RescueAction, now: datetime
) -> RescuePreview:
    """What `rescue_offer` would bring as things stand; refuses what that refuses."""
    offer = _open_offer(restaurant, offer_id, now=now)
    _change(offer, act, now)
    tried = copy(offer)
    _apply(tried, act)
    tried.reserved_portions += tried.restaurant_portions - offer.restaurant_portions
    rehearsal = rehearse(tried, decision_now(tried))
    return RescuePreview(_sentence(offer, tried, act, rehearsal), rehearsal)


def latest_deadline(offer: SpecialOffer, now: datetime) -> Latest:
    """How far the deadline may be moved: within the life of every hold there is and of those still
    to come, before the serve day ends and before the first pick-up. Whole minutes."""
    zone = offer.restaurant.zone
    end_of_day = datetime.combine(offer.serve_date + timedelta(days=1), time(), zone)
    limits = [
        Latest(now + MAX_AUTHORIZATION_AGE, "A card can be held for seven days."),
        Latest(end_of_day - timedelta(minutes=1), "It is served on that day."),
    ]
    first_slot = PickupSlot.objects.filter(offer=offer).aggregate(first=Min("starts_at"))["first"]
    if first_slot:
        limits.append(Latest(first_slot, "The first pick-up begins then."))
    held = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.AUTHORIZED)
    first_end = held.booked().aggregate(first=Min("capture_before"))["first"]
    if first_end:
        reason = "The first of your guests' holds ends soon after."
        limits.append(Latest(first_end - GRACE - EXPIRY_MARGIN, reason))
    latest = min(limits, key=lambda limit: limit.moment)
    return Latest(latest.moment.replace(second=0, microsecond=0), latest.reason)


# --- what may be ----------------------------------------------------------------------------------
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
        raise Conflict(IS_OVER.format(name=offer.name))
    return offer


def _change(offer: SpecialOffer, act: RescueAction, now: datetime) -> OfferChange | None:
    """The line of history this act writes; None when it changes nothing. Raises Invalid."""
    match act:
        case LowerMinimum(minimum):
            return _lowered(offer, minimum)
        case GoAhead():
            if offer.goes_ahead:
                return None
            return _line(offer, Kind.GOES_AHEAD, "Goes ahead, however many portions are booked")
        case RestaurantPortions(portions):
            return _restaurant_portions(offer, portions)
        case Extend(until):
            return _extended(offer, until, now)


def _line(offer: SpecialOffer, kind: OfferChange.Kind, detail: str, **also: Any) -> OfferChange:
    return OfferChange(
        offer=offer, restaurant_id=offer.restaurant_id, kind=kind, detail=detail, **also
    )


def _refuse(field: str, message: str) -> NoReturn:
    raise Invalid(message, fields=[FieldError(field, message)])


def _lowered(offer: SpecialOffer, minimum: int) -> OfferChange | None:
    was = offer.min_preorders
    if minimum == was:
        return None
    if minimum > was:
        _refuse(
            "minimum",
            f"The minimum is {was} and can only be lowered. Choose a number below it.",
        )
    detail = f"Minimum lowered from {was} to {minimum}"
    figures = {"portions_before": was, "portions_after": minimum}
    return _line(offer, Kind.MINIMUM_LOWERED, detail, **figures)


def _restaurant_portions(offer: SpecialOffer, portions: int) -> OfferChange | None:
    was = offer.restaurant_portions
    if portions == was:
        return None
    if portions > was and offer.max_preorders is not None:
        room = max(0, offer.max_preorders - (reserved_portions(offer) - was))
        if portions > room:
            most = f"Take on {room} or fewer." if room else "There is none left to take on."
            _refuse(
                "portions",
                f"Of your maximum of {offer.max_preorders}, guests have all but {room}. {most}",
            )
    detail = f"House portions changed from {was} to {portions}"
    figures = {"portions_before": was, "portions_after": portions}
    return _line(offer, Kind.RESTAURANT_PORTIONS, detail, **figures)


def _extended(offer: SpecialOffer, until: datetime, now: datetime) -> OfferChange | None:
    zone = offer.restaurant.zone
    if until == offer.deadline:
        return None
    old = formats.moment(offer.deadline, zone)
    if until < offer.deadline:
        _refuse("until", f"The deadline is {old}. Choose a later moment.")
    latest = latest_deadline(offer, now)
    if until > latest.moment:
        if latest.moment <= offer.deadline:
            _refuse("until", f"The deadline cannot be any later. {latest.reason}")
        most = formats.moment(latest.moment, zone)
        _refuse("until", f"The deadline can be moved to {most} at most. {latest.reason}")
    detail = f"Deadline extended from {old} to {formats.moment(until, zone)}"
    return _line(offer, Kind.EXTENDED, detail)


def _apply(offer: SpecialOffer, act: RescueAction) -> None:
    match act:
        case LowerMinimum(minimum):
            offer.min_preorders = minimum
        case GoAhead():
            offer.goes_ahead = True
        case RestaurantPortions(portions):
            offer.restaurant_portions = portions
        case Extend(until):
            offer.deadline = until


# --- what it would bring --------------------------------------------------------------------------
def _sentence(offer: SpecialOffer, tried: SpecialOffer, act: RescueAction, after: Rehearsal) -> str:
    count = formats.count
    match act:
        case LowerMinimum(minimum):
            so_far = f"{after.portions} of {offer.min_preorders} portions are booked"
            return f"{so_far}. Lower the minimum to {minimum}, and {_outcome(tried, after)}"
        case GoAhead():
            return (
                f"Give your word to cook, and {_outcome(tried, after)} "
                "Your guests see that it is on; you cannot take it back."
            )
        case RestaurantPortions(portions):
            taken = "no portions" if not portions else count(portions, "portion")
            return (
                f"Take on {taken} yourself, and {_outcome(tried, after)} "
                "Nobody is charged for yours."
            )
        case Extend(until):
            held = after.charged.orders + after.alternative.orders
            held += after.released.orders + after.refunded.orders
            moment = formats.moment(until, offer.restaurant.zone)
            told = (
                f"{count(held, 'guest')} {'is' if held == 1 else 'are'} told by mail and may "
                "cancel free of charge."
                if held
                else "Nobody has ordered yet, so nobody has to be told."
            )
            return f"Orders stay open until {moment}. {told} Nobody is charged before then."


def _outcome(tried: SpecialOffer, after: Rehearsal) -> str:
    """What the deadline would do, should nothing else change."""
    moment = formats.moment(tried.deadline, tried.restaurant.zone)
    if after.goes_ahead:
        cards = formats.count(after.charged.orders, "card")
        verb = "is" if after.charged.orders == 1 else "are"
        currency = tried.restaurant.currency
        gross = formats.money(after.sums.gross, currency)
        payout = formats.money(after.sums.payout, currency)
        return f"{cards} {verb} charged on {moment}: {gross}, of which {payout} is yours."
    if after.portions - after.restaurant_portions <= 0:
        return f"it goes ahead on {moment} if at least one guest has ordered by then."
    return f"it is still {formats.count(after.minimum - after.portions, 'portion')} short."
