"""The activity log: the owner's page of their restaurant, and the staff's of everything."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page
from apps.admin_ops import activity
from apps.admin_ops.forms import ActivityFilterForm
from apps.common.cursors import cursor_of_page
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission


@require_safe
@never_cache
@member_page(Permission.MANAGE)
def restaurant_activity(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    restaurant, form = membership.restaurant, ActivityFilterForm(request.GET)
    page = activity.activity_of_restaurant(
        restaurant=restaurant,
        filters=form.filters,
        cursor=cursor_of_page(request.GET.get("cursor")),
    )
    context = {
        "restaurant": restaurant,
        "people": activity.people_in_activity(restaurant=restaurant),
        **_shared(request, form, page),
    }
    return render(request, "admin_ops/restaurant_activity.html", context)


@require_safe
@staff_page
def staff_activity(request: HttpRequest, staff: User) -> HttpResponse:
    """Every restaurant's and account's events."""
    form = ActivityFilterForm(request.GET)
    page = activity.activity_of_platform(
        filters=form.filters, cursor=cursor_of_page(request.GET.get("cursor"))
    )
    return render(request, "admin_ops/staff_activity.html", _shared(request, form, page))


def _shared(
    request: HttpRequest, form: ActivityFilterForm, page: activity.ShownPage
) -> dict[str, object]:
    filters = form.filters
    asked = {
        "group": filters.group,
        "person": filters.actor_id or "",
        "restaurant": filters.restaurant_id or "",
    }
    given = {name: value for name, value in asked.items() if value}
    older = urlencode({**given, "cursor": page.next_cursor}) if page.next_cursor else ""
    return {
        "page": page,
        "groups": form.fields["group"].choices,  # type: ignore[attr-defined]
        "asked": {name: str(value) for name, value in asked.items()},
        "is_filtered": bool(given),
        "is_first": "cursor" not in request.GET,
        "older": older,
        "newest": urlencode(given),
    }
