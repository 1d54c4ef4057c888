"""Fee invoices: the platform's fees of a closed month, numbered without gaps (decision 115).

The fees were collected with each charge, so an invoice is paid when it is issued. They contain the
tax that the platform owes on them, where the setting `FEE_TAX_RATES` names a rate.
"""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django.conf import settings
from django.db import connection
from django.db.models import Max

from apps.billing.figures import Figures
from apps.billing.models import FeeInvoice, MonthlyBillingCycle
from apps.restaurants.models import Restaurant
from apps.restaurants.regions import country_code, country_name

CENT = Decimal("0.01")


def fee_tax(restaurant: Restaurant) -> tuple[str, Decimal]:
    """Where and at which rate, in percent, the platform owes tax on this restaurant's fees."""
    country = country_code(restaurant.country)
    for place in (f"{country}-{restaurant.state.strip().upper()}", country):
        if rate := settings.FEE_TAX_RATES.get(place):
            return place, rate
    return "", Decimal(0)


def contained_tax(total: Decimal, rate: Decimal) -> Decimal:
    """The tax in a total that contains it, rounded half up to the cent."""
    return (total * rate / (100 + rate)).quantize(CENT, ROUND_HALF_UP)


def issue_invoice(
    cycle: MonthlyBillingCycle, figures: Figures, *, now: datetime
) -> FeeInvoice | None:
    """Issue the invoice of a month that is being closed; None if it had no fees.

    Call it in the closing's transaction, as the platform: invoices are numbered one after another,
    so issuing one waits for whoever is issuing the number before it.
    """
    if not figures.revenue_share and not figures.processing:
        return None
    restaurant = cycle.restaurant
    place, rate = fee_tax(restaurant)
    return FeeInvoice.objects.create(
        restaurant=restaurant,
        cycle=cycle,
        number=_next_number(),
        issued_at=now,
        currency=restaurant.currency,
        revenue_share=figures.revenue_share,
        processing=figures.processing,
        total=figures.fees,
        tax_rate=rate,
        tax=contained_tax(figures.fees, rate),
        jurisdiction=place,
        billed_to=_billed_to(restaurant),
    )


def _next_number() -> int:
    # Held until the transaction ends, so a number that is rolled back is given again:
    # https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('billing.fee_invoices'))")
    last = FeeInvoice.objects.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _billed_to(restaurant: Restaurant) -> str:
    country = country_name(country_code(restaurant.country)) if restaurant.country else ""
    return "\n".join(filter(None, (restaurant.name, restaurant.address, country)))
