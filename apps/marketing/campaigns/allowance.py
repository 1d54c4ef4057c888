"""How many emails a restaurant can still send this month, in its own time zone (DECISIONS X8)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from apps.restaurants.entitlements import invitations_per_month
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import month_of


def emails_left(restaurant: Restaurant, *, now: datetime) -> int:
    """What is left of the month's emails."""
    return max(0, invitations_per_month(restaurant) - emails_this_month(restaurant, now=now))


def emails_this_month(restaurant: Restaurant, *, now: datetime) -> int:
    """The number of emails sent this month. The column keeps last month's until the next email is
    sent, or the scheduler resets it."""
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    reset = restaurant.last_email_reset_date
    return restaurant.monthly_emails_sent if reset and reset >= first else 0


@transaction.atomic
def reserve_emails(restaurant_id: UUID, wanted: int, *, now: datetime) -> int:
    """Take up to `wanted` emails from the month's allowance; returns how many. Two campaigns at
    once never take the same ones."""
    own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant_id)
    used = emails_this_month(own, now=now)
    taken = min(wanted, max(0, invitations_per_month(own) - used))
    first, _ = month_of(now.astimezone(own.zone).date())
    Restaurant.objects.filter(pk=own.pk).update(
        monthly_emails_sent=used + taken, last_email_reset_date=first
    )
    return taken


def return_emails(restaurant: Restaurant, number: int, *, now: datetime) -> None:
    """Undo the reservation of emails that are never sent, if the month is still the same."""
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    Restaurant.objects.filter(pk=restaurant.pk, last_email_reset_date__gte=first).update(
        monthly_emails_sent=Greatest(F("monthly_emails_sent") - number, 0)
    )
