"""The owner's dashboard page and its props."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.billing.api.views.connect import stored_status
from apps.billing.new_restaurants import new_restaurant_limit
from apps.billing.services import STRIPE_PATH
from apps.common import clock, formats
from apps.common.errors import Invalid, NotFound
from apps.offers import selectors as offers
from apps.offers.api.serializers.menu import DishesSerializer
from apps.offers.api.serializers.specials import SpecialsSerializer
from apps.offers.api.views.history import entry_to_run_again
from apps.offers.api.views.history import first_page as first_page_of_history
from apps.offers.presentation import Special
from apps.preorders.manage.api.today import today_data
from apps.preorders.manage.ledger import ledger_by_order
from apps.preorders.manage.order_list import (
    OrderSort,
    failed_payments,
    orders_for_restaurant,
)
from apps.preorders.manage.serializers.ledger import LedgerByOrderSerializer
from apps.preorders.manage.serializers.orders import OrderList
from apps.preorders.manage.serializers.requests import read_filter
from apps.preorders.manage.version import version_for_restaurant
from apps.restaurants import regions
from apps.restaurants.api.serializers.profile import CompletionAnswer, profile_props
from apps.restaurants.hosts import absolute_url
from apps.restaurants.member_access import member_page
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.services.registration import email_to_confirm
from apps.restaurants.tiers import free_offers_remaining, has_reached_limit, offers_this_month


@require_safe
@never_cache
def dashboard(request: HttpRequest) -> HttpResponseBase:
    """The dashboard; `?tab=register` redirects visitors who aren't signed in to registration."""
    if request.GET.get("tab") == "register" and not request.user.is_authenticated:
        return redirect("register")
    return _dashboard(request)


