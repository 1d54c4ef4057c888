"""The waitlist of a sold-out offer: who is next when portions open up (decision 29).

Whatever frees portions counts them under the offer's lock (`portions.recount`) and promotes the
waitlist in the same transaction. So a freed portion goes to the next guest before anyone else can
see it, and a reserved one counts as taken until it is ordered, given up or expires.
"""

from datetime import datetime, timedelta

from django.db.models import Sum

from apps.common import clock
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders import handoff
from apps.preorders.models import PreOrder, WaitingLetter, WaitingPlace
from apps.preorders.states import IN_LINE, WaitingState

# How long portions are reserved for an invited guest: half the time left to the deadline, so that
# the next one has a chance too, within these bounds and never past the deadline.
LONGEST_HOLD = timedelta(hours=2)
SHORTEST_HOLD = timedelta(minutes=15)


def held_until(offer: SpecialOffer, now: datetime) -> datetime:
    """Until when portions that open up now are reserved for the next guest."""
    kept_for = min(LONGEST_HOLD, max(SHORTEST_HOLD, (offer.deadline - now) / 2))
    return min(offer.deadline, now + kept_for)


def held_portions(offer: SpecialOffer) -> int:
    """Portions reserved for invited guests. An expired reservation counts until the waitlist is
    promoted again, because nobody else was told that its portions are free."""
    held = WaitingPlace.objects.filter(offer=offer, state=WaitingState.INVITED)
    return held.aggregate(total=Sum("portions"))["total"] or 0


def serve_line(offer: SpecialOffer, *, taken: int) -> int:
    """Expire unused reservations, invite the next guests that fit, and return how many portions are
    then reserved for the waitlist. `taken` counts the portions of orders and of the restaurant. The
    caller holds the offer's lock.

    A guest who waits for more portions than are free is passed over and keeps their place.
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
    """An invited guest's checkout ended without an order: reserve the portions for them again, for
    the rest of their time. The caller holds the offer's lock and recounts afterwards."""
    WaitingPlace.objects.filter(
        pre_order=order, state=WaitingState.TAKEN, held_until__gt=now
    ).update(state=WaitingState.INVITED, pre_order=None)


def queue_waiting_letter(place: WaitingPlace, kind: WaitingLetter.Kind, *, now: datetime) -> None:
    """Queue the email in the transaction that causes it; each kind once per entry."""
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
