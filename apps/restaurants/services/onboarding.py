"""From registered to at work: the plan, the welcome, and when a registration is complete."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services.accounts import is_confirmed
from apps.common import rls
from apps.common.transitions import Allowed, transition
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.tiers import tier_rate, tier_type

_TIERS = frozenset(map(str, Restaurant.Tier))
TIER_CHANGES: Allowed = {tier: _TIERS - {tier} for tier in _TIERS}  # every one, both ways
REGISTRATION_CHANGES: Allowed = {
    Restaurant.RegistrationStatus.INCOMPLETE: frozenset({Restaurant.RegistrationStatus.COMPLETE})
}
_ORDER: Mapping[str, int] = {
    step: place for place, step in enumerate(["", *Restaurant.RegistrationStep])
}


def _advance(restaurant: Restaurant, step: str) -> None:
    """Note how far the owner came; going back in a wizard undoes nothing."""
    if _ORDER[step] > _ORDER.get(restaurant.registration_step, 0):
        Restaurant.objects.filter(pk=restaurant.pk).update(registration_step=step)
        restaurant.registration_step = step


@transaction.atomic
def change_tier(*, restaurant: Restaurant, tier: str, now: datetime, by: str) -> Restaurant:
    """Put the restaurant on another tier; the share follows from it, whatever a client says (X7).

    Offers that are published keep the rate they were published with (DECISIONS X2). Choosing the
    present tier again is a step of the set-up and no change.
    """
    own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
    transition(
        own,
        "subscription_tier",
        tier,
        allowed=TIER_CHANGES,
        now=now,
        reason=f"by {by}",
        revenue_share_percentage=tier_rate(tier),
        tier_type=tier_type(tier),
        updated_at=now,
    )
    _advance(own, Restaurant.RegistrationStep.TIER)
    transaction.on_commit(lambda: forget_hosts(own))
    return own


def note_subdomain_chosen(*, restaurant: Restaurant) -> None:
    _advance(restaurant, Restaurant.RegistrationStep.SUBDOMAIN)


@transaction.atomic
def complete_onboarding(
    *, user: User, restaurant: Restaurant, is_owner: bool, now: datetime
) -> User:
    """The person has seen the welcome and will not see it again (S1).

    An owner's is the restaurant's too, and with it the registration is complete once their e-mail
    is confirmed.
    """
    User.objects.filter(pk=user.pk).update(has_completed_onboarding=True)
    user.has_completed_onboarding = True
    if is_owner:
        own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
        Restaurant.objects.filter(pk=own.pk).update(onboarding_completed=True, updated_at=now)
        _advance(own, Restaurant.RegistrationStep.COMPLETE)
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
    """Complete those whose owner confirmed the e-mail after the set-up; how many there were."""
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
