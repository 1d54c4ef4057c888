"""Team management: invite, accept, change roles, remove members."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Lower
from django.http import HttpRequest

from apps.accounts.models import User
from apps.accounts.rate_limits import Limit
from apps.accounts.services.accounts import (
    account_for_email,
    create_account,
    is_confirmed,
    welcome,
)
from apps.accounts.services.passwords import password_error
from apps.accounts.services.tokens import TOKEN_BYTES, digest_of
from apps.accounts.two_factor import has_second_factor
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, FieldError, Forbidden, Invalid, NotFound
from apps.restaurants import emails as restaurants_emails
from apps.restaurants.models import Invitation, Membership, Restaurant
from apps.restaurants.permissions import choose_restaurant
from apps.restaurants.services.registration import CONFIRM_FIRST, require_confirmed_owner

INVITATION_LIFETIME = timedelta(days=7)
# Per restaurant, per account that invites, and per IP address: one person can have many restaurants
# and one machine many accounts.
INVITATIONS = Limit("invitations", times=30, window=24 * 60 * 60)
INVITATIONS_BY_ACCOUNT = Limit("invitations-by-account", times=60, window=24 * 60 * 60)
INVITATIONS_BY_ADDRESS = Limit("invitations-by-address", times=60, window=24 * 60 * 60)

# How long a new owner can't remove or demote an owner who was there before.
OWNER_PROBATION = timedelta(days=7)

OWN_FACTOR_FIRST = "Turn on two-step verification for your own account first."
TOO_NEW = (
    "You became an owner less than 7 days ago, so you can't remove or change an owner who was "
    "there before you. Ask them, or wait."
)
IS_MEMBER = "This person is already on your team."
UNKNOWN_MEMBER = "We couldn't find that person on your team. Reload the page."
UNKNOWN_INVITATION = "We couldn't find that invitation. Reload the page."
LAST_OWNER = "A restaurant needs an owner. Make someone else an owner first."
INVALID_INVITATION = "This invitation is no longer valid. Ask the restaurant to send you a new one."
NAME_REQUIRED = "Please enter your name"


# --- inviting -------------------------------------------------------------------------------------
@transaction.atomic
def invite(
    *,
    restaurant: Restaurant,
    email: str,
    role: str,
    by: User,
    ip_address: str = "",
    now: datetime,
) -> Invitation:
    """Send an invitation. Replaces an open one to the same address.

    Raises Forbidden until an owner's and the inviter's own email is confirmed, Conflict if they are
    already on the team, and TooManyAttempts.
    """
    require_confirmed_owner(restaurant)
    if not is_confirmed(by):
        raise Forbidden(CONFIRM_FIRST, code=ErrorCode.CONFIRM_EMAIL)
    address = email.strip().lower()
    _lock(restaurant)
    members = Membership.objects.filter(restaurant=restaurant)
    if members.alias(address=Lower("user__email")).filter(address=address).exists():
        raise Conflict(IS_MEMBER, fields=[FieldError("email", IS_MEMBER)])
    INVITATIONS.count(str(restaurant.pk))
    INVITATIONS_BY_ACCOUNT.count(str(by.pk))
    if ip_address:
        INVITATIONS_BY_ADDRESS.count(ip_address)
    open_ones = Invitation.objects.filter(restaurant=restaurant, accepted_at=None, revoked_at=None)
    open_ones.filter(email=address).update(revoked_at=now)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    invitation = Invitation.objects.create(
        restaurant=restaurant,
        email=address,
        role=role,
        digest=digest_of(token),
        invited_by=by,
        created_at=now,
        expires_at=now + INVITATION_LIFETIME,
    )
    restaurants_emails.queue_invitation_email(invitation, token=token)
    about = ("invitation", invitation.pk)
    record(Kind.MEMBER_INVITED, restaurant=restaurant, actor=by, about=about, role=role, now=now)
    return invitation


def open_invitation(invitation_id: UUID, *, now: datetime) -> Invitation | None:
    """The invitation if it can still be accepted, otherwise None."""
    return (
        Invitation.objects.select_related("restaurant", "invited_by")
        .filter(pk=invitation_id, accepted_at=None, revoked_at=None, expires_at__gt=now)
        .first()
    )


@transaction.atomic
def revoke_invitation(*, restaurant: Restaurant, invitation_id: UUID, now: datetime) -> None:
    """Revoke an open invitation. Raises NotFound if it isn't open or isn't this restaurant's."""
    revoked = Invitation.objects.filter(
        restaurant=restaurant, pk=invitation_id, accepted_at=None, revoked_at=None
    ).update(revoked_at=now)
    if not revoked:
        raise NotFound(UNKNOWN_INVITATION)
    about = ("invitation", invitation_id)
    record(Kind.INVITATION_REVOKED, restaurant=restaurant, about=about, now=now)


