"""Deleting the account of an owner or a team member (decision 64).

What the person did stays in the records of their restaurants, under `FORMER_MEMBER`. A restaurant
with another owner goes on. One without is closed with the account, which waits until nothing of it
is open.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower

from apps.accounts import emails as accounts_emails
from apps.accounts.models import EmailConfirmation, User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import ConnectAccount, Discrepancy, Payout, SubscriptionSignUp
from apps.common import formats, rls
from apps.common.errors import Conflict, FieldError, Invalid
from apps.marketing.models import DemoLead
from apps.offers.models import OfferChange, OfferTransition, SpecialOffer
from apps.offers.states import UNDECIDED
from apps.preorders.guest.erasure import open_orders
from apps.preorders.models import (
    DisputeTransition,
    GuestMessage,
    OrderNote,
    PaymentOperation,
    PreOrderTransition,
)
from apps.restaurants.models import (
    IncompleteRegistration,
    Invitation,
    Membership,
    Restaurant,
    RestaurantTransition,
)
from apps.restaurants.services.closing import close_restaurant

FORMER_MEMBER = "Former team member"
# Where the records of a restaurant name who did something, and the column.
RECORDS_OF_PEOPLE: list[tuple[type[Any], str]] = [
    (PreOrderTransition, "actor"),
    (OfferTransition, "actor"),
    (RestaurantTransition, "actor"),
    (DisputeTransition, "actor"),
    (PaymentOperation, "actor"),
    (OrderNote, "by"),
    (OfferChange, "by"),
    (GuestMessage, "by"),
    (Discrepancy, "resolved_by"),
]
STAFF = "Only another staff member can delete a staff account. Ask one of them."
CLOSE_FIRST = "Confirm that {names} will be closed."
STAYS = (
    "What stays: your restaurants' orders, payments, and fees, which accounting law requires. "
    "Your name in their records was replaced with “Former team member”."
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What has to happen before the account can be deleted."""

    fact: str
    url: str  # where to do it, on the platform's host
    remedy: str = ""  # what to do, where the fact doesn't say it

    @property
    def message(self) -> str:
        return f"{self.fact} {self.remedy}".strip()


@dataclass(slots=True)
class DeletionPlan:
    """What deleting the account does: restaurants left and closed, and what prevents it."""

    leaves: list[Restaurant] = field(default_factory=list)
    closes: list[Restaurant] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def can_delete(self) -> bool:
        return not self.problems


def deletion_plan(*, user: User, now: datetime, by: User | None = None) -> DeletionPlan:
    """What deleting this account would do now; `by` is the member of staff who wants to."""
    plan = DeletionPlan()
    if user.is_staff and by is None:
        plan.problems.append(Problem(STAFF, "/account"))
    with rls.acting_as(rls.PLATFORM):
        for restaurant in _restaurants_of(user):
            if _is_last_owner(user, restaurant):
                plan.closes.append(restaurant)
                plan.problems += _what_is_open(restaurant, now)
            else:
                plan.leaves.append(restaurant)
                if restaurant.email.lower() == user.email.lower():
                    plan.problems.append(_contact_address(restaurant))
    return plan


@transaction.atomic
def delete_account(
    *, user: User, closes: Collection[UUID], now: datetime, by: User | None = None
) -> None:
    """Delete the account, and close the restaurants that it is the last owner of.

    `closes` are those the person agreed to close. Sessions and API tokens end, the email address is
    free again, and the person is told by email. `by` is the member of staff who deletes it for
    them, who has checked that staff remain. Raises Conflict while something prevents it, and
    Invalid if `closes` lacks one.
    """
    with rls.acting_as(rls.PLATFORM):
        # In the order of their keys, so that two owners who leave at once don't wait in a circle;
        # the second finds itself the last.
        own = Membership.objects.filter(user=user).values("restaurant")
        list(Restaurant.objects.filter(pk__in=own).order_by("pk").select_for_update(of=("self",)))
        person = User.objects.select_for_update().get(pk=user.pk)
        plan = deletion_plan(user=person, now=now, by=by)
        if plan.problems:
            raise Conflict(" ".join(each.message for each in plan.problems))
        if unasked := [each for each in plan.closes if each.pk not in closes]:
            names = ", ".join(each.name for each in unasked)
            message = CLOSE_FIRST.format(names=names)
            raise Invalid(message, fields=[FieldError("closeRestaurants", message)])
        for restaurant in plan.leaves:
            _leave(person, restaurant, now, by or person)
        for restaurant in [*plan.leaves, *plan.closes]:
            _remove_name(person, restaurant)
        for restaurant in plan.closes:
            close_restaurant(restaurant=restaurant, by=person, now=now)
        _delete(person, stays=STAYS if plan.leaves or plan.closes else "", by=by)


