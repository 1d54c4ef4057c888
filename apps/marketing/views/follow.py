"""Following a restaurant: what the form posts to, the form as a page, and the confirmation."""

from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.accounts.rate_limits import EMAILS_BY_ADDRESS, EMAILS_PER_RECIPIENT
from apps.common import clock, rls
from apps.common.client_address import client_address
from apps.common.errors import DomainError, Forbidden
from apps.common.languages import for_guests, spoken
from apps.common.same_origin import is_from_own_page, is_prefetch
from apps.common.signing import keyed_hash
from apps.marketing.subscribers.follow import (
    CONFIRMATION_LIFETIME,
    confirm_follow,
    consent_words,
    request_follow,
    subscriber_of_link,
)
from apps.offers.presentation import Special
from apps.offers.storefront import (
    restaurant_on_show,
    special_called_off,
    special_on_show,
    takes_orders,
)
from apps.preorders.emails.preferences import preferences_url
from apps.preorders.models import Subscriber
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant

INVALID_EMAIL = gettext_lazy("Enter a valid email address.")


class FollowForm(forms.Form):
    email = forms.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), INVALID_EMAIL),
    )
    special = forms.UUIDField(required=False)
    website = forms.CharField(required=False)  # hidden: people leave it empty

    def clean_special(self) -> UUID | None:
        found: UUID | None = self.cleaned_data.get("special")
        return found


@csrf_exempt  # no session is read; see `is_from_own_page`
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_guests
def follow(request: HttpRequest) -> HttpResponse:
    """The form on a page of its own; a POST queues the email that asks for confirmation.

    The answer is the same for every address, whether it follows already or not; the email isn't.
    """
    restaurant = restaurant_on_show(request)
    if restaurant is None:
        return render(request, "offers/no_restaurant.html", status=HTTPStatus.NOT_FOUND)
    if request.method != "POST":
        return _page(request, restaurant)
    sent = request.POST.copy()
    form = FollowForm(sent)
    if not form.is_valid() and "special" in form.errors:  # not our form: go on without a special
        sent.pop("special", None)
        form = FollowForm(sent)
    if not form.is_valid():
        return _page(request, restaurant, form, problem=str(INVALID_EMAIL), status=400)
    address = form.cleaned_data["email"].lower()
    try:
        if not is_from_own_page(request):
            raise Forbidden(_("Use the form on this page."))
        EMAILS_BY_ADDRESS.count(client_address(request))
        EMAILS_PER_RECIPIENT.count(address)
    except DomainError as refusal:
        return _page(request, restaurant, form, problem=refusal.message, status=refusal.status)
    if not form.cleaned_data["website"]:
        with rls.acting_as(restaurant):
            request_follow(
                restaurant=restaurant,
                address=address,
                language=spoken(),
                special_id=form.cleaned_data["special"],
                now=clock.now(),
            )
    answer = _page(request, restaurant, form, is_sent=True)
    answer.set_cookie(
        _cookie(),
        _mark_of(restaurant, address),
        max_age=CONFIRMATION_LIFETIME,  # the browser that asked needs no second yes
        path="/follow",
        secure=settings.PUBLIC_SCHEME == "https",
        httponly=True,
        samesite="Lax",
    )
    return answer


@csrf_exempt  # the link is the proof
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_guests
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind the email's button. Opening it changes nothing, because email clients open
    links on their own, except in the browser that asked."""
    now = clock.now()
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        subscriber = subscriber_of_link(token, now=now)
    if subscriber is None:
        context: dict[str, Any] = {
            "message": _("This link no longer works"),
            "restaurant": tenant_of(request),
        }
        return render(
            request, "preorders/pages/no_order.html", context, status=HTTPStatus.NOT_FOUND
        )
    restaurant = subscriber.restaurant
    with rls.acting_as(restaurant):
        if request.method == "POST" or _asked_here(request, subscriber):
            subscriber = confirm_follow(subscriber_id=subscriber.pk, now=now)
        is_following = subscriber.status == Subscriber.Status.CONFIRMED
        stop = ""
        if is_following:
            stop = preferences_url(restaurant=restaurant, address=subscriber.email, now=now)
        wanted = subscriber.wanted_offer
    context = {
        "restaurant": restaurant,
        "is_following": is_following,
        "preferences_url": stop,
        "dish": wanted.spoken_name if wanted else "",
        "special": _special(restaurant, wanted.pk, now) if wanted else None,
    }
    page = _rendered(request, "marketing/pages/follow_confirm.html", context)
    if is_following:
        page.delete_cookie(_cookie(), path="/follow", samesite="Lax")  # it is good for one yes
    return page


def _asked_here(request: HttpRequest, subscriber: Subscriber) -> bool:
    """Whether the link is opened by the guest, in the browser in which they typed the address."""
    mark = _mark_of(subscriber.restaurant, subscriber.email)
    is_opened = request.method == "GET" and not is_prefetch(request)
    return is_opened and constant_time_compare(request.COOKIES.get(_cookie(), ""), mark)


def _mark_of(restaurant: Restaurant, address: str) -> str:
    return keyed_hash("asked-to-follow", f"{restaurant.pk}:{address}")


def _cookie() -> str:
    return f"{settings.ORDER_COOKIE_PREFIX}follow"


def _wanted(restaurant: Restaurant, form: FollowForm) -> Special | None:
    """The special on whose page the form was, if it can't be ordered."""
    named = form.cleaned_data.get("special")
    special = _special(restaurant, named, clock.now()) if named else None
    if special is None:
        return None
    with rls.acting_as(restaurant):
        return None if takes_orders(special.offer, special.now) else special


def _special(restaurant: Restaurant, special_id: UUID, now: datetime) -> Special | None:
    """A special, even one that was called off: its dish can be back."""
    return special_on_show(restaurant, special_id, now) or special_called_off(
        restaurant, special_id, now
    )


def _page(
    request: HttpRequest,
    restaurant: Restaurant,
    form: FollowForm | None = None,
    *,
    is_sent: bool = False,
    problem: str = "",
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    context = {
        "restaurant": restaurant,
        "words": consent_words(restaurant),
        "is_sent": is_sent,
        "problem": problem,
        "typed": form.data.get("email", "")[:255] if form else "",
        "special_id": form.data.get("special", "") if form else "",
        "special": _wanted(restaurant, form) if form else None,
    }
    return _rendered(request, "marketing/pages/follow.html", context, status=status)


def _rendered(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = HTTPStatus.OK
) -> HttpResponse:
    page = render(request, template, context, status=status)
    page["X-Robots-Tag"] = "noindex"
    return page