# --- accepting ------------------------------------------------------------------------------------
def invitation_for_token(*, token: str, now: datetime) -> Invitation:
    """The invitation of this link. Raises NotFound, with the same message whether the token is
    wrong, used, revoked, or expired.
    """
    with rls.acting_as(rls.PLATFORM):
        found = (
            Invitation.objects.select_related("restaurant")
            .filter(
                digest=digest_of(token),
                accepted_at=None,
                revoked_at=None,
                expires_at__gt=now,
                restaurant__status=Restaurant.Status.ACTIVE,
            )
            .first()
        )
    if found is None:
        raise NotFound(INVALID_INVITATION)
    return found


def accept_invitation(
    *, request: HttpRequest, user: User | None, token: str, name: str, password: str, now: datetime
) -> tuple[User, Restaurant]:
    """Join the team as `user` or, if the email has no account, with a new one.

    The invitation is only for its own email: a user signed in with another is refused. A new
    account counts as confirmed, since the link was read in its mailbox, and is signed in. Raises
    NotFound, Forbidden, and Invalid.
    """
    with transaction.atomic(), rls.acting_as(rls.PLATFORM):
        invitation = invitation_for_token(token=token, now=now)
        restaurant = invitation.restaurant
        # Of two concurrent requests, or an accept and a revoke, only one updates the row.
        spent = Invitation.objects.filter(
            pk=invitation.pk, accepted_at=None, revoked_at=None
        ).update(accepted_at=now)
        if not spent:
            raise NotFound(INVALID_INVITATION)
        person = _whoever_accepts(user, invitation, name=name, password=password)
        Membership.objects.get_or_create(
            user=person, restaurant=restaurant, defaults={"role": invitation.role}
        )
        record(
            Kind.INVITATION_ACCEPTED,
            restaurant=restaurant,
            account=person,
            actor=person,
            about=("invitation", invitation.pk),
            role=invitation.role,
            now=now,
        )
    if user is None:
        welcome(request=request, user=person)
    choose_restaurant(request, restaurant.pk)
    return person, restaurant


def _whoever_accepts(
    user: User | None, invitation: Invitation, *, name: str, password: str
) -> User:
    address = invitation.email
    if user is not None:
        if user.email.lower() != address:
            raise Forbidden(
                f"This invitation is for {address}. Sign out, then open the link again."
            )
        return user
    if account_for_email(address) is not None:
        raise Forbidden(f"Sign in as {address} to accept this invitation.")
    return _new_colleague(invitation, name=name, password=password)


def _new_colleague(invitation: Invitation, *, name: str, password: str) -> User:
    errors = []
    if not name.strip():
        errors.append(FieldError("name", NAME_REQUIRED))
    sentence = password_error(password)
    if sentence:
        errors.append(FieldError("password", sentence))
    if errors:
        raise Invalid.because(errors)
    person = create_account(email=invitation.email, name=name, password=password, confirmed=True)
    if invitation.role != Membership.Role.OWNER:
        # The welcome explains how to set up a restaurant, which only owners do.
        person.has_completed_onboarding = True
        person.save(update_fields=["has_completed_onboarding"])
    return person


# --- members --------------------------------------------------------------------------------------
def _lock(restaurant: Restaurant) -> None:
    """Serialize changes to one team, so that two owners can't remove each other."""
    Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)


def _member(restaurant: Restaurant, user_id: UUID) -> Membership:
    found = Membership.objects.filter(restaurant=restaurant, user_id=user_id).first()
    if found is None:
        raise NotFound(UNKNOWN_MEMBER)
    return found


def _leave_an_owner(restaurant: Restaurant, leaving: Membership) -> None:
    others = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    if leaving.role == Membership.Role.OWNER and not others.exclude(pk=leaving.pk).exists():
        raise Conflict(LAST_OWNER)


