"""Who a campaign reaches: the restaurant's confirmed subscribers, or some of them."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from apps.marketing.models import Campaign
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models import PreOrder, Subscriber, WaitlistEntry
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q, HELD_OR_CAPTURED_Q
from apps.preorders.models.states import ON_WAITLIST, PaymentStatus
from apps.restaurants.models import Restaurant

Segment = Campaign.Segment


def recipients(
    restaurant: Restaurant, segment: str, *, special_offer: SpecialOffer | None = None
) -> QuerySet[Subscriber]:
    """The subscribers of a segment, by key, without those who have ordered `special_offer`
    already."""
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
    return found.order_by("pk")


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
