"""Monthly billing cycles: opened and closed by the calendar of each restaurant (decision 114).

A month is closed `CLOSED_AFTER` after its end, later than anything can be entered in it
(`ledger.LATE_FOR`), so closing waits for nothing and nothing waits for it. A closed row never
changes again; it has the month's totals, and the length and head of the ledger's chain.
"""

import logging
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.account_alarms import close_account_alarm, raise_account_alarm
from apps.billing.figures import figures_of
from apps.billing.invoices import issue_invoice
from apps.billing.ledger import LATE_FOR
from apps.billing.models import Discrepancy, LedgerChain, MonthlyBillingCycle, PaymentHistory
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import month_of, share_rate, tier_at

logger = logging.getLogger(__name__)

CLOSED_AFTER = 2 * LATE_FOR
BATCH_SIZE = 1000


def open_cycles(*, now: datetime) -> int:
    """Open the present month of every active restaurant that has none; returns how many.

    Act as the platform. A few statements for each time zone, whatever the number of restaurants.
    One whose registration isn't complete has none before its first charge, so that it can still be
    deleted when it is abandoned.
    """
    active = Restaurant.objects.filter(
        status=Restaurant.Status.ACTIVE,
        registration_status=Restaurant.RegistrationStatus.COMPLETE,
    )
    opened = 0
    for zone in active.order_by("timezone").values_list("timezone", flat=True).distinct():
        today = now.astimezone(ZoneInfo(zone)).date()
        first, last = month_of(today)
        theirs = MonthlyBillingCycle.objects.filter(
            restaurant=OuterRef("pk"), year=today.year, month=today.month
        )
        missing = active.filter(~Exists(theirs), timezone=zone)
        with_plan = missing.only(
            "subscription_tier", "next_tier", "next_tier_from", "timezone", "has_subscription"
        )
        cycles = [
            MonthlyBillingCycle(
                restaurant=restaurant,
                year=today.year,
                month=today.month,
                cycle_start_date=first,
                cycle_end_date=last,
                subscription_tier=tier,
                revenue_share_rate=share_rate(restaurant, tier),
            )
            for restaurant in with_plan
            if (tier := tier_at(restaurant, now=now))
        ]
        MonthlyBillingCycle.objects.bulk_create(cycles, BATCH_SIZE, ignore_conflicts=True)
        opened += len(cycles)
    return opened


def close_cycles(*, now: datetime) -> int:
    """Close the months that are over, and issue their invoices; returns how many were closed.

    Act as the platform. Safe to repeat, to stop, and to run beside itself: each month is closed in
    a transaction of its own. One whose totals aren't the sums of its entries stays open, with an
    alarm.
    """
    # The local day can be a day ahead of UTC's; the exact one is checked for each restaurant.
    latest = (now + timedelta(days=1) - CLOSED_AFTER).date()
    due = MonthlyBillingCycle.objects.filter(closed_at=None, cycle_end_date__lt=latest)
    ids = list(due.order_by("cycle_end_date", "pk").values_list("pk", flat=True))
    return sum(_close(cycle_id, now) for cycle_id in ids)


@transaction.atomic
def _close(cycle_id: int, now: datetime) -> bool:
    cycle = (
        MonthlyBillingCycle.objects.select_for_update(of=("self",))
        .select_related("restaurant")
        .get(pk=cycle_id)
    )
    restaurant = cycle.restaurant
    ended = (now - CLOSED_AFTER).astimezone(restaurant.zone).date() > cycle.cycle_end_date
    if cycle.closed_at or not ended:
        return False
    figures = figures_of(PaymentHistory.objects.filter(cycle=cycle))
    if (figures.sales, figures.revenue_share) != (cycle.total_revenue, cycle.platform_fees):
        description = (
            f"{cycle.year}-{cycle.month:02}: the entries add up to {figures.sales} and "
            f"{figures.revenue_share} in fees, the month says {cycle.total_revenue} and "
            f"{cycle.platform_fees}"
        )
        raise_account_alarm(restaurant.pk, Discrepancy.Kind.LEDGER, description, now=now)
        return False
    chain = LedgerChain.objects.filter(pk=restaurant.pk).first()
    if chain:
        cycle.chain_length, cycle.chain_head = chain.length, chain.head
    cycle.closed_at = now
    cycle.save(update_fields=["closed_at", "chain_length", "chain_head"])
    invoice = issue_invoice(cycle, figures, now=now)
    close_account_alarm(restaurant.pk, Discrepancy.Kind.LEDGER, now=now)
    if not figures.is_empty:
        record(
            Kind.MONTH_CLOSED,
            restaurant=restaurant,
            about=("billing_cycle", cycle.pk),
            now=now,
            month=f"{cycle.year}-{cycle.month:02}",
            invoice=invoice.number if invoice else 0,
            # Also in the log, outside the database: a chain that is computed again is found by it.
            chain=cycle.chain_head,
        )
    return True
