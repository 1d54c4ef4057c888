"""The owner's calendar of specials, and its feed for calendar programs."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.common import clock
from apps.offers.calendar import feed
from apps.offers.calendar.month import month_of, read_month
from apps.offers.models import CalendarFeed
from apps.offers.series.selectors import rhythm, series_of
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

CREATED = (
    "Your calendar has a new address. Calendar programs that use an earlier one stop updating."
)
DELETED = "The address is turned off. Calendar programs no longer get updates."
MAX_AGE_SECONDS = 5 * 60


@require_safe
@never_cache
@member_page(Permission.SEE_OFFERS)
def calendar(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """A month, `?month=2026-11` or this one: a grid on wide screens, an agenda on phones."""
    restaurant, now = membership.restaurant, clock.now()
    today = now.astimezone(restaurant.zone).date()
    series = series_of(restaurant)
    for each in series:
        each.restaurant = restaurant
    first = read_month(request.GET.get("month", "")) or today.replace(day=1)
    found = CalendarFeed.objects.filter(restaurant=restaurant).first()
    context = {
        "restaurant": restaurant,
        "month": month_of(restaurant, first, series=series, now=now),
        "this_month": today.replace(day=1),
        "series": [(each, rhythm(each)) for each in series],
        "feed_address": feed.feed_address(found) if found else "",
        "can_edit": membership.can(Permission.EDIT_OFFERS),
    }
    return render(request, "offers/owner/calendar.html", context)


@require_POST
@never_cache
@member_page(Permission.EDIT_OFFERS)
def change_feed(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Give the calendar an address, or with `action=delete` turn it off."""
    if request.POST.get("action") == "delete":
        feed.delete_feed(restaurant=membership.restaurant, now=clock.now())
        messages.success(request, DELETED)
    else:
        feed.create_feed(restaurant=membership.restaurant, now=clock.now())
        messages.success(request, CREATED)
    return redirect("calendar")


@require_safe
@cache_control(private=True, max_age=MAX_AGE_SECONDS)
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The feed, without signing in: calendar programs send nothing but its address."""
    restaurant = feed.restaurant_of_feed(token)
    if restaurant is None:
        raise Http404
    content = feed.calendar_file(restaurant, now=clock.now())
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")
