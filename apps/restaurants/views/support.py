"""Support visits: the staff's page to ask for one, and its beginning and end."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.accounts.step_up import has_stepped_up
from apps.accounts.views.account import to_reauthentication
from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.ids import parse_uuid
from apps.common.views import page_not_found, permission_denied
from apps.restaurants.models import Restaurant, SupportVisit
from apps.restaurants.services import support
from apps.restaurants.support_visits import MARKER_COOKIE, SESSION_KEY

SHOWN = 20
ASKED = "The owner has been asked. Start the visit once they turn on support access."
ENDED = "The support visit is over."


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def support_visits(request: HttpRequest, restaurant_id: UUID) -> HttpResponse:
    """A restaurant's support visits, and the form to ask for one; only for staff."""
    assert isinstance(request.user, User)  # login_required
    if not has_staff_access(request, request.user):
        return permission_denied(request)
    with rls.acting_as(rls.PLATFORM):
        restaurant = Restaurant.objects.filter(pk=restaurant_id).first()
        if restaurant is None:
            return page_not_found(request)
        now, reason, error, status = clock.now(), "", "", 200
        if request.method == "POST":
            reason = request.POST.get("reason", "")
            try:
                support.ask_for_visit(
                    restaurant_id=restaurant_id, staff=request.user, reason=reason, now=now
                )
            except DomainError as refusal:
                error, status = refusal.message, refusal.status
            else:
                if not support.has_support_access(restaurant, now=now):
                    messages.success(request, ASKED)
                return redirect("support-visits", restaurant_id=restaurant_id)
        context = {
            "restaurant": restaurant,
            "has_access": support.has_support_access(restaurant, now=now),
            "visits": [
                (each, each.staff_id == request.user.pk and _can_start(each, now))
                for each in support.visits_of_restaurant(restaurant_id)[:SHOWN]
            ],
            "reason": reason,
            "error": error,
            "reason_length": support.REASON_LENGTH,
        }
        return render(request, "restaurants/support_visits.html", context, status=status)


def _can_start(visit: SupportVisit, now: datetime) -> bool:
    is_open = visit.started_at is None and visit.ended_at is None
    return is_open and now <= visit.asked_at + support.REQUEST_LIFETIME


@require_POST
@never_cache
@login_required
def start(request: HttpRequest, visit_id: UUID) -> HttpResponse:
    """Begin a visit in this session."""
    assert isinstance(request.user, User)  # login_required
    if not has_staff_access(request, request.user):
        return permission_denied(request)
    asked_at = parse_uuid(request.POST.get("restaurant"))
    back = f"/staff/support/{asked_at}" if asked_at else "/staff/data/"
    if not has_stepped_up(request, request.user):
        return to_reauthentication(back)
    try:
        visit = support.start_visit(visit_id=visit_id, staff=request.user, now=clock.now())
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect(back)
    request.session[SESSION_KEY] = str(visit.pk)
    response = redirect("/restaurant")
    response.set_cookie(
        MARKER_COOKIE, "1", httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )
    return response


@require_POST
@never_cache
@login_required
def end(request: HttpRequest) -> HttpResponse:
    """End the visit of this session; without one, nothing happens."""
    found = request.session.pop(SESSION_KEY, None)
    if not found:
        return redirect("tenants")
    support.end_visit(visit_id=UUID(found), now=clock.now())
    messages.info(request, ENDED)
    visit = getattr(request, "support_visit", None)
    if visit is None:
        return redirect("tenants")
    return redirect("support-visits", restaurant_id=visit.restaurant_id)