def _restaurants_of(user: User) -> QuerySet[Restaurant]:
    return Restaurant.objects.filter(memberships__user=user).order_by("name", "pk")


def _is_last_owner(user: User, restaurant: Restaurant) -> bool:
    owners = Membership.objects.filter(
        restaurant=restaurant, role=Membership.Role.OWNER, user__is_active=True
    )
    return owners.filter(user=user).exists() and not owners.exclude(user=user).exists()


def _what_is_open(restaurant: Restaurant, now: datetime) -> Iterator[Problem]:
    """Why the restaurant can't be closed yet."""
    way_out = f"Make someone else an owner of {restaurant.name}, or wait until that's over."
    team = f"/restaurant/team?restaurant={restaurant.pk}"
    upcoming = SpecialOffer.objects.filter(restaurant=restaurant, status__in=sorted(UNDECIDED))
    for offer in upcoming.order_by("serve_date", "pk")[:1]:
        day = formats.day(offer.serve_date)
        special = f"{offer.name}, {day}"
        yield Problem(f"{restaurant.name} has a special that isn't over: {special}.", team, way_out)
    waiting = open_orders(now).filter(restaurant=restaurant).count()
    if waiting:
        orders = formats.count(waiting, "order")
        yield Problem(f"{restaurant.name} has {orders} that aren't over.", team, way_out)
    unpaid = [Payout.Status.PENDING, Payout.Status.SENT]
    if Payout.objects.filter(restaurant=restaurant, status__in=unpaid).exists():
        yield Problem(f"{restaurant.name} is waiting for a payout.", team, way_out)
    accounts = ConnectAccount.objects.filter(restaurant=restaurant)
    for account in accounts:
        balance = account.available_balance + account.pending_balance
        if balance:
            amount = formats.money(balance, account.currency)
            yield Problem(f"{restaurant.name} has {amount} that isn't paid out yet.", team, way_out)


def _contact_address(restaurant: Restaurant) -> Problem:
    return Problem(
        f"Your address is the contact address of {restaurant.name}. Change it in the settings "
        "first.",
        f"/restaurant/settings?restaurant={restaurant.pk}",
    )


def _leave(user: User, restaurant: Restaurant, now: datetime, actor: User) -> None:
    """The restaurant's invitations by this person end, and another owner's name takes its place."""
    Invitation.objects.filter(
        restaurant=restaurant, invited_by=user, accepted_at=None, revoked_at=None
    ).update(revoked_at=now)
    about = ("member", user.pk)
    record(Kind.MEMBER_REMOVED, restaurant=restaurant, account=user, actor=actor, about=about)
    columns: dict[str, str | None] = {}
    if restaurant.owner_name == user.name:
        heirs = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
        heir = heirs.exclude(user=user).order_by("pk").select_related("user").first()
        columns["owner_name"] = heir.user.name if heir else ""
        # Most likely theirs: whoever registers a restaurant is its first owner.
        columns["terms_agreed_from"] = None
    for column in ("billing_email", "new_email"):
        if getattr(restaurant, column).lower() == user.email.lower():
            columns[column] = ""
    if columns:
        Restaurant.objects.filter(pk=restaurant.pk).update(**columns)


def _remove_name(user: User, restaurant: Restaurant) -> None:
    for records, column in RECORDS_OF_PEOPLE:
        records.objects.filter(
            restaurant=restaurant, **{f"{column}__in": [user.name, user.email]}
        ).update(**{column: FORMER_MEMBER})


def _delete(user: User, *, stays: str, by: User | None) -> None:
    """The account and what else is stored about its address; foreign keys take the rest along."""
    address = user.email.lower()
    for session in UserSession.objects.filter(user=user):
        session.end()  # with what the cache has of it
    for model in (EmailConfirmation, Invitation, IncompleteRegistration, DemoLead):
        rows = model.objects.alias(address=Lower("email"))
        rows.filter(address=address).delete()
    with rls.acting_as(rls.PLATFORM):
        SubscriptionSignUp.objects.filter(user=user).update(
            email="", name="", terms_agreed_from=None
        )
    accounts_emails.queue_email(
        accounts_emails.ACCOUNT_DELETED,
        to=user.email,
        email=user.email,
        stays=stays,
        by_staff="yes" if by else "",
    )
    record(Kind.ACCOUNT_DELETED, account=user, actor=by or user)
    user.delete()
