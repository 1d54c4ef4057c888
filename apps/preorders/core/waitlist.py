"""The waitlist of a sold-out offer: who is next when portions open up (decision 29).

Whatever frees portions counts them under the offer's lock (`portions.recount`) and promotes the
waitlist in the same transaction. So a freed portion goes to the next guest before anyone else can
see it, and a reserved one counts as taken until it is ordered, given up, or expires.
"""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, F, QuerySet, Sum
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core import jobs
from apps.preorders.core.email_queue import queue_waitlist_email
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.querysets import sum_of
from apps.preorders.models.states import ON_WAITLIST, EmailKind, WaitlistStatus
from apps.restaurants.models import Restaurant

# How long portions are reserved for an invited guest: half the time left to the deadline, so that
# the next one has a chance too, within these bounds and never past the deadline. Each invitation
# that was not used halves the upper bound: invented addresses can't keep freed portions for long.
MAX_INVITATION = timedelta(hours=2)
MIN_INVITATION = timedelta(minutes=15)


def reserved_until_for(offer: SpecialOffer, now: datetime) -> datetime:
    """Until when portions that open up now are reserved for the next guest."""
    unused = WaitlistEntry.objects.filter(offer=offer, state=WaitlistStatus.LAPSED).count()
    longest: timedelta = max(MIN_INVITATION, MAX_INVITATION / (1 << min(unused, 10)))
    return now + min(longest, _longest_invitation(offer, now))


def _longest_invitation(offer: SpecialOffer, now: datetime) -> timedelta:
    left: timedelta = offer.deadline - now
    return min(MAX_INVITATION, max(MIN_INVITATION, left / 2), left)


