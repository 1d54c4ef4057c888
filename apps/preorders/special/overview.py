"""The owner's page of one offer: everything it shows before, during, and after the deadline."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.presentation import Special
from apps.offers.selectors import offer_for_display
from apps.offers.states import DECIDED, UNDECIDED
from apps.preorders.core.outcome import OfferOutcome, outcome_of
from apps.preorders.core.portions import reserved_portions
from apps.preorders.core.referrals import ReferralTotals, referral_totals
from apps.preorders.models import WaitlistEntry
from apps.preorders.models.states import ON_WAITLIST
from apps.preorders.settlement.deadline import decision_now
from apps.preorders.special.rehearsal import Rehearsal, rehearse
from apps.preorders.special.rescue import latest_deadline, portions_to_keep
from apps.preorders.special.timeline import Timeline, timeline_of
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class RescueOptions:
    """What the owner can change now.

    `restaurant_portions_left` is the most portions the restaurant can reserve for itself, None
    without a maximum; `restaurant_portions_to_keep` is how many it can't take back.
    `latest_deadline` is None if the deadline can't move; `latest_reason` says why.
    """

    at_risk: bool
    goes_ahead: bool
    minimum: int
    suggested_minimum: int | None
    restaurant_portions: int
    restaurant_portions_left: int | None
    restaurant_portions_to_keep: int
    latest_deadline: datetime | None
    latest_reason: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The page's data: `rehearsal` until the decision, then `outcome`; neither if deleted."""

    special: Special
    rehearsal: Rehearsal | None
    outcome: OfferOutcome | None
    timeline: Timeline
    changes: list[OfferChange]
    rescue: RescueOptions | None
    shared: ReferralTotals
    waitlist: list[WaitlistEntry]  # the waitlist, in order


def offer_overview(*, restaurant: Restaurant, offer_id: UUID, now: datetime) -> Overview | None:
    """The data of an offer's page; None if the offer doesn't belong to the restaurant."""
    offer = offer_for_display(restaurant=restaurant, offer_id=offer_id)
    if offer is None:
        return None
    special = Special(offer, now)
    changes = list(OfferChange.objects.filter(offer=offer).order_by("at", "pk"))
    rehearsal = None
    if offer.status in UNDECIDED:
        rehearsal = rehearse(offer, decision_now(offer))
    return Overview(
        special=special,
        rehearsal=rehearsal,
        outcome=outcome_of(offer) if offer.status in DECIDED else None,
        timeline=timeline_of(offer, changes, now=now),
        changes=changes[::-1],
        rescue=_rescue_options(special, rehearsal) if rehearsal and special.is_open else None,
        shared=referral_totals(offer),
        waitlist=_waitlist(offer),
    )


def _waitlist(offer: SpecialOffer) -> list[WaitlistEntry]:
    if offer.max_preorders is None or offer.status in DECIDED:
        return []
    entries = WaitlistEntry.objects.filter(offer=offer, state__in=sorted(ON_WAITLIST))
    return list(entries.order_by("joined_at", "pk")[:500])


def _rescue_options(special: Special, rehearsal: Rehearsal) -> RescueOptions:
    offer = special.offer
    capacity = None
    if offer.max_preorders is not None:
        guests = reserved_portions(offer) - offer.restaurant_portions
        capacity = max(0, offer.max_preorders - guests)
    latest = latest_deadline(offer, special.now)
    can_lower = 0 < rehearsal.portions < offer.min_preorders
    return RescueOptions(
        at_risk=special.is_near and not rehearsal.goes_ahead,
        goes_ahead=offer.goes_ahead,
        minimum=offer.min_preorders,
        suggested_minimum=rehearsal.portions if can_lower else None,
        restaurant_portions=offer.restaurant_portions,
        restaurant_portions_left=capacity,
        restaurant_portions_to_keep=portions_to_keep(offer, special.now),
        latest_deadline=latest.moment if latest.moment > offer.deadline else None,
        latest_reason=latest.reason,
    )
