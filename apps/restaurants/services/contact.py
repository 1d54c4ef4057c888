"""The restaurant's contact address: changing and confirming it, and who gets guests' data by email.

Guests write to it, and kitchen sheets with their names and allergies go there, so it counts only
once somebody who reads it has confirmed it (decision 57).
"""

from datetime import datetime, timedelta
from uuid import UUID

from allauth.account.models import EmailAddress
from django.core.signing import BadSignature
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.rate_limits import EMAILS_PER_RECIPIENT
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.errors import Conflict, FieldError, NotFound
from apps.common.signing import signer
from apps.restaurants import emails as restaurants_emails
from apps.restaurants.models import Membership, Restaurant

LINK_LIFETIME = timedelta(hours=24)
MAX_TOKEN_LENGTH = 600
TAKEN = "Another restaurant uses this address. Use a different one."
INVALID_LINK = "This link is invalid, used, or more than 24 hours old. Enter the address again."
_PURPOSE = "restaurants.contact"


def is_contact_confirmed(restaurant: Restaurant) -> bool:
    """Whether somebody who reads the address said so: here, or for their own account."""
    if restaurant.email_confirmed_at is not None:
        return True
    return restaurant.email.lower() in {each.lower() for each in _confirmed_people(restaurant)}


def addresses_for_guest_data(restaurant: Restaurant) -> list[str]:
    """Where an email with guests' data may go: to the contact address or, until that is confirmed,
    to the owners and managers whose own address is. Empty if there are none."""
    if is_contact_confirmed(restaurant):
        return [restaurant.email]
    return _confirmed_people(restaurant)


@transaction.atomic
def change_contact(*, restaurant: Restaurant, email: str, now: datetime) -> Restaurant:
    """Use this address once it is confirmed; the present one stays until then.

    A confirmed address of an owner or manager counts at once. Raises Conflict for an address of
    another restaurant, and TooManyAttempts.
    """
    address = email.strip().lower()
    own = Restaurant.objects.select_for_update(no_key=True).get(pk=restaurant.pk)
    _check_free(own, address)
    if address in {each.lower() for each in _confirmed_people(own)}:
        return _use(own, address, confirmed_at=None)
    if address == own.email.lower() and own.email_confirmed_at is not None:
        return _use(own, address, confirmed_at=own.email_confirmed_at)
    EMAILS_PER_RECIPIENT.count(address)
    own.new_email = address
    Restaurant.objects.filter(pk=own.pk).update(new_email=address)
    record(Kind.CONTACT_CHANGE_REQUESTED, restaurant=own, now=now)
    until = int((now + LINK_LIFETIME).timestamp())
    token = signer(_PURPOSE).sign(f"{own.pk.hex}-{until}-{address}")
    restaurants_emails.queue_contact_confirmation(own, to=address, token=token)
    return own


def contact_to_confirm(*, token: str, now: datetime) -> Restaurant:
    """The restaurant whose new address this link confirms. Raises NotFound."""
    restaurant_id, until, address = _read(token)
    with rls.acting_as(rls.PLATFORM):
        found = Restaurant.objects.filter(pk=restaurant_id, new_email=address).first()
    if found is None or now.timestamp() >= until:
        raise NotFound(INVALID_LINK)
    return found


def confirm_contact(*, token: str, now: datetime) -> Restaurant:
    """Use the address the link was sent to. Raises NotFound, and Conflict."""
    found = contact_to_confirm(token=token, now=now)
    with transaction.atomic(), rls.acting_as(found):
        own = Restaurant.objects.select_for_update(no_key=True).get(pk=found.pk)
        if own.new_email != found.new_email:
            raise NotFound(INVALID_LINK)
        _check_free(own, own.new_email)
        return _use(own, own.new_email, confirmed_at=now)


def carry_over(*, user: User, old: str, new: str) -> None:
    """An owner's address has changed: use the new one for restaurants that had the old one.

    Skips a restaurant if another one has the new address already.
    """
    with transaction.atomic(), rls.acting_as(rls.PLATFORM):
        owned = Membership.objects.filter(user=user, role=Membership.Role.OWNER)
        same = Restaurant.objects.filter(
            pk__in=owned.values("restaurant"), email__iexact=old
        ).select_for_update(no_key=True)
        for restaurant in same:
            if not Restaurant.objects.filter(email__iexact=new).exists():
                _use(restaurant, new.lower(), confirmed_at=None)


def _confirmed_people(restaurant: Restaurant) -> list[str]:
    people = Membership.objects.filter(
        restaurant=restaurant,
        role__in=[Membership.Role.OWNER, Membership.Role.MANAGER],
        user__is_active=True,
    )
    confirmed = EmailAddress.objects.filter(
        user__in=list(people.values_list("user", flat=True)), primary=True, verified=True
    )
    return list(confirmed.order_by("pk").values_list("email", flat=True))


def _check_free(own: Restaurant, address: str) -> None:
    if Restaurant.objects.filter(email__iexact=address).exclude(pk=own.pk).exists():
        raise Conflict(TAKEN, fields=[FieldError("email", TAKEN)])


def _use(own: Restaurant, address: str, *, confirmed_at: datetime | None) -> Restaurant:
    former = own.email
    own.email, own.email_confirmed_at, own.new_email = address, confirmed_at, ""
    Restaurant.objects.filter(pk=own.pk).update(
        email=address, email_confirmed_at=confirmed_at, new_email=""
    )
    if former.lower() != address:
        record(Kind.CONTACT_CHANGED, restaurant=own)
        restaurants_emails.queue_contact_changed_email(own, to=former)
    return own


def _read(token: str) -> tuple[UUID, int, str]:
    try:
        if len(token) > MAX_TOKEN_LENGTH:
            raise BadSignature
        key, until, address = signer(_PURPOSE).unsign(token).split("-", 2)
        return UUID(key), int(until), address
    except (BadSignature, ValueError):
        raise NotFound(INVALID_LINK) from None
