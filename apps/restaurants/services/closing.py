"""Closing a restaurant for good, when its last owner leaves (decision 64)."""

from datetime import datetime

from apps.accounts.models import User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.restaurants.emails import queue_closed_email
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Invitation, Membership, Restaurant

# No email server accepts it: https://www.rfc-editor.org/rfc/rfc2606#section-2
CLOSED_ADDRESS = "closed-{key}@closed.invalid"


def close_restaurant(*, restaurant: Restaurant, by: User, now: datetime) -> None:
    """Take the restaurant's pages offline, end its team, and forget who owned it.

    Everybody on the team gets an email, except `by`, who closes it.

    Its name, address, and hosts stay: accounting needs the first two, and nobody else should get
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
    team = Membership.objects.filter(restaurant=restaurant, user__is_active=True)
    for member in team.exclude(user=by).select_related("user").order_by("pk"):
        queue_closed_email(restaurant, to=member.user.email)
    record(Kind.RESTAURANT_CLOSED, restaurant=restaurant, now=now)
    Membership.objects.filter(restaurant=restaurant).delete()
    Invitation.objects.filter(restaurant=restaurant).delete()
    with rls.acting_as(rls.PLATFORM):
        forget_hosts(restaurant)
