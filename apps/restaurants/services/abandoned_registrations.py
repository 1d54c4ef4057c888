"""Registrations that were begun and never finished (S35, D25)."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, ProtectedError, Q

from apps.accounts.models import User
from apps.common import rls
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import IncompleteRegistration, Restaurant
from apps.restaurants.services.onboarding import complete_confirmed_registrations

logger = logging.getLogger(__name__)

ABANDONED_AFTER = timedelta(days=30)


def archive_registrations(*, now: datetime) -> int:
    """Archive and remove the restaurants nobody finished registering; how many there were.

    One whose people signed in lately is not abandoned. One that published anything or has books is
    not removed: its rows there stand in the way of that.
    """
    complete_confirmed_registrations(now=now)
    with rls.acting_as(rls.PLATFORM):
        return sum(_archive(restaurant_id, now) for restaurant_id in _abandoned(now))


def _abandoned(now: datetime) -> list[UUID]:
    long_ago = now - ABANDONED_AFTER
    found = (
        Restaurant.objects.filter(
            registration_status=Restaurant.RegistrationStatus.INCOMPLETE,
            created_at__lte=long_ago,
            stripe_completed=False,
        )
        .annotate(last_visit=Max("memberships__user__last_login"))
        .filter(Q(last_visit=None) | Q(last_visit__lte=long_ago))
    )
    return list(found.order_by("created_at").values_list("pk", flat=True))


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
            _keep(restaurant, now)
            restaurant.delete()  # type: ignore[no-untyped-call]
            for person in people:
                _remove_unless_needed(person)
    except ProtectedError:
        logger.info("restaurant %s is incomplete but has offers or books; it stays", restaurant_id)
        return False
    return True


def _keep(restaurant: Restaurant, now: datetime) -> None:
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
    """An account that belongs nowhere else goes too, so that the person can begin anew."""
    if not person.is_staff and not person.memberships.exists():
        person.delete()
