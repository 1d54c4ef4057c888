"""The staff's page of one restaurant: its state, and suspending and restoring it."""

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page
from apps.accounts.step_up import REAUTHENTICATE_URL, has_stepped_up
from apps.admin_ops import suspension
from apps.admin_ops.forms import RESTORE, SuspensionForm
from apps.common import clock, formats, rls
from apps.common.errors import DomainError
from apps.common.views import page_not_found
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant
from apps.restaurants.selectors import team_of


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page
def restaurant_page(request: HttpRequest, staff: User, restaurant_id: UUID) -> HttpResponse:
    """One restaurant, whatever its status; a post suspends or restores it, after a step-up."""
    with rls.acting_as(rls.PLATFORM):
        restaurant = Restaurant.objects.filter(pk=restaurant_id).first()
        if restaurant is None:
            return page_not_found(request)
        if request.method != "POST":
            return _page(request, restaurant, SuspensionForm(restaurant=restaurant))
        if not has_stepped_up(request, staff):
            return redirect(f"{REAUTHENTICATE_URL}?{urlencode({'next': request.path})}")
        form = SuspensionForm(request.POST, restaurant=restaurant)
        if not form.is_valid():
            return _page(request, restaurant, form, status=400)
        try:
            messages.success(request, _carry_out(form, restaurant))
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            return _page(request, restaurant, form, status=refusal.status)
    return redirect("staff-restaurant", restaurant_id)


def _carry_out(form: SuspensionForm, restaurant: Restaurant) -> str:
    """Do what the form says; returns what was done."""
    wanted, now = form.cleaned_data, clock.now()
    if wanted["action"] == RESTORE:
        done = suspension.restore_restaurant(restaurant_id=restaurant.pk, now=now)
        return f"{restaurant.name} is back." if done.is_new else "It wasn't suspended."
    done = suspension.suspend_restaurant(
        restaurant_id=restaurant.pk,
        reason=wanted["reason"],
        specials=suspension.OpenSpecials(wanted["specials"]),
        guests_reason=wanted["guests_reason"],
        now=now,
    )
    result = f"{restaurant.name} {'is' if done.is_new else 'was already'} suspended."
    if done.specials:
        specials = formats.count(done.specials, "special")
        result += f" Canceled: {specials}, {formats.count(done.orders, 'order')}."
    return result


def _page(
    request: HttpRequest, restaurant: Restaurant, form: SuspensionForm, *, status: int = 200
) -> HttpResponse:
    specials = suspension.open_specials(restaurant)
    context = {
        "restaurant": restaurant,
        "address": absolute_url("/", restaurant=restaurant),
        "members": team_of(restaurant, now=clock.now()).members,
        "specials": specials,
        "orders": sum(each.orders for each in specials),
        "payouts": suspension.waiting_payouts(restaurant),
        "changes": suspension.status_changes(restaurant),
        "form": form,
    }
    return render(request, "admin_ops/restaurant.html", context, status=status)
