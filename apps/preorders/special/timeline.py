"""The timeline of an offer: ordered portions and the minimum over time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from apps.offers.models import OfferChange, SpecialOffer
from apps.preorders.models import PreOrderTransition
from apps.preorders.models.states import COUNTED_PAYMENTS, PreOrderStatus

# A chart a few hundred pixels wide can't show more steps than this.
MAX_POINTS = 240
RESTAURANT_PORTIONS, LOWERED, EDITED = (
    OfferChange.Kind.RESTAURANT_PORTIONS,
    OfferChange.Kind.MINIMUM_LOWERED,
    OfferChange.Kind.EDITED,
)
MINIMUM_CHANGES = frozenset({LOWERED, EDITED})


@dataclass(frozen=True, slots=True)
class Point:
    """From `at` on: ordered portions, including the restaurant's own, and the minimum."""

    at: datetime
    portions: int
    minimum: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """From publication to `ends_at`, which is now or the time of the decision."""

    points: list[Point]
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class _Step:
    """At `at` the ordered portions changed by `portions`, or the minimum became `minimum`."""

    at: datetime
    portions: int = 0
    minimum: int | None = None


def timeline_of(offer: SpecialOffer, changes: Sequence[OfferChange], *, now: datetime) -> Timeline:
    """The offer's timeline, from its orders' audit rows (one query) and its `changes`.

    Events after the decision, such as charges and refunds, are left out.
    """
    ends_at = min(offer.decided_at or now, now)
    transitions = PreOrderTransition.objects.filter(pre_order__offer=offer)
    if offer.decided_at:
        transitions = transitions.filter(at__lt=offer.decided_at)
    steps = [*_steps_of_orders(transitions), *_steps_of_changes(changes)]
    steps.sort(key=lambda step: step.at)
    portions, minimum = 0, _first_minimum(offer, changes)
    points = [Point(offer.created_at, portions, minimum)]
    for step in steps:
        portions += step.portions
        minimum = minimum if step.minimum is None else step.minimum
        point = Point(step.at, portions, minimum)
        if points[-1].at == step.at:
            points[-1] = point
        else:
            points.append(point)
    return Timeline(_thinned(points, ends_at), ends_at)


def _first_minimum(offer: SpecialOffer, changes: Sequence[OfferChange]) -> int:
    before = [
        change.portions_before
        for change in changes
        if change.kind in MINIMUM_CHANGES and change.portions_before is not None
    ]
    return before[0] if before else offer.min_preorders


def _steps_of_changes(changes: Sequence[OfferChange]) -> Iterator[_Step]:
    for change in changes:
        if change.portions_after is None:
            continue
        if change.kind == RESTAURANT_PORTIONS:
            yield _Step(change.at, portions=change.portions_after - (change.portions_before or 0))
        elif change.kind in MINIMUM_CHANGES:
            yield _Step(change.at, minimum=change.portions_after)


def _steps_of_orders(transitions: QuerySet[PreOrderTransition]) -> Iterator[_Step]:
    """An order's portions count from the time its card is held until it is released or ends."""
    changes: Any = transitions.order_by("at", "pk").values_list(
        "pre_order_id", "at", "field", "old", "new", "pre_order__quantity"
    )
    rows = list(changes)
    portions = _first_quantities(rows)
    paid: dict[UUID, bool] = {}
    ended: set[UUID] = set()
    there: set[UUID] = set()
    for order_id, at, field, _, new, quantity in rows:
        before = portions.setdefault(order_id, quantity)
        if field == "quantity":
            portions[order_id] = int(new)
            if order_id in there:
                yield _Step(at, int(new) - before)
            continue
        if field == "payment_status":
            paid[order_id] = new in COUNTED_PAYMENTS
        elif field == "status" and new == PreOrderStatus.CANCELLED:
            ended.add(order_id)
        counts = paid.get(order_id, False) and order_id not in ended
        if counts and order_id not in there:
            there.add(order_id)
            yield _Step(at, before)
        elif not counts and order_id in there:
            there.discard(order_id)
            yield _Step(at, -before)


def _first_quantities(rows: Sequence[Any]) -> dict[UUID, int]:
    """The original quantities of the orders whose quantity changed later."""
    return {
        order_id: int(old)
        for order_id, _, field, old, _, _ in reversed(rows)
        if field == "quantity"
    }


def _thinned(points: list[Point], ends_at: datetime) -> list[Point]:
    """The first point, then the last point in each of `MAX_POINTS` equal intervals."""
    if len(points) <= MAX_POINTS:
        return points
    first = points[0]
    span = (ends_at - first.at) / MAX_POINTS
    last_of: dict[int, Point] = {}
    for point in points[1:]:
        last_of[int((point.at - first.at) / span)] = point
    return [first, *last_of.values()]
