"""Suspending a restaurant and restoring it (decision 85).

Status, specials, payouts, and emails are decided in one transaction. It locks the open specials,
then the restaurant, in the same order as settlement, which adds to the restaurant's revenue. An
order or a decision that has a special's lock comes before the suspension; a later order finds the
restaurant suspended, and publishing takes the restaurant's lock, so no special appears afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Sum

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import Payout
from apps.billing.payouts import continue_payouts
from apps.common import rls
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.money import Money
from apps.common.transitions import REASON_LENGTH, Allowed, Cause, transition
from apps.offers.locks import lock_offers
from apps.offers.models import SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.restaurants.emails import queue_restored_email, queue_suspended_email
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Restaurant, RestaurantTransition
from apps.restaurants.selectors import owner_addresses

Status = Restaurant.Status
ALLOWED: Allowed = {
    Status.ACTIVE: frozenset({Status.SUSPENDED}),
    Status.SUSPENDED: frozenset({Status.ACTIVE}),
}
BY_STAFF = "Fully Booked"  # the restaurant and its guests don't learn which of us it was
REASON_NEEDED = "Give the reason. The owners read it in their email."
REASON_TOO_LONG = f"Use at most {REASON_LENGTH} characters."
FOR_GUESTS_NEEDED = "Tell the guests why. They read it in their email."
FOR_GUESTS = "{restaurant} isn't taking orders on Fully Booked right now."
UNKNOWN = "We couldn't find that restaurant."
CLOSED_FOR_GOOD = (
    "{restaurant} was closed for good by its owner, so there's nothing to suspend or restore."
)


class OpenSpecials(StrEnum):
    """What happens to the specials that aren't decided yet."""

    RUN = "run"  # to their deadlines, for the guests who have ordered
    CANCEL = "cancel"  # every hold is released and every guest told


@dataclass(frozen=True, slots=True)
class Changed:
    """What a suspension did; `is_new` is False where the restaurant was already suspended."""

    restaurant: Restaurant
    is_new: bool
    specials: int = 0
    orders: int = 0


@dataclass(frozen=True, slots=True)
class OpenSpecial:
    """An undecided special with its orders whose money is held or charged."""

    offer: SpecialOffer
    orders: int
    portions: int
    held: Money


def suspend_restaurant(
    *,
    restaurant_id: UUID,
    reason: str,
    specials: OpenSpecials,
    guests_reason: str = "",
    now: datetime,
) -> Changed:
    """Take the restaurant's pages offline, stop new orders and specials, and hold its payouts.

    Its owners are emailed the `reason`. With CANCEL, its undecided specials are canceled, and their
    guests read `guests_reason`. Repeating it changes nothing, but a repetition with CANCEL cancels
    what was left to run, and tells the owners. Raises Invalid without a reason, NotFound, and
    Conflict for a restaurant that was closed for good.
    """
    reason = _on_one_line("reason", reason, REASON_NEEDED)
    with rls.acting_as(rls.PLATFORM), transaction.atomic():
        if specials is OpenSpecials.CANCEL:
            lock_offers(_undecided(restaurant_id))
        restaurant = _locked(restaurant_id)
        guests_reason = guests_reason or FOR_GUESTS.format(restaurant=restaurant.name)
        guests_reason = _on_one_line("guestsReason", guests_reason, FOR_GUESTS_NEEDED)
        cause = Cause("suspended", reason, BY_STAFF)
        is_new = transition(
            restaurant, "status", Status.SUSPENDED, allowed=ALLOWED, now=now, cause=cause
        )
        canceled = (
            _cancel_specials(restaurant, guests_reason, now)
            if specials is OpenSpecials.CANCEL
            else []
        )
        if is_new:
            _tell(restaurant, Kind.RESTAURANT_SUSPENDED, now, specials=str(specials))
        if is_new or canceled:
            for address in owner_addresses(restaurant):
                queue_suspended_email(
                    restaurant, to=address, reason=reason, canceled=bool(canceled)
                )
        return Changed(restaurant, is_new, len(canceled), sum(canceled))


