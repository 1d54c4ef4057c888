"""Who a campaign reaches: the restaurant's confirmed subscribers, or some of them."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Lower

from apps.common import clock
from apps.marketing.models import Campaign, EmailInvitation
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.emails.reminders import released_from
from apps.preorders.models import PreOrder, Subscriber, WaitlistEntry
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q, HELD_OR_CAPTURED_Q
from apps.preorders.models.states import ON_WAITLIST, PaymentStatus
from apps.restaurants.models import Restaurant

Segment = Campaign.Segment


def recipients(
    restaurant: Restaurant,
    segment: str,
    *,
    special_offer: SpecialOffer | None = None,
    kind: str = Campaign.Kind.ANNOUNCEMENT,
) -> QuerySet[Subscriber]:
    """The subscribers of a segment, by key, without those who have ordered `special_offer`
    already.

    An automatic email reaches nobody who got another one about it; a return, those who asked for
    its dish and don't get `EmailKind.REJOIN`.
    """
    found = confirmed(restaurant)
    match segment:
        case Segment.ORDERED:
            found = found.filter(Exists(_orders().filter(authorized_at__isnull=False)))
        case Segment.WAITING:
            waiting = WaitlistEntry.objects.filter(
                restaurant=OuterRef("restaurant"),
                email=OuterRef("email"),
                state__in=sorted(ON_WAITLIST),
            )
            found = found.filter(Exists(waiting))
        case Segment.MISSED:
            released = _orders().filter(
                payment_status=PaymentStatus.RELEASED, offer__status=OfferStatus.FAILED
            )
            found = found.filter(Q(wanted_offer__isnull=False) | Exists(released))
    if special_offer is not None:
        found = found.exclude(Exists(ordering(special_offer)))
    if special_offer is not None and kind != Campaign.Kind.ANNOUNCEMENT:
        emailed = EmailInvitation.objects.filter(
            special_offer=special_offer,
            campaign__kind__in=[Campaign.Kind.NUDGE, Campaign.Kind.RETURN],
            customer_email=OuterRef("email"),
        )
        found = found.exclude(Exists(emailed))
    if special_offer is not None and kind == Campaign.Kind.RETURN:
        found = asking_for(found, special=special_offer.pk, name=Value(special_offer.name))
        released = released_from(special_offer, now=clock.now()).alias(of=Lower("customer_email"))
        found = found.exclude(Exists(released.filter(of=OuterRef("email"))))
    return found.order_by("pk")


def asking_for(
    subscribers: QuerySet[Subscriber], *, special: Any, name: Any
) -> QuerySet[Subscriber]:
    """Those who asked for this special, or for another one of the same name."""
    asked = subscribers.alias(asked_for=Lower("wanted_offer__name"))
    return asked.filter(Q(wanted_offer=special) | Q(asked_for=Lower(name)))


def confirmed(restaurant: Restaurant) -> QuerySet[Subscriber]:
    """All who follow the restaurant."""
    return Subscriber.objects.filter(restaurant=restaurant, status=Subscriber.Status.CONFIRMED)


def segment_sizes(restaurant: Restaurant) -> dict[str, int]:
    """How many subscribers each segment has."""
    return {each.value: recipients(restaurant, each).count() for each in Segment}


def ordering(special_offer: SpecialOffer) -> QuerySet[PreOrder]:
    """The subscriber's orders of this special that count, or are in checkout."""
    return _orders().filter(HELD_OR_CAPTURED_Q | CHECKOUT_OPEN_Q, offer=special_offer)


def _orders() -> QuerySet[PreOrder]:
    """The orders of the subscriber's address at this restaurant, for a subquery."""
    orders = PreOrder.objects.alias(address=Lower("customer_email"))
    return orders.filter(restaurant=OuterRef("restaurant"), address=OuterRef("email"))
