"""The owner's dashboard: one page with its data beside it (R57, R60)."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.billing.services import free_offers_remaining, offers_this_month
from apps.common import clock
from apps.offers import selectors as offers
from apps.offers.api import serializers as offer_shapes
from apps.offers.presenting import Special
from apps.preorders import selectors
from apps.preorders.api import serializers
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.pages import member_page
from apps.restaurants.roles import Post, Right, memberships_of


@require_safe
@never_cache
def dashboard(request: HttpRequest) -> HttpResponseBase:
    """The dashboard; an old link to register leads who is not signed in to the form."""
    if request.GET.get("tab") == "register" and not request.user.is_authenticated:
        return redirect("register")
    return _dashboard(request)


@ensure_csrf_cookie
@member_page(Right.SEE_OFFERS)
def _dashboard(request: HttpRequest, post: Post) -> HttpResponse:
    """Everything the first view shows is in the page; the island fetches nothing on load."""
    assert isinstance(request.user, User)  # member_page
    props = {
        **dashboard_props(post, tab=request.GET.get("tab", "specials"), now=clock.now()),
        "person": person_props(request.user, post),
        "links": _links(request.user, post),
    }
    return render(request, "preorders/dashboard.html", {"props": props, "post": post})


def dashboard_props(post: Post, *, tab: str, now: datetime) -> dict[str, Any]:
    """The island's props by the API's own serializers; what the role may not see is absent."""
    restaurant = post.restaurant
    on_show = offers.offers_for_dashboard(restaurant=restaurant, now=now)
    specials = {"specials": [Special(offer, now) for offer in on_show]}
    dishes = {"dishes": offers.dishes_on_the_menu(restaurant=restaurant)}
    props: dict[str, Any] = {
        "restaurant": _restaurant_props(restaurant, now),
        **offer_shapes.SpecialsSerializer(specials).data,
        **offer_shapes.DishesSerializer(dishes).data,
        "mayEditOffers": post.may(Right.EDIT_OFFERS),
        "tab": tab,
    }
    if post.may(Right.SEE_ORDERS):
        orders = selectors.orders_for_restaurant(restaurant=restaurant)
        props["orders"] = serializers.OrderList(orders).data
    if post.may(Right.SEE_LEDGER):
        ledger = selectors.ledger_for_restaurant(restaurant=restaurant)
        props["ledger"] = serializers.Ledger(ledger).data
    return props


def person_props(user: User, post: Post) -> dict[str, Any]:
    """Who is at work, and whether they still have to be welcomed (R59, S1): an owner once."""
    is_owner = post.role == Membership.Role.OWNER
    return {
        "name": user.name,
        "isRestaurantOwner": is_owner,
        "hasCompletedOnboarding": user.has_completed_onboarding or not is_owner,
    }


def _links(user: User, post: Post) -> dict[str, str | None]:
    """The ways out of the dashboard; None for what is not this person's."""
    manages = post.may(Right.MANAGE)
    return {
        "logout": "/logout",
        "account": "/account",
        "settings": "/restaurant/settings" if manages else None,
        "upgrade": "/branded-setup" if manages else None,
        "switch": "/platform/tenants" if len(memberships_of(user)) > 1 else None,
    }


def _restaurant_props(restaurant: Restaurant, now: datetime) -> dict[str, Any]:
    account = getattr(restaurant, "connect_account", None)
    count = offers_this_month(restaurant, now=now)
    return {
        "id": str(restaurant.pk),
        "name": restaurant.name,
        "subdomain": restaurant.subdomain,
        "timezone": restaurant.timezone,
        "subscriptionTier": restaurant.subscription_tier,
        "taxRate": f"{restaurant.tax_rate:.2f}",
        "paymentsReady": account is not None and account.charges_enabled,
        "publicUrl": absolute_url("/", restaurant=restaurant),
        "menuUrl": absolute_url("/specials", restaurant=restaurant),
        "monthlySpecialOffersCount": count,
        "freeOffersRemaining": free_offers_remaining(restaurant, now=now),
        "specialOffersLimitReached": count >= settings.FREE_OFFERS_PER_MONTH,
    }