@ensure_csrf_cookie
@member_page(Permission.SEE_OFFERS, visitors_start=True)
def _dashboard(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The dashboard with all data of its first view, so that the island fetches nothing on load."""
    assert isinstance(request.user, User)  # member_page
    props = {
        **dashboard_props(membership, user=request.user, query=request.GET, now=clock.now()),
        "person": person_props(request.user, membership),
        "links": links_props(membership),
        "setup": setup_props(request.user, membership),
    }
    context = {
        "props": props,
        "membership": membership,
        "email_to_confirm": unconfirmed_email(request.user, membership),
    }
    return render(request, "preorders/dashboard.html", context)


def unconfirmed_email(user: User, membership: CurrentMembership) -> str:
    """The address whose confirmation the restaurant waits for, for those who can publish."""
    manages = membership.can(Permission.MANAGE)
    return email_to_confirm(membership.restaurant, user) if manages else ""


def dashboard_props(
    membership: CurrentMembership, *, user: User, query: QueryDict, now: datetime
) -> dict[str, Any]:
    """The island's props for the requested tab, from the API's own serializers.

    Without one it is the specials, or today while a special just ended or a card was declined.
    """
    restaurant = membership.restaurant
    # Read the version first, so that later changes are noticed.
    version = version_for_restaurant(restaurant)
    on_show = offers.offers_for_dashboard(restaurant=restaurant, now=now)
    specials = {"specials": [Special(offer, now) for offer in on_show]}
    dishes = {"dishes": offers.dishes_on_the_menu(restaurant=restaurant)}
    today = today_data(membership, now=now)
    sees_orders = membership.can(Permission.SEE_ORDERS)
    failed = failed_payments(restaurant=restaurant) if sees_orders else 0
    tab = query.get("tab") or ("today" if today["results"] or failed else "specials")
    props: dict[str, Any] = {
        "restaurant": restaurant_props(restaurant, now=now),
        **SpecialsSerializer(specials).data,
        **DishesSerializer(dishes).data,
        "permissions": rights_props(membership),
        "tab": tab,
        "version": version,
        "today": today,
        "failedPayments": failed,
    }
    if (asked := query.get("again")) and membership.can(Permission.EDIT_OFFERS):
        props["again"] = entry_to_run_again(restaurant, asked, now=now)
    # Other tabs fetch their data when opened.
    if tab in ("settings", "marketing") and membership.can(Permission.MANAGE):
        props["profile"] = profile_props(restaurant, user=user, now=now)
    if tab == "settings" and membership.can(Permission.MANAGE):
        props["places"] = regions.region_choices()
    if tab == "orders" and sees_orders:
        # An invalid filter: the island calls the API and shows its error.
        with suppress(Invalid, NotFound):
            page = orders_for_restaurant(
                restaurant=restaurant,
                filters=read_filter(query),
                sort=OrderSort.SERVE_DAY,
                now=now,
            )
            props["orders"] = OrderList(page, context={"membership": membership, "now": now}).data
    if tab == "orders" and membership.can(Permission.SEE_LEDGER):
        ledger = ledger_by_order(restaurant=restaurant)
        props["ledger"] = LedgerByOrderSerializer(ledger).data
    if tab == "history":
        props["history"] = first_page_of_history(restaurant, now=now)
    return props


def rights_props(membership: CurrentMembership) -> dict[str, bool]:
    """What the user can do, so that the island doesn't show buttons that would be refused."""
    return {
        "editOffers": membership.can(Permission.EDIT_OFFERS),
        "seeOrders": membership.can(Permission.SEE_ORDERS),
        "fulfillOrders": membership.can(Permission.FULFILL_ORDERS),
        "editOrders": membership.can(Permission.EDIT_ORDERS),
        "exportOrders": membership.can(Permission.EXPORT_ORDERS),
        "seeLedger": membership.can(Permission.SEE_LEDGER),
        "manage": membership.can(Permission.MANAGE),
    }


def person_props(user: User, membership: CurrentMembership) -> dict[str, Any]:
    """The signed-in user, and whether they have seen the welcome dialog (owners see it once)."""
    is_owner = membership.role == Membership.Role.OWNER
    return {
        "name": user.name,
        "isRestaurantOwner": is_owner,
        "hasCompletedOnboarding": user.has_completed_onboarding or not is_owner,
    }


def setup_props(user: User, membership: CurrentMembership) -> dict[str, Any] | None:
    """What is missing from the setup, for people who can finish it (DECISIONS X68)."""
    if not membership.can(Permission.MANAGE):
        return None
    return {
        "payment": stored_status(membership.restaurant),
        "completion": CompletionAnswer(membership.restaurant, context={"user": user}).data,
    }


def links_props(membership: CurrentMembership) -> dict[str, str | None]:
    """The dashboard's links; None for pages that this user can't open."""
    manages = membership.can(Permission.MANAGE)
    return {
        "logout": "/logout",
        "account": "/account",
        "settings": "/restaurant/settings" if manages else None,
        "upgrade": "/branded-setup" if manages else None,
        "payments": STRIPE_PATH if manages else None,
        "menu": "/restaurant/menu",
        "calendar": "/restaurant/calendar",
        "pickUp": "/restaurant/pick-up" if membership.can(Permission.FULFILL_ORDERS) else None,
        "notices": "/restaurant/notices" if manages else None,
        "analytics": "/restaurant/analytics" if membership.can(Permission.SEE_LEDGER) else None,
        "switch": "/platform/tenants" if membership.has_others else None,
    }


def restaurant_props(restaurant: Restaurant, *, now: datetime) -> dict[str, Any]:
    """The restaurant's data for the owner's pages."""
    account = getattr(restaurant, "connect_account", None)
    count = offers_this_month(restaurant, now=now)
    limit = new_restaurant_limit(restaurant)
    return {
        "id": str(restaurant.pk),
        "name": restaurant.name,
        "subdomain": restaurant.subdomain,
        "timezone": restaurant.timezone,
        "subscriptionTier": restaurant.subscription_tier,
        "taxRate": formats.percentage(restaurant.tax_rate),
        "paymentsReady": account is not None and account.charges_enabled,
        "salesLimit": limit.sentence if limit else "",
        "publicUrl": absolute_url("/", restaurant=restaurant),
        "menuUrl": absolute_url("/specials", restaurant=restaurant),
        "monthlySpecialOffersCount": count,
        "freeOffersRemaining": free_offers_remaining(restaurant, now=now),
        "specialOffersLimitReached": has_reached_limit(restaurant, now=now),
        "freePlan": {
            "offersPerMonth": settings.FREE_OFFERS_PER_MONTH,
            "laterShare": formats.rate(settings.FREE_REVENUE_SHARE_RATE),
        },
    }
