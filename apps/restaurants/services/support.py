"""Support access: staff see a restaurant as its owner does, if the owner allows it (decision 91).

Staff ask and say why. The owner turns access on for a while, and off at any time. A visit lasts
half an hour at most and can't change anything: that is enforced by `restaurants.support_visits`.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.restaurants import emails
from apps.restaurants.models import Membership, Restaurant, SupportVisit
from apps.restaurants.selectors import active_restaurant_by_id

VISIT_DURATION = timedelta(minutes=30)
ACCESS_HOURS = (1, 24, 72)  # what an owner can choose
# A visit that was asked for longer ago has to be asked for again.
REQUEST_LIFETIME = timedelta(days=7)
REASON_LENGTH = 200
ABOUT = "support_visit"

NO_REASON = f"Say why you want to look, in at most {REASON_LENGTH} characters. The owner reads it."
UNKNOWN_RESTAURANT = "We couldn't find that restaurant, or it isn't active."
UNKNOWN_VISIT = "We couldn't find that visit. Ask for a new one."
IS_OVER = "That visit is over. Ask for a new one."
NOT_ALLOWED = "The owner hasn't turned on support access. They've been asked by email."
WRONG_HOURS = "Choose how long support can look."


@transaction.atomic
def ask_for_visit(*, restaurant_id: UUID, staff: User, reason: str, now: datetime) -> SupportVisit:
    """Ask the owners to turn on support access; they get an email with the reason.

    Raises Invalid without a reason and NotFound if the restaurant isn't active.
    """
    words = " ".join(reason.split())
    if not words or len(words) > REASON_LENGTH:
        raise Invalid.because([FieldError("reason", NO_REASON)])
    restaurant = active_restaurant_by_id(restaurant_id)
    if restaurant is None:
        raise NotFound(UNKNOWN_RESTAURANT)
    with rls.acting_as(restaurant):
        visit = SupportVisit.objects.create(
            restaurant=restaurant, staff=staff, reason=words, asked_at=now
        )
        record(
            Kind.SUPPORT_VISIT_ASKED, restaurant=restaurant, actor=staff, about=(ABOUT, visit.pk)
        )
        if not has_support_access(restaurant, now=now):
            _tell_owners(visit, "asked")
    return visit


@transaction.atomic
def allow_support_access(*, restaurant: Restaurant, hours: int, now: datetime) -> None:
    """Let staff look for this many hours. Raises Invalid for a number that isn't in
    `ACCESS_HOURS`."""
    if hours not in ACCESS_HOURS:
        raise Invalid.because([FieldError("hours", WRONG_HOURS)])
    restaurant.support_access_until = now + timedelta(hours=hours)
    restaurant.save(update_fields=["support_access_until"])  # type: ignore[no-untyped-call]
    record(Kind.SUPPORT_ACCESS_ALLOWED, restaurant=restaurant, hours=hours)


@transaction.atomic
def end_support_access(*, restaurant: Restaurant, now: datetime) -> None:
    """Turn support access off; a visit under way is over at once. Safe to repeat."""
    if restaurant.support_access_until is None:
        return
    restaurant.support_access_until = None
    restaurant.save(update_fields=["support_access_until"])  # type: ignore[no-untyped-call]
    record(Kind.SUPPORT_ACCESS_ENDED, restaurant=restaurant)
    for visit in SupportVisit.objects.filter(restaurant=restaurant, ended_at=None).exclude(
        started_at=None
    ):
        _end(visit, now=now)


def has_support_access(restaurant: Restaurant, *, now: datetime) -> bool:
    """Whether the owner lets staff look now."""
    until = restaurant.support_access_until
    return until is not None and now < until


@transaction.atomic
def start_visit(*, visit_id: UUID, staff: User, now: datetime) -> SupportVisit:
    """Begin a visit that was asked for; the owners get an email.

    Raises NotFound for somebody else's, Conflict if it is over or the owner doesn't allow it.
    """
    with rls.acting_as(rls.PLATFORM):
        rows = SupportVisit.objects.select_for_update(of=("self",)).select_related("restaurant")
        visit = rows.filter(pk=visit_id, staff=staff).first()
        if visit is None:
            raise NotFound(UNKNOWN_VISIT)
        if visit.started_at or visit.ended_at or visit.asked_at + REQUEST_LIFETIME < now:
            raise Conflict(IS_OVER)
        if not _is_allowed(visit, now):
            raise Conflict(NOT_ALLOWED)
        visit.started_at, visit.ends_at = now, now + VISIT_DURATION
        visit.save(update_fields=["started_at", "ends_at"])
        record(
            Kind.SUPPORT_VISIT_STARTED,
            restaurant=visit.restaurant_id,
            actor=staff,
            about=(ABOUT, visit.pk),
        )
        _tell_owners(visit, "started")
    return visit


def visit_under_way(*, visit_id: UUID, staff: User | None, now: datetime) -> SupportVisit | None:
    """The visit while it lasts; None once it has ended, its time is over, the owner has withdrawn
    consent, or the visitor isn't `staff` anymore.

    Records the end the first time it finds the visit over.
    """
    with rls.acting_as(rls.PLATFORM):
        visit = SupportVisit.objects.select_related("restaurant").filter(pk=visit_id).first()
    if visit is None or visit.ends_at is None or visit.ended_at is not None:
        return None
    is_theirs = staff is not None and visit.staff_id == staff.pk
    if is_theirs and now < visit.ends_at and _is_allowed(visit, now):
        return visit
    end_visit(visit_id=visit_id, now=now)
    return None


@transaction.atomic
def end_visit(*, visit_id: UUID, now: datetime) -> None:
    """End the visit that a session is in. Safe to repeat."""
    with rls.acting_as(rls.PLATFORM):
        rows = SupportVisit.objects.select_for_update().filter(pk=visit_id)
        visit = rows.filter(ended_at=None).first()
        if visit is not None:
            _end(visit, now=now)


def visits_of_restaurant(restaurant_id: UUID) -> QuerySet[SupportVisit]:
    """The visits to a restaurant, newest first."""
    rows = SupportVisit.objects.filter(restaurant_id=restaurant_id).select_related("staff")
    return rows.order_by("-asked_at")


def _is_allowed(visit: SupportVisit, now: datetime) -> bool:
    restaurant = visit.restaurant
    is_active = restaurant.status == Restaurant.Status.ACTIVE
    return is_active and has_support_access(restaurant, now=now)


def _end(visit: SupportVisit, *, now: datetime) -> None:
    visit.ended_at = min(now, visit.ends_at) if visit.ends_at else now
    visit.save(update_fields=["ended_at"])
    record(
        Kind.SUPPORT_VISIT_ENDED, restaurant=visit.restaurant_id, about=(ABOUT, visit.pk), now=now
    )


def _tell_owners(visit: SupportVisit, what: str) -> None:
    owners = Membership.objects.filter(restaurant=visit.restaurant_id, role=Membership.Role.OWNER)
    for address in owners.values_list("user__email", flat=True):
        emails.queue_support_visit_email(visit, to=address, what=what)