def restore_restaurant(*, restaurant_id: UUID, now: datetime) -> Changed:
    """End the suspension: pages, orders, specials, and payouts continue. What was canceled stays
    so.

    Restoring an active restaurant changes nothing. Raises NotFound, and Conflict for a restaurant
    that was closed for good.
    """
    with rls.acting_as(rls.PLATFORM), transaction.atomic():
        restaurant = _locked(restaurant_id)
        cause = Cause("restored", actor=BY_STAFF)
        is_new = transition(
            restaurant, "status", Status.ACTIVE, allowed=ALLOWED, now=now, cause=cause
        )
        if is_new:
            continue_payouts(restaurant=restaurant, now=now)
            _tell(restaurant, Kind.RESTAURANT_RESTORED, now)
            for address in owner_addresses(restaurant):
                queue_restored_email(restaurant, to=address)
        return Changed(restaurant, is_new)


def open_specials(restaurant: Restaurant) -> list[OpenSpecial]:
    """What a suspension has to decide about, next deadline first. The caller acts as the
    platform."""
    offers = SpecialOffer.objects.filter(restaurant=restaurant, status__in=sorted(UNDECIDED))
    found = list(offers.order_by("deadline", "pk"))
    paid = PreOrder.objects.filter(
        offer__in=found, payment_status__in=(PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED)
    )
    sums = paid.values("offer").annotate(
        orders=Count("pk"), portions=Sum("quantity"), total=Sum("total_amount")
    )
    by_offer = {row["offer"]: row for row in sums}
    return [_with_orders(offer, by_offer.get(offer.pk)) for offer in found]


def waiting_payouts(restaurant: Restaurant) -> list[Payout]:
    """Payouts that Stripe wasn't asked for yet."""
    pending = Payout.objects.filter(
        restaurant=restaurant, status=Payout.Status.PENDING, payout_id=None
    )
    return list(pending.order_by("created_at"))


def status_changes(restaurant: Restaurant) -> list[RestaurantTransition]:
    """When it was suspended and restored, newest first."""
    return list(restaurant.transitions.filter(field="status").order_by("-at", "-pk"))


def _locked(restaurant_id: UUID) -> Restaurant:
    # no_key: orders refer to the restaurant, and inserting them needn't wait.
    found = Restaurant.objects.select_for_update(no_key=True).filter(pk=restaurant_id).first()
    if found is None:
        raise NotFound(UNKNOWN)
    if found.status == Status.INACTIVE:
        message = CLOSED_FOR_GOOD.format(restaurant=found.name)
        raise Conflict(message, code=ErrorCode.CONFLICT)
    return found


def _on_one_line(field: str, text: str, missing: str) -> str:
    words = " ".join(text.replace("\0", "").split())
    if not words:
        raise Invalid.because([FieldError(field, missing)])
    if len(words) > REASON_LENGTH:
        raise Invalid.because([FieldError(field, REASON_TOO_LONG)])
    return words


def _undecided(restaurant_id: UUID) -> list[UUID]:
    offers = SpecialOffer.objects.filter(restaurant_id=restaurant_id, status__in=sorted(UNDECIDED))
    return list(offers.order_by("pk").values_list("pk", flat=True))


def _cancel_specials(restaurant: Restaurant, reason: str, now: datetime) -> list[int]:
    """Cancel what isn't decided; returns how many orders ended with each special."""
    return [
        cancel_offer(
            restaurant=restaurant,
            offer_id=offer_id,
            reason=reason,
            by=BY_STAFF,
            now=now,
            by_platform=True,
        ).orders
        for offer_id in _undecided(restaurant.pk)
    ]


def _tell(restaurant: Restaurant, kind: Kind, now: datetime, **details: Any) -> None:
    record(kind, restaurant=restaurant, now=now, **details)
    transaction.on_commit(partial(_forget_hosts, restaurant))


def _forget_hosts(restaurant: Restaurant) -> None:
    with rls.acting_as(rls.PLATFORM):
        forget_hosts(restaurant)


def _with_orders(offer: SpecialOffer, sums: Mapping[str, Any] | None) -> OpenSpecial:
    if sums is None:
        return OpenSpecial(offer, 0, 0, Money(0))
    return OpenSpecial(offer, sums["orders"], sums["portions"], Money.of(sums["total"]))
