"""Closing a restaurant for good, when its last owner leaves (decision 64)."""

from datetime import datetime

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Invitation, Membership, Restaurant

# No email server accepts it: https://www.rfc-editor.org/rfc/rfc2606#section-2
CLOSED_ADDRESS = "closed-{key}@closed.invalid"


def close_restaurant(*, restaurant: Restaurant, now: datetime) -> None:
    """Take the restaurant's pages offline, end its team, and forget who owned it.

    Its name, address and hosts stay: the accounts need the first two, and nobody else should get
    its subdomain. The caller holds the restaurant's lock and has checked that nothing is open.
    """
    Restaurant.objects.filter(pk=restaurant.pk).update(
        status=Restaurant.Status.INACTIVE,
        owner_name="",
        email=CLOSED_ADDRESS.format(key=restaurant.pk.hex),
        email_confirmed_at=None,
        new_email="",
        billing_email="",
        phone="",
        terms_agreed_from=None,
    )
    record(Kind.RESTAURANT_CLOSED, restaurant=restaurant, now=now)
    Membership.objects.filter(restaurant=restaurant).delete()
    Invitation.objects.filter(restaurant=restaurant).delete()
    with rls.acting_as(rls.PLATFORM):
        forget_hosts(restaurant)
