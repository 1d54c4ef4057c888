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
from apps.preorders import handoff
from apps.preorders.models import PreOrder, WaitingLetter, WaitingPlace
from apps.preorders.states import IN_LINE, WaitingState

# How long portions are kept for an invited diner: half of what is left to the deadline, so that the
# next one has a chance too, within these bounds and never beyond the deadline.
LONGEST_HOLD = timedelta(hours=2)
SHORTEST_HOLD = timedelta(minutes=15)


def held_until(offer: SpecialOffer, now: datetime) -> datetime:
    """Until when portions that come free now are kept for the next in line."""
    kept_for = min(LONGEST_HOLD, max(SHORTEST_HOLD, (offer.deadline - now) / 2))
    return min(offer.deadline, now + kept_for)


def held_portions(offer: SpecialOffer) -> int:
    """Portions kept for invited diners. One whose time has passed keeps them until the line is
    served again: nobody else was told that they are free."""
    held = WaitingPlace.objects.filter(offer=offer, state=WaitingState.INVITED)
    return held.aggregate(total=Sum("portions"))["total"] or 0


def serve_line(offer: SpecialOffer, *, taken: int) -> int:
    """Lapse what was not used, invite whoever is next and fits, and answer how many portions are
    kept for the line then. `taken` are the portions of orders and of the house. The caller holds
    the offer's lock.

    The first in line who fits is invited: one who waits for more than is free is passed over, and
    keeps the place.
    """
    places = list(
        WaitingPlace.objects.filter(offer=offer, state__in=sorted(IN_LINE)).order_by(
            "joined_at", "pk"
        )
    )
    if not places:
        return 0
    now = clock.now()
    if offer.status != OfferStatus.ACTIVE or now >= offer.deadline:
        _move(places, WaitingState.ENDED)
        return 0
    lapsed = [each for each in places if _has_lapsed(each, now)]
    _move(lapsed, WaitingState.LAPSED)
    held = sum(each.portions for each in places if each.state == WaitingState.INVITED)
    for place in places:
        if place.state == WaitingState.WAITING and _fits(place, offer, taken + held):
            _invite(place, offer, now)
            held += place.portions
    return held


def keep_place(order: PreOrder, *, now: datetime) -> None:
    """The checkout of an invited diner ended without an order: the portions are theirs again, as
    long as they were to be kept. The caller holds the offer's lock and counts afterwards."""
    WaitingPlace.objects.filter(
        pre_order=order, state=WaitingState.TAKEN, held_until__gt=now
    ).update(state=WaitingState.INVITED, pre_order=None)


def queue_waiting_letter(place: WaitingPlace, kind: WaitingLetter.Kind, *, now: datetime) -> None:
    """Write the letter down with the decision that causes it; each kind once per place."""
    letter, is_new = WaitingLetter.objects.get_or_create(
        place=place, kind=kind, defaults={"restaurant_id": place.restaurant_id, "due_at": now}
    )
    if is_new:
        handoff.send_mail(letter.pk)


def _has_lapsed(place: WaitingPlace, now: datetime) -> bool:
    is_invited = place.state == WaitingState.INVITED
    return is_invited and (place.held_until is None or place.held_until <= now)


def _fits(place: WaitingPlace, offer: SpecialOffer, taken: int) -> bool:
    return offer.max_preorders is None or place.portions <= offer.max_preorders - taken


def _invite(place: WaitingPlace, offer: SpecialOffer, now: datetime) -> None:
    place.state, place.held_until = WaitingState.INVITED, held_until(offer, now)
    place.save(update_fields=["state", "held_until"])
    queue_waiting_letter(place, WaitingLetter.Kind.INVITED, now=now)


def _move(places: list[WaitingPlace], state: WaitingState) -> None:
    if places:
        keys = [place.pk for place in places]
        WaitingPlace.objects.filter(pk__in=keys).update(state=state)
        for place in places:
            place.state = state
