"""Email preferences: the page behind an email's footer link, and the forms on order pages."""

from contextlib import suppress
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.same_origin import is_from_own_page
from apps.common.signed_ids import SignedIds
from apps.common.views import form_target
from apps.offers.presentation import Special
from apps.preorders.core import selectors
from apps.preorders.core.links import order_for_token, order_path
from apps.preorders.emails.preferences import (
    Topic,
    email_preference,
    set_email_preference,
    subscribe_by_order,
)
from apps.preorders.emails.reminders import hears_when_back
from apps.preorders.models import PreOrder, Subscriber
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant

# What an email client posts to the address in List-Unsubscribe (RFC 8058).
ONE_CLICK = "List-Unsubscribe", "One-Click"
ALL = "all"  # what an unsubscribe link without a topic stops
# The key of the form on an order's page, which only who may change the order gets to see.
_order_keys = SignedIds("preorders.order_preferences")


@csrf_exempt  # the link is the key and no cookie counts; see also `is_from_own_page`
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def email_preferences(request: HttpRequest, key: str) -> HttpResponse:
    """The preferences page, and the target of the form on an order's page.

    Opening it changes nothing, because email clients open links on their own. `key` is that of the
    preferences row, or one signed for an order.
    """
    order = _order_of(request, key)
    choice = _choice_of_order(order) if order else _choice_of(request, key)
    if choice is None:
        return _no_choice(request)
    if request.method != "POST":
        return _page(request, choice, key)
    name, value = ONE_CLICK
    if request.POST.get(name) == value:
        _stop(choice, _topic(request))
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if not is_from_own_page(request):
        return _page(request, choice, key, status=HTTPStatus.FORBIDDEN)
    before = _wanted(choice)
    if "stop" in request.POST:
        choice = _stop(choice, _topic(request))
    else:
        choice = _save(choice, news="news" in request.POST, reminders="reminders" in request.POST)
    if order:
        return _see_other(order_path(order, then="?open=emails#emails"))
    return _page(request, choice, key, saved_over=before)


@csrf_exempt  # see `is_from_own_page`
@form_target(lambda: "/find-order")
@never_cache
def email_updates(request: HttpRequest) -> HttpResponse:
    """The opt-in right after ordering; redirects back to the page it was on."""
    order = _order_by_id(request, request.POST.get("preorder", ""))
    if order is None:
        return _no_choice(request)
    if is_from_own_page(request):
        # An error needs no message here: the page shows the current state and what to do.
        with rls.acting_as(order.restaurant_id), suppress(DomainError):
            subscribe_by_order(
                restaurant_id=order.restaurant_id,
                order_id=order.pk,
                wants_news=request.POST.get("optIn") == "true",
                wants_dish="dish" in request.POST,
                now=clock.now(),
            )
    link = order_for_token(request.POST.get("link", ""))
    if link is not None and link.is_current(order):
        return _see_other(order_path(order, then="?done=ordered#updates"))
    return _see_other(f"/pre-order-confirmation?preorder={order.pk}#updates")


def updates_of(order: PreOrder) -> dict[str, Any] | None:
    """What the opt-in on the confirmation page shows; None without an email address."""
    if not order.customer_email:
        return None
    choice = _choice_of_order(order)
    stopped = bool(choice.stopped_at and choice.stopped_at > order.created_at)
    return {
        "wanted": choice.news,
        "stopped": stopped and not choice.news,
        "hears_when_back": hears_when_back(choice, order, now=clock.now()),
    }


def preferences_of(order: PreOrder) -> dict[str, Any] | None:
    """What the email preference fields show on the order page; None without an email address."""
    if not order.customer_email:
        return None
    return _facts(_choice_of_order(order), _order_keys.token(order.pk), has_ordered=True)


def _facts(choice: Subscriber, key: str, *, has_ordered: bool) -> dict[str, Any]:
    """`has_ordered`: reminders are about orders; `dish` is what the address waits for."""
    with rls.acting_as(choice.restaurant_id):
        wanted = choice.wanted_offer
    return {
        "action": f"/email-preferences/{key}",
        "news": choice.news,
        "reminders": choice.reminders,
        "has_ordered": has_ordered,
        "dish": wanted.spoken_name if wanted else "",
        "is_to_come": wanted is not None and Special(wanted, clock.now()).is_open,
    }


def _page(
    request: HttpRequest,
    choice: Subscriber,
    key: str,
    *,
    saved_over: list[Topic] | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """`saved_over`: what the address wanted before this request saved something else."""
    topic, wanted = _topic(request), _wanted(choice)
    stopped: str | None = topic if topic not in wanted else None
    if "stop" in request.POST:
        stopped = topic or ALL
    facts = {
        "restaurant": choice.restaurant,
        "choices": _facts(choice, key, has_ordered=_has_ordered(choice)),
        "asks": topic if topic in wanted else None,
        "stopped": stopped,
        "undo": saved_over if saved_over != wanted else None,
        "is_saved": saved_over is not None,
    }
    return render(request, "preorders/pages/email_preferences.html", facts, status=status)


def _has_ordered(choice: Subscriber) -> bool:
    with rls.acting_as(choice.restaurant_id):
        orders = PreOrder.objects.filter(restaurant=choice.restaurant_id)
        return orders.filter(customer_email__iexact=choice.email).exists()


def _wanted(choice: Subscriber) -> list[Topic]:
    return [topic for topic in Topic if getattr(choice, topic)]


def _topic(request: HttpRequest) -> Topic | None:
    asked = request.GET.get("stop", "")
    return Topic(asked) if asked in Topic.values else None


def _stop(choice: Subscriber, topic: Topic | None) -> Subscriber:
    """Turn off this topic, or all of them."""
    off = {topic: False} if topic else dict.fromkeys(Topic, False)
    return _save(choice, **{str(each): wish for each, wish in off.items()})


def _save(choice: Subscriber, **wishes: Any) -> Subscriber:
    restaurant = choice.restaurant
    with rls.acting_as(restaurant):
        saved = set_email_preference(
            restaurant_id=restaurant.pk, address=choice.email, now=clock.now(), **wishes
        )
    saved.restaurant = restaurant
    return saved


def _choice_of(request: HttpRequest, key: str) -> Subscriber | None:
    try:
        choice_id = UUID(key)
    except ValueError:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        choices = Subscriber.objects.select_related("restaurant", "wanted_offer")
        return choices.filter(pk=choice_id).first()


def _choice_of_order(order: PreOrder) -> Subscriber:
    with rls.acting_as(order.restaurant_id):
        choice = email_preference(restaurant_id=order.restaurant_id, address=order.customer_email)
    choice.restaurant = order.offer.restaurant
    return choice


def _order_of(request: HttpRequest, key: str) -> PreOrder | None:
    order_id = _order_keys.key_of(key)
    order = _order_by_id(request, str(order_id)) if order_id else None
    return order if order and order.customer_email else None


def _order_by_id(request: HttpRequest, order_id: str) -> PreOrder | None:
    """The order of any restaurant; a restaurant's host finds only its own."""
    try:
        reference = str(UUID(order_id))
    except ValueError:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        return selectors.order_by_reference(reference)


def _no_choice(request: HttpRequest) -> HttpResponse:
    restaurant: Restaurant | None = tenant_of(request)
    message = _("This link no longer works")
    context = {"message": message, "restaurant": restaurant}
    return render(request, "preorders/pages/no_order.html", context, status=HTTPStatus.NOT_FOUND)


def _see_other(path: str) -> HttpResponse:
    return HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": path})
