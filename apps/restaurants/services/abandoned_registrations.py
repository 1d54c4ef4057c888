"""Archives and deletes abandoned registrations."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, ProtectedError, Q, QuerySet

from apps.accounts.models import User
from apps.common import rls
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import IncompleteRegistration, Restaurant
from apps.restaurants.services.onboarding import complete_confirmed_registrations

logger = logging.getLogger(__name__)

ABANDONED_AFTER = timedelta(days=30)


def archive_registrations(*, now: datetime) -> int:
    """Archive and delete abandoned registrations, and return their number.

    A restaurant isn't abandoned if a member signed in within `ABANDONED_AFTER`. One with offers or
    ledger entries can't be deleted, because those rows protect it.
    """
    with rls.acting_as(rls.PLATFORM):
        return archive(abandoned(now), now)


def archive(restaurants: QuerySet[Restaurant], now: datetime) -> int:
    """Archive and delete these abandoned registrations; returns how many."""
    complete_confirmed_registrations(now=now)
    ids = list(restaurants.order_by("created_at").values_list("pk", flat=True))
    return sum(_archive(restaurant_id, now) for restaurant_id in ids)


def abandoned(now: datetime) -> QuerySet[Restaurant]:
    """The restaurants whose registration was abandoned."""
    long_ago = now - ABANDONED_AFTER
    return (
        Restaurant.objects.filter(
            registration_status=Restaurant.RegistrationStatus.INCOMPLETE,
            created_at__lte=long_ago,
            stripe_completed=False,
        )
        .annotate(last_visit=Max("memberships__user__last_login"))
        .filter(Q(last_visit=None) | Q(last_visit__lte=long_ago))
    )


def _archive(restaurant_id: UUID, now: datetime) -> bool:
    try:
        with transaction.atomic():
            restaurant = (
                Restaurant.objects.select_for_update(of=("self",))
                .filter(
                    pk=restaurant_id,
                    registration_status=Restaurant.RegistrationStatus.INCOMPLETE,
                )
                .first()
            )
            if restaurant is None:
                return False
            forget_hosts(restaurant)
            people = list(User.objects.filter(memberships__restaurant=restaurant))
            _archive_data(restaurant, now)
            restaurant.delete()  # type: ignore[no-untyped-call]
            for person in people:
                _remove_unless_needed(person)
    except ProtectedError:
        logger.info(
            "restaurant %s is incomplete but has offers or ledger entries; keeping it",
            restaurant_id,
        )
        return False
    return True


def _archive_data(restaurant: Restaurant, now: datetime) -> None:
    IncompleteRegistration.objects.update_or_create(
        original_restaurant_id=restaurant.pk,
        defaults={
            "email": restaurant.email,
            "name": restaurant.name,
            "state": restaurant.state,
            "country": restaurant.country,
            "subscription_tier": restaurant.subscription_tier,
            "slug": restaurant.slug,
            "registration_step": restaurant.registration_step,
            "archived_at": now,
        },
    )


def _remove_unless_needed(person: User) -> None:
    """Delete the account too, unless it has other memberships, so that they can sign up again."""
    if not person.is_staff and not person.memberships.exists():
        person.delete()
