"""The activity log as people read it: events with the names of who acted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.accounts.models import User
from apps.activity import presentation, selectors
from apps.activity.models import LoggedEvent
from apps.activity.selectors import EventFilter
from apps.common import rls
from apps.common.cursors import PAGE_SIZE
from apps.common.ids import order_code
from apps.offers.models import SpecialOffer
from apps.restaurants.models import Restaurant, SupportVisit
from apps.restaurants.services.support import ABOUT


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event in words. `page` is the path of the page about its object and `name` what that is
    called; both may be empty."""

    event: LoggedEvent
    title: str
    details: str
    actor: str
    subject: str
    restaurant: str
    page: str
    name: str


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One page of events; `next_cursor` is None on the last."""

    events: list[ShownEvent]
    next_cursor: str | None


def activity_of_restaurant(
    *, restaurant: Restaurant, filters: EventFilter, cursor: str | None, limit: int = PAGE_SIZE
) -> ShownPage:
    """The restaurant's events, newest first."""
    found = selectors.events_of_restaurant(
        restaurant=restaurant, filters=filters, cursor=cursor, limit=limit
    )
    return ShownPage(_shown(found.events, {}), found.next_cursor)


def activity_of_platform(*, filters: EventFilter, cursor: str | None) -> ShownPage:
    """Everybody's events, for staff; the caller has checked that."""
    with rls.acting_as(rls.PLATFORM):
        found = selectors.events_of_platform(filters=filters, cursor=cursor)
        ids = {each.restaurant_id for each in found.events if each.restaurant_id}
        rows = Restaurant.objects.filter(pk__in=ids).values_list("pk", "name")
        return ShownPage(_shown(found.events, dict(rows), with_staff=True), found.next_cursor)


def people_in_activity(*, restaurant: Restaurant) -> list[tuple[UUID, str]]:
    """The accounts that acted in the restaurant, by name: those to filter by."""
    names = _names(selectors.actors_in_restaurant(restaurant=restaurant))
    return sorted(names.items(), key=lambda each: each[1].lower())


def _shown(
    events: Iterable[LoggedEvent], restaurants: Mapping[UUID, str], *, with_staff: bool = False
) -> list[ShownEvent]:
    events = list(events)
    people = {each.actor_id for each in events} | {each.account_id for each in events}
    names: Mapping[Any, str] = _names(filter(None, people))
    objects = _object_names(events)
    return [
        ShownEvent(
            event=each,
            title=presentation.title_of(each),
            details=presentation.details_of(each),
            actor=presentation.actor_of(each, names)
            + (
                f" ({names[each.actor_id]})"
                if with_staff and each.actor_kind == "staff" and each.actor_id in names
                else ""
            ),
            subject=names.get(each.account_id, "") if each.account_id != each.actor_id else "",
            restaurant=restaurants.get(each.restaurant_id, "") if each.restaurant_id else "",
            page=presentation.page_of(each),
            name=objects.get(each.object_id, ""),
        )
        for each in events
    ]


def _names(ids: Iterable[UUID | None]) -> dict[UUID, str]:
    return dict(User.objects.filter(pk__in=list(ids)).values_list("pk", "name"))


def _object_names(events: Iterable[LoggedEvent]) -> dict[str, str]:
    """What specials and orders are called, and why support looked, by id."""
    specials = [each.object_id for each in events if each.object_kind == "special"]
    rows = SpecialOffer.objects.filter(pk__in=specials).values_list("pk", "name")
    visits = [each.object_id for each in events if each.object_kind == ABOUT]
    reasons = SupportVisit.objects.filter(pk__in=visits).values_list("pk", "reason")
    return {str(pk): name for pk, name in [*rows, *reasons]} | {
        each.object_id: order_code(UUID(each.object_id))
        for each in events
        if each.object_kind == "order"
    }
