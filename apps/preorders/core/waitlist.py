"""The line for a full offer: whose turn it is when portions come free (decision 29).

Whatever frees portions counts them under the offer's lock (`portions.recount`), and the line is
served in that same transaction. So a freed portion is the next diner's before anybody else can see
it, and what is kept for somebody counts as taken until it is ordered, left or lapses.
"""

from datetime import datetime, timedelta

from django.db.models import Sum

from apps.common import clock
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core import jobs
from apps.preorders.models import PreOrder, WaitlistEmail, WaitlistEntry
from apps.preorders.models.states import ON_WAITLIST, WaitlistStatus

# How long portions are kept for an invited diner: half of what is left to the deadline, so that the
# next one has a chance too, within these bounds and never beyond the deadline.
MAX_INVITATION = timedelta(hours=2)
MIN_INVITATION = timedelta(minutes=15)


def reserved_until_for(offer: SpecialOffer, now: datetime) -> datetime:
    """Until when portions that come free now are kept for the next in line."""
    kept_for = min(MAX_INVITATION, max(MIN_INVITATION, (offer.deadline - now) / 2))
    return min(offer.deadline, now + kept_for)


def invited_portions(offer: SpecialOffer) -> int:
    """Portions kept for invited diners. One whose time has passed keeps them until the line is
    served again: nobody else was told that they are free."""
    held = WaitlistEntry.objects.filter(offer=offer, state=WaitlistStatus.INVITED)
    return held.aggregate(total=Sum("portions"))["total"] or 0


def promote_waitlist(offer: SpecialOffer, *, taken: int) -> int:
    """Lapse what was not used, invite whoever is next and fits, and answer how many portions are
    kept for the line then. `taken` are the portions of orders and of the house. The caller holds
    the offer's lock.

    The first in line who fits is invited: one who waits for more than is free is passed over, and
    keeps the place.
    """
    places = list(
        WaitlistEntry.objects.filter(offer=offer, state__in=sorted(ON_WAITLIST)).order_by(
            "joined_at", "pk"
        )
    )
    if not places:
        return 0
    now = clock.now()
    if offer.status != OfferStatus.ACTIVE or now >= offer.deadline:
        _move(places, WaitlistStatus.ENDED)
        return 0
    lapsed = [each for each in places if _has_lapsed(each, now)]
    _move(lapsed, WaitlistStatus.LAPSED)
    held = sum(each.portions for each in places if each.state == WaitlistStatus.INVITED)
    for place in places:
        if place.state == WaitlistStatus.WAITING and _fits(place, offer, taken + held):
            _invite(place, offer, now)
            held += place.portions
    return held


def return_to_waitlist(order: PreOrder, *, now: datetime) -> None:
    """The checkout of an invited diner ended without an order: the portions are theirs again, as
    long as they were to be kept. The caller holds the offer's lock and counts afterwards."""
    WaitlistEntry.objects.filter(
        pre_order=order, state=WaitlistStatus.TAKEN, reserved_until__gt=now
    ).update(state=WaitlistStatus.INVITED, pre_order=None)


def queue_waitlist_email(place: WaitlistEntry, kind: WaitlistEmail.Kind, *, now: datetime) -> None:
    """Write the letter down with the decision that causes it; each kind once per place."""
    letter, is_new = WaitlistEmail.objects.get_or_create(
        place=place, kind=kind, defaults={"restaurant_id": place.restaurant_id, "due_at": now}
    )
    if is_new:
        jobs.send_email(letter.pk)


def _has_lapsed(place: WaitlistEntry, now: datetime) -> bool:
    is_invited = place.state == WaitlistStatus.INVITED
    return is_invited and (place.reserved_until is None or place.reserved_until <= now)


def _fits(place: WaitlistEntry, offer: SpecialOffer, taken: int) -> bool:
    return offer.max_preorders is None or place.portions <= offer.max_preorders - taken


def _invite(place: WaitlistEntry, offer: SpecialOffer, now: datetime) -> None:
    place.state, place.reserved_until = WaitlistStatus.INVITED, reserved_until_for(offer, now)
    place.save(update_fields=["state", "reserved_until"])
    queue_waitlist_email(place, WaitlistEmail.Kind.INVITED, now=now)


def _move(places: list[WaitlistEntry], state: WaitlistStatus) -> None:
    if places:
        keys = [place.pk for place in places]
        WaitlistEntry.objects.filter(pk__in=keys).update(state=state)
        for place in places:
            place.state = state
