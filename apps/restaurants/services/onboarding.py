"""Onboarding: its steps, finishing the welcome, completing the registration; and the counters of
the calendar month."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, Q, Value, When

from apps.accounts.models import User
from apps.accounts.services.accounts import is_confirmed
from apps.common import rls
from apps.common.transitions import Allowed, transition
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.tiers import (
    has_reached_limit,
    month_of,
    offers_this_month,
)

REGISTRATION_CHANGES: Allowed = {
    Restaurant.RegistrationStatus.INCOMPLETE: frozenset({Restaurant.RegistrationStatus.COMPLETE})
}
_ORDER: Mapping[str, int] = {
    step: place for place, step in enumerate(["", *Restaurant.RegistrationStep])
}


def advance(restaurant: Restaurant, step: str) -> None:
    """Record progress. Going back in a wizard undoes nothing."""
    if _ORDER[step] > _ORDER.get(restaurant.registration_step, 0):
        Restaurant.objects.filter(pk=restaurant.pk).update(registration_step=step)
        restaurant.registration_step = step


def count_month(restaurant: Restaurant, *, now: datetime) -> None:
    """Bring the stored count and limit of the month up to date (DECISIONS X8).

    Reads compute them, so this is for people who look at the table.
    """
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    Restaurant.objects.filter(pk=restaurant.pk).update(
        monthly_special_offers_count=offers_this_month(restaurant, now=now),
        special_offers_limit_reached=has_reached_limit(restaurant, now=now),
        last_special_offer_reset_date=first,
    )


def count_email(restaurant: Restaurant, *, now: datetime) -> None:
    """Count an announcement that was emailed, in the restaurant's own month (DECISIONS X8)."""
    first, _ = month_of(now.astimezone(restaurant.zone).date())
    is_this_month = Q(last_email_reset_date__gte=first)
    Restaurant.objects.filter(pk=restaurant.pk).update(
        monthly_emails_sent=Case(
            When(is_this_month, then=F("monthly_emails_sent") + 1), default=Value(1)
        ),
        last_email_reset_date=first,
    )


def turn_months(*, now: datetime) -> int:
    """Begin the new month of restaurants in whose time zone it has begun; returns how many.

    Restaurants whose counts are zero have nothing to reset.
    """
    # No zone's month begins more than 14 hours before UTC's.
    latest = (now + timedelta(hours=14)).date().replace(day=1)
    published = Q(monthly_special_offers_count__gt=0, last_special_offer_reset_date__lt=latest)
    emailed = Q(monthly_emails_sent__gt=0, last_email_reset_date__lt=latest)
    due = Restaurant.objects.filter(published | emailed)
    turned = 0
    for restaurant in due.iterator():
        with transaction.atomic():
            own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
            first, _ = month_of(now.astimezone(own.zone).date())
            published_on, emailed_on = own.last_special_offer_reset_date, own.last_email_reset_date
            has_published = published_on is not None and published_on < first
            has_emailed = emailed_on is not None and emailed_on < first
            if has_published:
                count_month(own, now=now)
            if has_emailed:
                Restaurant.objects.filter(pk=own.pk).update(
                    monthly_emails_sent=0, last_email_reset_date=first
                )
            turned += has_published or has_emailed
    return turned


def note_subdomain_chosen(*, restaurant: Restaurant) -> None:
    advance(restaurant, Restaurant.RegistrationStep.SUBDOMAIN)


@transaction.atomic
def complete_onboarding(
    *, user: User, restaurant: Restaurant, is_owner: bool, now: datetime
) -> User:
    """Mark the welcome as seen by this user.

    For an owner, this also completes the restaurant's onboarding and, once their email is
    confirmed, its registration.
    """
    User.objects.filter(pk=user.pk).update(has_completed_onboarding=True)
    user.has_completed_onboarding = True
    if is_owner:
        own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
        Restaurant.objects.filter(pk=own.pk).update(onboarding_completed=True, updated_at=now)
        advance(own, Restaurant.RegistrationStep.COMPLETE)
        if is_confirmed(user):
            _complete_registration(own, now)
    return user


def _complete_registration(restaurant: Restaurant, now: datetime) -> None:
    transition(
        restaurant,
        "registration_status",
        Restaurant.RegistrationStatus.COMPLETE,
        allowed=REGISTRATION_CHANGES,
        now=now,
        updated_at=now,
    )


def complete_confirmed_registrations(*, now: datetime) -> int:
    """Complete registrations whose owner confirmed the email after setup; returns the number."""
    with rls.acting_as(rls.PLATFORM):
        owners = (
            Membership.objects.select_related("restaurant", "user")
            .filter(
                role=Membership.Role.OWNER,
                restaurant__registration_status=Restaurant.RegistrationStatus.INCOMPLETE,
                restaurant__registration_step=Restaurant.RegistrationStep.COMPLETE,
            )
            .order_by("pk")
        )
        ready = {each.restaurant for each in owners if is_confirmed(each.user)}
        for restaurant in ready:
            _complete_registration(restaurant, now)
    return len(ready)
