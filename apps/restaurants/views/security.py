"""The restaurant's security page: contact address, and two-step verification for the team."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.models import User
from apps.accounts.rate_limits import LINKS_BY_ADDRESS
from apps.accounts.step_up import has_stepped_up
from apps.accounts.views.account import to_reauthentication
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.errors import DomainError
from apps.restaurants.forms import ContactForm
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.services import contact, support, team

PATH = "/restaurant/security"
SHOWN_VISITS = 5
SUPPORT_HOURS = dict(zip(support.ACCESS_HOURS, ("1 hour", "1 day", "3 days"), strict=True))
SENT = "We sent a link to {email}. Open it to use this address."
SAVED = "{email} is the contact address now."
REQUIRED = "Everyone on your team now needs two-step verification."
ACCESS_ON = "Support access is on. You can turn it off at any time."
ACCESS_OFF = "Support access is off."
NOT_REQUIRED = "Two-step verification is optional for your team now."


def _page(
    request: HttpRequest,
    membership: CurrentMembership,
    form: ContactForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    restaurant = membership.restaurant
    context = {
        "restaurant": restaurant,
        "form": form or ContactForm(initial={"email": restaurant.new_email or restaurant.email}),
        "is_confirmed": contact.is_contact_confirmed(restaurant),
        "without": team.members_without_two_factor(restaurant),
        "has_support_access": support.has_support_access(restaurant, now=clock.now()),
        "support_until": (restaurant.support_access_until or clock.now()).astimezone(
            restaurant.zone
        ),
        "support_hours": SUPPORT_HOURS,
        "support_visits": support.visits_of_restaurant(restaurant.pk)[:SHOWN_VISITS],
    }
    return render(request, "restaurants/security.html", context, status=status)


@require_safe
@never_cache
@member_page(Permission.MANAGE)
def security(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    return _page(request, membership)


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def change_contact(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Change the contact address, or send the link again."""
    assert isinstance(request.user, User)  # member_page
    if not has_stepped_up(request, request.user):
        return to_reauthentication(PATH)
    form = ContactForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=400)
    email = form.cleaned_data["email"]
    try:
        changed = contact.change_contact(
            restaurant=membership.restaurant, email=email, now=clock.now()
        )
    except DomainError as refusal:
        form.add_error("email", refusal.message)
        return _page(request, membership, form, status=refusal.status)
    messages.success(request, (SENT if changed.new_email else SAVED).format(email=email))
    return redirect(PATH)


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def change_two_factor(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Require two-step verification of the team, or stop requiring it."""
    assert isinstance(request.user, User)  # member_page
    if not has_stepped_up(request, request.user):
        return to_reauthentication(PATH)
    is_required = request.POST.get("required") == "yes"
    try:
        team.require_two_factor(
            restaurant=membership.restaurant, by=request.user, is_required=is_required
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, REQUIRED if is_required else NOT_REQUIRED)
    return redirect(PATH)


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def change_support_access(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Let staff see the restaurant for some hours, which needs a step-up, or stop it, which
    doesn't."""
    assert isinstance(request.user, User)  # member_page
    hours = request.POST.get("hours", "")
    if not hours:
        support.end_support_access(restaurant=membership.restaurant, now=clock.now())
        messages.success(request, ACCESS_OFF)
        return redirect(f"{PATH}#support")
    if not has_stepped_up(request, request.user):
        return to_reauthentication(PATH)
    try:
        support.allow_support_access(
            restaurant=membership.restaurant,
            hours=int(hours) if hours.isdecimal() and len(hours) < 4 else 0,
            now=clock.now(),
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, ACCESS_ON)
    return redirect(f"{PATH}#support")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def confirm_contact(request: HttpRequest) -> HttpResponse:
    """Where the link to confirm a contact address leads. Opening it changes nothing; its button
    does, signed in or not: the link is the proof."""
    token = (request.POST if request.method == "POST" else request.GET).get("token", "")
    context: dict[str, object] = {"token": token}
    status = 200
    try:
        LINKS_BY_ADDRESS.count(client_address(request))
        if request.method == "POST":
            confirmed = contact.confirm_contact(token=token, now=clock.now())
            context |= {"restaurant": confirmed, "is_done": True}
        else:
            found = contact.contact_to_confirm(token=token, now=clock.now())
            context |= {"restaurant": found}
    except DomainError as refusal:
        context["problem"], status = refusal.message, refusal.status
    page = render(request, "restaurants/confirm_contact.html", context, status=status)
    page.headers["Referrer-Policy"] = "same-origin"
    return page
