"""Changes of plan: an upgrade counts at once, a downgrade from the next month on (decision 121).

Specials that are published keep the rate they were published with (DECISIONS X2): a change of plan
touches none of them.
"""

from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.transitions import Allowed, Cause, transition
from apps.restaurants.emails import queue_plan_changed_email
from apps.restaurants.entitlements import endings, is_downgrade, plan_name
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Restaurant
from apps.restaurants.selectors import owner_addresses
from apps.restaurants.services.onboarding import advance, count_month
from apps.restaurants.services.own_domains import end_with_the_plan
from apps.restaurants.tiers import month_of, share_rate, tier_at, tier_rate, tier_type

SUBSCRIPTION_ENDS = "Your subscription ends with the month you've paid for and isn't renewed."

_TIERS = frozenset(map(str, Restaurant.Tier))
TIER_CHANGES: Allowed = {tier: _TIERS - {tier} for tier in _TIERS}  # from each to every other


@transaction.atomic
def choose_plan(*, restaurant: Restaurant, tier: str, now: datetime, by: str) -> Restaurant:
    """Choose a plan, which sets the revenue share of what is published from then on (X7).

    A plan that includes at least as much counts at once. One that includes less counts from the
    first day of the next month in the restaurant's time zone; until a restaurant's setup is
    complete, at once. Choosing the present plan cancels a change to come, and records the setup
    step.
    """
    own = _locked(restaurant.pk)
    _carry_out(own, now)
    if is_downgrade(own.subscription_tier, tier) and own.onboarding_completed:
        _schedule(own, tier, now)
    else:
        _cancel(own, now)
        _change(own, tier, now, by=by)
    advance(own, Restaurant.RegistrationStep.TIER)
    transaction.on_commit(lambda: forget_hosts(own))
    return own


@transaction.atomic
def end_paid_plan(*, restaurant: Restaurant, now: datetime, by: str) -> None:
    """Change to the free plan at once: the month that a subscription paid for is over."""
    own = _locked(restaurant.pk)
    _cancel(own, now)
    _change(own, Restaurant.Tier.FREE, now, by=by)
    transaction.on_commit(lambda: forget_hosts(own))


def carry_out_plan_changes(*, now: datetime) -> int:
    """Carry out the changes of plan whose day has begun in the restaurant's time zone; returns how
    many.

    Act as the platform. Safe to repeat, and to run twice at once. What is published before it has
    run already has the new plan's rate (`tiers.tier_at`).
    """
    # No zone's day begins more than 14 hours before UTC's.
    latest = (now + timedelta(hours=14)).date()
    due = Restaurant.objects.filter(next_tier_from__lte=latest)
    return sum(_carry_out_one(pk, now) for pk in due.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def _carry_out_one(restaurant_id: UUID, now: datetime) -> bool:
    own = _locked(restaurant_id)
    if not _carry_out(own, now):
        return False
    transaction.on_commit(lambda: forget_hosts(own))
    for address in owner_addresses(own):
        queue_plan_changed_email(own, to=address)
    return True


def downgrade_effects(restaurant: Restaurant, *, tier: str, now: datetime) -> list[str]:
    """What changing to a plan that includes less means, in sentences, to be read before it.

    Empty for a plan that doesn't.
    """
    before = tier_at(restaurant, now=now)
    if not is_downgrade(before, tier):
        return []
    until = next_month(restaurant, now=now) if restaurant.onboarding_completed else None
    start = f"On {formats.day(until)}" if until else "At once"
    count, rate = settings.FREE_OFFERS_PER_MONTH, formats.rate(tier_rate(tier))
    first = (
        f"{start}, you'll change to the {plan_name(tier)} plan. Until then, everything stays "
        "as it is, and you can cancel the change."
        if until
        else f"{start}, you'll change to the {plan_name(tier)} plan."
    )
    return [
        first,
        f"From then on, your first {count} specials of each month carry no platform fee, and "
        f"later ones carry {rate} of each order.",
        "Specials you publish before keep the fee they were published with.",
        *([SUBSCRIPTION_ENDS] if restaurant.has_subscription else []),
        *endings(before, tier),
    ]


def next_month(restaurant: Restaurant, *, now: datetime) -> date:
    """The first day of the next month in the restaurant's time zone."""
    _, last = month_of(now.astimezone(restaurant.zone).date())
    return last + timedelta(days=1)


def _locked(restaurant_id: UUID) -> Restaurant:
    return Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant_id)


def _schedule(own: Restaurant, tier: str, now: datetime) -> None:
    if own.next_tier == tier:
        return
    starts = next_month(own, now=now)
    _set_next(own, tier, starts, now)
    record(
        Kind.PLAN_CHANGE_SCHEDULED,
        restaurant=own,
        plan=tier,
        before=own.subscription_tier,
        day=starts.isoformat(),
        now=now,
    )


def _cancel(own: Restaurant, now: datetime) -> None:
    if not own.next_tier:
        return
    plan = own.next_tier
    _set_next(own, "", None, now)
    record(Kind.PLAN_CHANGE_CANCELED, restaurant=own, plan=plan, now=now)


def _set_next(own: Restaurant, tier: str, starts: date | None, now: datetime) -> None:
    own.next_tier, own.next_tier_from = tier, starts
    Restaurant.objects.filter(pk=own.pk).update(
        next_tier=tier, next_tier_from=starts, updated_at=now
    )


def _carry_out(own: Restaurant, now: datetime) -> bool:
    tier = tier_at(own, now=now)
    if not own.next_tier or tier != own.next_tier:
        return False
    _set_next(own, "", None, now)
    _change(own, tier, now)
    return True


def _change(own: Restaurant, tier: str, now: datetime, *, by: str = "") -> None:
    before = own.subscription_tier
    has_changed = transition(
        own,
        "subscription_tier",
        tier,
        allowed=TIER_CHANGES,
        now=now,
        cause=Cause(actor=by),
        revenue_share_percentage=share_rate(own, tier),
        tier_type=tier_type(tier),
        updated_at=now,
    )
    if has_changed:
        record(Kind.PLAN_CHANGED, restaurant=own, plan=tier, before=before, now=now)
        end_with_the_plan(own, now=now)
    count_month(own, now=now)