def time_to_order(offer: SpecialOffer, now: datetime) -> str:
    """`2 hours`, `45 minutes`: for how long portions are reserved at most."""
    minutes = max(1, _longest_invitation(offer, now) // timedelta(minutes=1))
    if minutes % 60 == 0:
        hours = minutes // 60
        return ngettext("%(number)d hour", "%(number)d hours", hours) % {"number": hours}
    return ngettext("%(number)d minute", "%(number)d minutes", minutes) % {"number": minutes}


def waitlist_sentence(entry: WaitlistEntry) -> str:
    """`You're number 2 on the waitlist`: how many wait before a guest who waits, and the guest."""
    number = position_of(entry)
    if number == 1:
        return _("You're next on the waitlist")
    return _("You're number\u00a0%(number)d on the waitlist") % {"number": number}


def position_of(entry: WaitlistEntry) -> int:
    """The position of a guest who waits, from 1."""
    return _waiting(entry.offer_id, before=entry).count() + 1


def most_to_wait_for(offer: SpecialOffer) -> int:
    """The most portions that a guest can wait for: more can never come free at once."""
    most = offer.max_per_order
    return most if offer.max_preorders is None else min(most, offer.max_preorders)


class Ahead(NamedTuple):
    """Who waits before a guest: how many guests, and for how many portions in all."""

    portions: int
    guests: int


def who_is_ahead(offer_id: UUID, *, of: WaitlistEntry | None = None) -> Ahead:
    """Who waits before the guest of an entry, or before one who joins now."""
    waiting = _waiting(offer_id, before=of)
    ahead = waiting.aggregate(portions=Sum("portions", default=0), guests=Count("pk"))
    return Ahead(**ahead)


def guests_ahead(ahead: Ahead) -> str:
    """`3 guests are ahead of you, with 5 portions.`"""
    return ngettext(
        "%(number)d guest is ahead of you, with %(portions)s.",
        "%(number)d guests are ahead of you, with %(portions)s.",
        ahead.guests,
    ) % {"number": ahead.guests, "portions": formats.portions(ahead.portions)}


def _waiting(offer_id: UUID, *, before: WaitlistEntry | None) -> QuerySet[WaitlistEntry]:
    waiting = WaitlistEntry.objects.filter(offer_id=offer_id, state=WaitlistStatus.WAITING)
    return waiting.filter(joined_at__lt=before.joined_at) if before else waiting


def invited_portions(offer_id: UUID) -> Combinable:
    """Portions reserved for invited guests, as a part of a query.

    An expired reservation counts until the waitlist is promoted again, because nobody else was told
    that its portions are free.
    """
    held = WaitlistEntry.objects.filter(offer=offer_id, state=WaitlistStatus.INVITED)
    return sum_of(held.values("offer"), F("portions"))


def promote_waitlist(offer: SpecialOffer, *, taken: int, now: datetime) -> int:
    """Expire unused reservations, invite the next guests that fit, and return how many portions are
    then reserved for the waitlist. `taken` counts the portions of orders and of the restaurant. The
    caller holds the offer's lock.

    A guest who waits for more portions than are free is passed over and keeps their place.
    """
    entries = list(
        WaitlistEntry.objects.filter(offer=offer, state__in=sorted(ON_WAITLIST)).order_by(
            "joined_at", "pk"
        )
    )
    if not entries:
        return 0
    if offer.status != OfferStatus.ACTIVE or now >= offer.deadline:
        _end(entries, WaitlistStatus.ENDED)
        return 0
    lapsed = [each for each in entries if _has_lapsed(each, now)]
    _end(lapsed, WaitlistStatus.LAPSED)
    held = sum(each.portions for each in entries if each.state == WaitlistStatus.INVITED)
    if offer.restaurant.status != Restaurant.Status.ACTIVE:
        return held  # suspended: nobody can order, so nobody is invited
    for entry in entries:
        if entry.state == WaitlistStatus.WAITING and _fits(entry, offer, taken + held):
            _invite(entry, offer, now)
            held += entry.portions
    return held


def end_waitlist(offer: SpecialOffer, *, now: datetime) -> None:
    """The special is canceled: end its waitlist and tell everybody on it. The caller holds the
    offer's lock."""
    waiting = WaitlistEntry.objects.filter(offer=offer, state__in=sorted(ON_WAITLIST))
    entries = list(waiting.order_by("joined_at", "pk"))
    _end(entries, WaitlistStatus.ENDED)
    with jobs.batched_emails():
        for entry in entries:
            queue_waitlist_email(entry, EmailKind.WAITLIST_ENDED, now=now)


def return_to_waitlist(order: PreOrder, *, now: datetime) -> None:
    """An invited guest's checkout ended without an order: reserve the portions for them again, for
    the rest of their time, if there is any. The caller holds the offer's lock and recounts
    afterwards."""
    taken = WaitlistEntry.objects.filter(pre_order=order, state=WaitlistStatus.TAKEN)
    taken.filter(reserved_until__gt=now).update(state=WaitlistStatus.INVITED, pre_order=None)
    taken.update(state=WaitlistStatus.LAPSED, pre_order=None)


def _has_lapsed(entry: WaitlistEntry, now: datetime) -> bool:
    is_invited = entry.state == WaitlistStatus.INVITED
    return is_invited and (entry.reserved_until is None or entry.reserved_until <= now)


def _fits(entry: WaitlistEntry, offer: SpecialOffer, taken: int) -> bool:
    return offer.max_preorders is None or entry.portions <= offer.max_preorders - taken


def _invite(entry: WaitlistEntry, offer: SpecialOffer, now: datetime) -> None:
    entry.state, entry.reserved_until = WaitlistStatus.INVITED, reserved_until_for(offer, now)
    entry.save(update_fields=["state", "reserved_until"])
    queue_waitlist_email(entry, EmailKind.WAITLIST_INVITED, now=now)


def _end(entries: list[WaitlistEntry], state: WaitlistStatus) -> None:
    if entries:
        keys = [entry.pk for entry in entries]
        WaitlistEntry.objects.filter(pk__in=keys).update(state=state)
        for entry in entries:
            entry.state = state
