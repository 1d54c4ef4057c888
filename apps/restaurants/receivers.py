"""Receivers of django-allauth's signals; connected when the app is ready."""

from typing import Any

from allauth.account import signals
from django.http import HttpRequest

from apps.accounts.models import User
from apps.common import clock, rls
from apps.common.client_address import client_address
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.services import contact
from apps.restaurants.services.registration import register_restaurant


def note_password(sender: Any, user: User, **_: Any) -> None:
    """Record that the owner now has a password."""
    with rls.acting_as(rls.PLATFORM):
        owned = Membership.objects.filter(user=user, role=Membership.Role.OWNER)
        Restaurant.objects.filter(
            pk__in=list(owned.values_list("restaurant", flat=True)), password_set=False
        ).update(password_set=True)


def open_restaurant(sender: Any, request: HttpRequest, user: User, **extra: Any) -> None:
    """Create a restaurant for someone who signed up with Google or Microsoft."""
    if "sociallogin" in extra:
        register_restaurant(
            user=user, name=user.name, agreed_from=client_address(request), now=clock.now()
        )


def carry_address_over(
    sender: Any, user: User, from_email_address: Any, to_email_address: Any, **_: Any
) -> None:
    """Give an owner's new address to the restaurants that used the former one."""
    if from_email_address is not None:
        contact.carry_over(user=user, old=from_email_address.email, new=to_email_address.email)


def connect() -> None:
    signals.email_changed.connect(carry_address_over, dispatch_uid="restaurants.carry_address_over")
    for changed in (signals.password_set, signals.password_changed, signals.password_reset):
        changed.connect(note_password, dispatch_uid=f"restaurants.note_password.{id(changed)}")
    signals.user_signed_up.connect(open_restaurant, dispatch_uid="restaurants.open_restaurant")
