"""Notices to a restaurant's owners about their specials (decision 134).

Which there are is `NoticeKind`. Each owner gets each notice about a special once, if they want it,
and not during their quiet hours.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from apps.accounts.models import User
from apps.common.versions import require_version, version_of
from apps.offers.models import SpecialOffer
from apps.preorders.core import jobs
from apps.preorders.core.push_queue import queue_push
from apps.preorders.models import Email, NoticePreference
from apps.preorders.models.states import EmailKind, NoticeKind
from apps.restaurants.models import Membership, Restaurant

# The owner chose the deadline, so its result comes at that time; the rest can wait for the morning.
AT_ANY_HOUR = frozenset({NoticeKind.OFFER_RESULT})


def notify_owners(kind: NoticeKind, offer: SpecialOffer, *, now: datetime) -> None:
    """Queue a notice about an offer for each owner who wants it; repeating it changes nothing.

    Call it in the transaction of what the notice is about. Each channel is asked to deliver at the
    same time: `now`, or the end of the owner's quiet hours.
    """
    restaurant = offer.restaurant
    for owner in owners_of(restaurant):
        preference = notice_preference(restaurant, owner)
        if not getattr(preference, kind):
            continue
        due_at = now
        if kind not in AT_ANY_HOUR:
            due_at = end_of_quiet_hours(preference, restaurant.zone, now=now)
        _queue_email(kind, offer, owner, due_at=due_at, now=now)
        queue_push(kind, offer, owner, due_at=due_at)


def owners_of(restaurant: Restaurant) -> list[User]:
    """The restaurant's owners who can sign in."""
    owners = Membership.objects.filter(
        restaurant=restaurant, role=Membership.Role.OWNER, user__is_active=True
    )
    return [each.user for each in owners.select_related("user").order_by("pk")]


def notice_preference(restaurant: Restaurant, user: User) -> NoticePreference:
    """What the owner chose; the defaults, unsaved, if they chose nothing yet."""
    found = NoticePreference.objects.filter(restaurant=restaurant, user=user).first()
    return found or NoticePreference(restaurant=restaurant, user=user)


def preference_version(preference: NoticePreference) -> str:
    """Another one whenever the owner has chosen otherwise, on another device too."""
    return version_of(wanted_notices(preference))


def wanted_notices(preference: NoticePreference) -> dict[str, str | bool]:
    """The choices by their names, for the person's download."""
    return {
        **{kind.value: getattr(preference, kind) for kind in NoticeKind},
        "quietHours": f"{preference.quiet_from:%H:%M}-{preference.quiet_until:%H:%M}",
    }


@transaction.atomic
def save_notice_preference(
    *,
    restaurant: Restaurant,
    user: User,
    wanted: set[NoticeKind],
    quiet_from: time,
    quiet_until: time,
    version: str = "",
    now: datetime,
) -> NoticePreference:
    """Save which notices the owner wants, and their quiet hours; equal hours mean none.

    `version` is the `preference_version` that the form was filled with; empty for none. Raises
    EditedMeanwhile.
    """
    # The owner's own row is the lock: before the first save there is no preference to lock.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    stored = notice_preference(restaurant, user)
    require_version(version, lambda: preference_version(stored), name="Your notices")
    saved, _is_new = NoticePreference.objects.update_or_create(
        restaurant=restaurant,
        user=user,
        defaults={
            **{kind.value: kind in wanted for kind in NoticeKind},
            "quiet_from": quiet_from,
            "quiet_until": quiet_until,
            "changed_at": now,
        },
    )
    return saved


def end_of_quiet_hours(preference: NoticePreference, zone: ZoneInfo, *, now: datetime) -> datetime:
    """`now`, or when the quiet hours end that it falls into."""
    begins, ends = preference.quiet_from, preference.quiet_until
    local = now.astimezone(zone)
    at = local.time()
    is_quiet = begins <= at < ends if begins < ends else at >= begins or at < ends
    if begins == ends or not is_quiet:
        return now
    day = local.date() + timedelta(days=1) if at >= ends else local.date()
    return datetime.combine(day, ends, zone)


def _queue_email(
    kind: NoticeKind, offer: SpecialOffer, owner: User, *, due_at: datetime, now: datetime
) -> None:
    email, is_new = Email.objects.get_or_create(
        offer=offer,
        kind=EmailKind(kind.value),
        recipient=owner,
        pre_order=None,
        defaults={"restaurant_id": offer.restaurant_id, "due_at": due_at},
    )
    if is_new and due_at <= now:
        jobs.enqueue_email(email.pk)
