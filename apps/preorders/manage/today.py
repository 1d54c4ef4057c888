"""What an owner sees first on the dashboard: how specials just ended, and the money."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from decimal import Decimal

from django.db.models import Count, Sum

from apps.billing.figures import figures_of
from apps.billing.models import PaymentHistory
from apps.billing.selectors import NextPayout, next_payout
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.outcome import OfferOutcome, outcome_of
from apps.preorders.manage.taxes import tax_lines
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import month_of

# How long a result stays on the dashboard, and how many at once; the rest are in the history.
RESULT_SHOWN_FOR = timedelta(hours=24)
MAX_RESULTS = 5
ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class Result:
    """How a special ended. `declined` cards can still be paid by link."""

    offer: SpecialOffer
    outcome: OfferOutcome
    declined: int

    @property
    def succeeded(self) -> bool:
        return self.offer.status == OfferStatus.SUCCEEDED


@dataclass(frozen=True, slots=True)
class Money:
    """What is held now; what was charged this month, less refunds and disputes, with its tax; and
    what is sent to the bank next."""

    held: Decimal
    held_orders: int
    charged: Decimal
    tax: Decimal
    currency: str
    payout: NextPayout | None


@dataclass(frozen=True, slots=True)
class Today:
    results: list[Result]
    money: Money | None  # for those who see the ledger


def today_for_restaurant(*, restaurant: Restaurant, now: datetime, with_money: bool) -> Today:
    decided = SpecialOffer.objects.filter(
        restaurant=restaurant, status__in=sorted(DECIDED), decided_at__gt=now - RESULT_SHOWN_FOR
    )
    offers = list(decided.order_by("-decided_at", "pk")[:MAX_RESULTS])
    results = []
    for offer in offers:
        offer.restaurant = restaurant
        results.append(Result(offer, outcome_of(offer), _declined(offer)))
    return Today(results, _money(restaurant, now) if with_money else None)


def _declined(offer: SpecialOffer) -> int:
    failed = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.CAPTURE_FAILED)
    return failed.count()


def _money(restaurant: Restaurant, now: datetime) -> Money:
    held = PreOrder.objects.filter(
        restaurant=restaurant,
        status=PreOrderStatus.PENDING,
        payment_status=PaymentStatus.AUTHORIZED,
    ).aggregate(total=Sum("total_amount"), orders=Count("pk"))
    first, _last = month_of(now.astimezone(restaurant.zone).date())
    entries = PaymentHistory.objects.filter(
        restaurant=restaurant,
        processed_at__gte=datetime.combine(first, time(), restaurant.zone),
    )
    return Money(
        held=held["total"] or ZERO,
        held_orders=held["orders"],
        charged=figures_of(entries).sales,
        tax=sum((line.tax for line in tax_lines(entries)), ZERO),
        currency=restaurant.currency,
        payout=next_payout(restaurant, now=now),
    )