def _check_seniority(restaurant: Restaurant, member: Membership, by: User, now: datetime) -> None:
    """Raises Forbidden for a new owner who would remove or demote one who was there before."""
    if member.role != Membership.Role.OWNER or member.user_id == by.pk:
        return
    actor = Membership.objects.filter(restaurant=restaurant, user=by).first()
    since = max(actor.created_at, actor.role_since) if actor else now
    if since > member.created_at and now - since < OWNER_PROBATION:
        raise Forbidden(TOO_NEW)


def _end_invitations_by(restaurant: Restaurant, user_id: UUID, now: datetime) -> None:
    Invitation.objects.filter(
        restaurant=restaurant, invited_by=user_id, accepted_at=None, revoked_at=None
    ).update(revoked_at=now)


@transaction.atomic
def remove_member(*, restaurant: Restaurant, user_id: UUID, by: User, now: datetime) -> None:
    """Remove a member, effective with their next request; their open invitations end too.

    Every owner is told when one of them is removed. Raises NotFound, Conflict for the last owner,
    and Forbidden for an owner of less than `OWNER_PROBATION` who removes an earlier one.
    """
    _lock(restaurant)
    member = _member(restaurant, user_id)
    _leave_an_owner(restaurant, member)
    _check_seniority(restaurant, member, by, now)
    _tell_owners(restaurant, member, by, "was removed from the team")
    _end_invitations_by(restaurant, user_id, now)
    record(
        Kind.MEMBER_REMOVED,
        restaurant=restaurant,
        account=user_id,
        actor=by,
        about=("member", user_id),
        role=member.role,
        now=now,
    )
    _tell_member(restaurant, member, by, "You were removed from the team")
    member.delete()


@transaction.atomic
def change_role(
    *, restaurant: Restaurant, user_id: UUID, role: str, by: User, now: datetime
) -> Membership:
    """Change a member's role. Raises like `remove_member`."""
    _lock(restaurant)
    member = _member(restaurant, user_id)
    if role == member.role:
        return member
    if role != Membership.Role.OWNER:
        _leave_an_owner(restaurant, member)
        _check_seniority(restaurant, member, by, now)
        _tell_owners(restaurant, member, by, f"is now {role} instead of owner")
        _end_invitations_by(restaurant, user_id, now)
    record(
        Kind.ROLE_CHANGED,
        restaurant=restaurant,
        account=user_id,
        actor=by,
        about=("member", user_id),
        role=role,
        before=member.role,
        now=now,
    )
    was_owner = member.role == Membership.Role.OWNER
    member.role, member.role_since = role, now
    member.save(update_fields=["role", "role_since"])
    if role == Membership.Role.OWNER:
        _tell_owners(restaurant, member, by, "is now an owner")
    elif not was_owner:
        _tell_member(restaurant, member, by, f"Your role is {role} now")
    return member


def members_without_two_factor(restaurant: Restaurant) -> list[User]:
    """The members who have no second factor yet, in the order they joined."""
    members = Membership.objects.filter(restaurant=restaurant).select_related("user").order_by("pk")
    return [each.user for each in members if not has_second_factor(each.user)]


@transaction.atomic
def require_two_factor(*, restaurant: Restaurant, by: User, is_required: bool) -> None:
    """Whether members need two-step verification before they can act.

    Raises Conflict for an owner without it, who would lock themselves out.
    """
    if is_required and not has_second_factor(by):
        raise Conflict(OWN_FACTOR_FIRST)
    _lock(restaurant)
    Restaurant.objects.filter(pk=restaurant.pk).update(requires_two_factor=is_required)
    record(Kind.TWO_FACTOR_RULE_CHANGED, restaurant=restaurant, actor=by, required=is_required)


def _tell_owners(restaurant: Restaurant, member: Membership, by: User, what: str) -> None:
    """Email every owner about one who has become or is no longer an owner, and that one too."""
    if member.role != Membership.Role.OWNER:
        return
    owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    for address in owners.values_list("user__email", flat=True):
        restaurants_emails.queue_owner_changed_email(
            restaurant, to=address, owner=member.user.name, what=what, by=by.name
        )


def _tell_member(restaurant: Restaurant, member: Membership, by: User, what: str) -> None:
    """Email somebody whose role changed. Owners are told by `_tell_owners`."""
    if member.role == Membership.Role.OWNER or member.user_id == by.pk:
        return
    restaurants_emails.queue_role_changed_email(
        restaurant, to=member.user.email, what=what, by=by.name
    )
