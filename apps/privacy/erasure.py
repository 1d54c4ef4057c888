"""Erasing a person everywhere, when they ask the platform and not one restaurant (decision 64).

A guest erases their data at one restaurant through a link. Whoever writes to us instead is erased
by the command `erase_person`, at every restaurant, together with what isn't a restaurant's: visits
of the demo, registrations that were never completed, invitations.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Model, QuerySet
from django.db.models.functions import Lower

from apps.accounts.models import EmailConfirmation
from apps.accounts.services.accounts import account_for_email
from apps.common import rls
from apps.common.errors import Conflict
from apps.marketing.models import DemoLead, EmailInvitation
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.models import PreOrder, Subscriber, WaitlistEntry
from apps.restaurants.models import IncompleteRegistration, Invitation, Restaurant

HAS_ACCOUNT = "This address has an account. Its owner deletes it on the account page."
# What is stored about an address besides orders.
OF_ADDRESS: tuple[type[Model], ...] = (
    WaitlistEntry,
    Subscriber,
    EmailConfirmation,
    Invitation,
    IncompleteRegistration,
    DemoLead,
)


@dataclass(frozen=True, slots=True)
class Erased:
    """What was erased, or would be: orders, and other rows by kind."""

    orders: int
    others: dict[str, int]


def erase_person(*, email: str, now: datetime, dry_run: bool = False) -> Erased:
    """Erase what is stored about this address, at every restaurant. Safe to repeat.

    Raises Conflict if the address has an account, and at the first restaurant where it has an open
    order; what was erased at the restaurants before that one stays erased.
    """
    address = email.strip().lower()
    if account_for_email(address) is not None:
        raise Conflict(HAS_ACCOUNT)
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.filter(customer_email__iexact=address)
        count = orders.count()
        counts = {
            str(model._meta.verbose_name_plural): _rows(model, address).count()
            for model in OF_ADDRESS
        }
        invitations = EmailInvitation.objects.filter(customer_email=address)
        counts[str(EmailInvitation._meta.verbose_name_plural)] = invitations.count()
        if not dry_run:
            for restaurant in Restaurant.objects.filter(pk__in=orders.values("restaurant")):
                newest = orders.filter(restaurant=restaurant).order_by("-created_at").first()
                if newest is not None:
                    erase_guest(order=newest, now=now)
            for model in OF_ADDRESS:
                _rows(model, address).delete()
            invitations.update(customer_email="", customer_name="", error="", provider_id="")
    return Erased(count, counts)


def _rows(model: type[Model], address: str) -> QuerySet[Model]:
    rows = model._default_manager.alias(address=Lower("email"))
    return rows.filter(address=address)
