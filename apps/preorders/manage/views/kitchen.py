"""The kitchen sheet page: made for printing, works without JavaScript."""

from datetime import date, datetime, timedelta
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.preorders.documents.kitchen_sheet import KitchenSheet, sheet_of_day, sheet_of_offer
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

ONE_DAY = timedelta(days=1)


@require_safe
@never_cache
@member_page(Permission.SEE_ORDERS)
def kitchen(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The sheet of one special (`?offer=`), of a day (`?day=YYYY-MM-DD`), or of today."""
    now = clock.now()
    asked = request.GET.get("offer", "")
    sheet = (
        _of_offer(membership, asked)
        if asked
        else _of_day(request, membership, _today(membership, now))
    )
    return render(
        request,
        "preorders/kitchen.html",
        {
            "sheet": sheet,
            "of_one_offer": bool(asked),
            "restaurant": membership.restaurant,
            "printed_at": now,
            "day_before": sheet.day - ONE_DAY,
            "day_after": sheet.day + ONE_DAY,
        },
    )


def _of_offer(membership: CurrentMembership, asked: str) -> KitchenSheet:
    try:
        found = sheet_of_offer(restaurant=membership.restaurant, offer_id=UUID(asked))
    except ValueError:
        found = None
    if found is None:
        raise Http404
    return found


def _of_day(request: HttpRequest, membership: CurrentMembership, today: date) -> KitchenSheet:
    asked = request.GET.get("day", "")
    try:
        day = date.fromisoformat(asked) if asked else today
    except ValueError:
        raise BadRequest("invalid day") from None
    if not date(2000, 1, 1) <= day <= date(2200, 1, 1):
        raise BadRequest("day out of range")
    return sheet_of_day(restaurant=membership.restaurant, day=day)


def _today(membership: CurrentMembership, now: datetime) -> date:
    return now.astimezone(membership.restaurant.zone).date()
