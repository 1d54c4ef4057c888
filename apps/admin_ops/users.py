"""User administration by staff: everybody's accounts (decision 86).

Everything that can take away a staff member's rights holds one lock while it counts who remains, so
if two staff members remove each other at once, one remains.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from allauth.account.models import EmailAddress
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.http import HttpRequest

from apps.accounts import emails as accounts_emails
from apps.accounts.models import User
from apps.accounts.services.accounts import AlreadyRegistered, create_account
from apps.accounts.services.confirmation import replace_unconfirmed
from apps.accounts.services.sessions import end_all_sessions_and_tokens
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.cursors import PAGE_SIZE, cursor_after, moment_and_key
from apps.common.errors import Conflict, NotFound
from apps.privacy.account_deletion import delete_account, deletion_plan

UNKNOWN_USER = "We couldn't find that account. It may have been deleted. Reload the list."
LAST_STAFF = (
    "{name} is the last staff member who can sign in. Make someone else an admin first, and let "
    "them choose a password."
)
OWN_ACCOUNT = "You can't delete or deactivate your own account. Ask another staff member."
LAST_OWNER = (
    "{name} is the last owner of {restaurants}. Make someone else an owner on the team page first, "
    "or suspend the restaurant."
)
_UNUSABLE = "!"  # how Django begins a password that can't be used


@dataclass(frozen=True, slots=True)
class UserPage:
    """One page of accounts, newest first, and how many match in all."""

    users: list[User]
    total: int
    next_cursor: str | None


def users_for_staff(
    *, search: str = "", cursor: str | None = None, limit: int = PAGE_SIZE
) -> UserPage:
    """Accounts whose name or email contains all words of `search`. Raises InvalidCursor."""
    found = User.objects.all()
    for word in search.replace("\0", "").split():
        found = found.filter(Q(name__icontains=word) | Q(email__icontains=word))
    total = found.count()
    if before := moment_and_key(cursor):
        moment, key = before
        found = found.filter(Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key))
    page = list(found.order_by("-created_at", "-pk")[: limit + 1])
    last = page[limit - 1] if len(page) > limit else None
    following = cursor_after(last.created_at, last.pk) if last else None
    return UserPage(page[:limit], total, following)


def user_for_staff(user_id: UUID) -> User:
    """One account. Raises NotFound."""
    found = User.objects.filter(pk=user_id).first()
    if found is None:
        raise NotFound(UNKNOWN_USER)
    return found


@transaction.atomic
def create_user(*, name: str, email: str, role: str, by: User) -> User:
    """Create an account for somebody, without a password: they choose one by email.

    Raises AlreadyRegistered.
    """
    user = create_account(email=email, name=name, confirmed=False, role=role, by=by)
    accounts_emails.queue_email(
        accounts_emails.ACCOUNT_CREATED,
        to=user.email,
        name=user.name,
        email=user.email,
        is_staff="yes" if user.is_staff else "",
    )
    return user


@transaction.atomic
def edit_user(
    *,
    request: HttpRequest,
    user_id: UUID,
    name: str,
    email: str,
    role: str,
    is_active: bool | None = None,
    by: User,
    now: datetime,
) -> User:
    """Change an account; `is_active` None leaves that as it is. Sending the same changes nothing.

    A new email has to be confirmed, and the former address is told. A new email, a new role, and
    deactivation sign the account out everywhere. Raises NotFound, AlreadyRegistered, and Conflict
    if no staff would remain, or for deactivating oneself.
    """
    _lock_staff()
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        raise NotFound(UNKNOWN_USER)
    before, was_active = user.role, user.is_active
    active = was_active if is_active is None else is_active
    if not active and was_active and user.pk == by.pk:
        raise Conflict(OWN_ACCOUNT)
    if user.is_staff and was_active and not (role == User.Role.ADMIN and active):
        _require_other_staff(user)
    renamed = user.name != name.strip()
    user.name, user.role, user.is_active = name.strip(), role, active
    user.save(update_fields=["name", "role", "is_active"])
    if renamed:
        record(Kind.ACCOUNT_EDITED, account=user, actor=by, now=now, fields=["name"])
    if role != before:
        record(Kind.ACCOUNT_ROLE_CHANGED, account=user, actor=by, now=now, role=role, before=before)
    if active != was_active:
        kind = Kind.ACCOUNT_REACTIVATED if active else Kind.ACCOUNT_DEACTIVATED
        record(kind, account=user, actor=by, now=now)
    moved = user.email.lower() != email.strip().lower()
    if moved:
        _change_email(request, user, email, now)
    if moved or role != before or (was_active and not active):
        end_all_sessions_and_tokens(user=user)
    return user


@transaction.atomic
def delete_user(*, user_id: UUID, by: User, now: datetime) -> None:
    """Delete an account as its owner could (decision 64).

    Raises NotFound, and Conflict for one's own account, the last staff member, the last owner of a
    restaurant, or while something else prevents it.
    """
    _lock_staff()
    user = user_for_staff(user_id)
    if user.pk == by.pk:
        raise Conflict(OWN_ACCOUNT)
    if user.is_staff and user.is_active:
        _require_other_staff(user)
    with rls.acting_as(rls.PLATFORM):
        plan = deletion_plan(user=user, now=now, by=by)
    if plan.closes:
        names = ", ".join(each.name for each in plan.closes)
        raise Conflict(LAST_OWNER.format(name=user.name, restaurants=names))
    try:
        delete_account(user=user, closes=(), now=now, by=by)
    except User.DoesNotExist:  # somebody else deleted it meanwhile
        raise NotFound(UNKNOWN_USER) from None


def _lock_staff() -> None:
    """Let nobody else change accounts as staff until the caller's transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('staff accounts', 0))")


def _require_other_staff(user: User) -> None:
    """Raises Conflict unless another member of staff can sign in."""
    others = User.objects.filter(role=User.Role.ADMIN, is_active=True).exclude(pk=user.pk)
    if not others.exclude(password__startswith=_UNUSABLE).exists():
        raise Conflict(LAST_STAFF.format(name=user.name))


def _change_email(request: HttpRequest, user: User, email: str, now: datetime) -> None:
    former = user.email
    try:
        with transaction.atomic():
            replace_unconfirmed(request=request, user=user, email=email, now=now)
    except IntegrityError as error:  # another request took the address
        raise AlreadyRegistered from error
    if EmailAddress.objects.filter(user=user, email=user.email).exists():
        accounts_emails.queue_email(
            accounts_emails.EMAIL_CHANGED, to=former, old=former, new=user.email
        )
