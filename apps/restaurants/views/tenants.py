"""Several restaurants, one account: choosing, adding, and the owner's door (R37, R110, R111)."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.common.views import page_not_found
from apps.restaurants import regions
from apps.restaurants.api.views.tenants import TenantsSerializer
from apps.restaurants.hosts import absolute_url
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import choose_restaurant, enter_restaurant
from apps.restaurants.selectors import tenants_for
from apps.restaurants.views.onboarding import DASHBOARD, address_suffix, island_page

REGISTER = "/platform/register"


@require_safe
@never_cache
@login_required
def tenants(request: HttpRequest) -> HttpResponse:
    """R110: one's own restaurants, for staff everybody's; the search is the server's too."""
    assert isinstance(request.user, User)  # login_required
    search = request.GET.get("search", "")[:100]
    page = tenants_for(
        user=request.user,
        mine=not request.user.is_staff,
        search=search,
        cursor=request.GET.get("cursor"),
    )
    props = {
        **TenantsSerializer(page).data,
        "search": search,
        "suffix": address_suffix(),
        "createUrl": REGISTER,
    }
    return island_page(request, "tenants/tenants", title="Choose a restaurant", props=props)


@require_safe
@never_cache
@ensure_csrf_cookie
def register(request: HttpRequest) -> HttpResponse:
    """R111: for somebody new with an account, for somebody signed in one more restaurant."""
    user = request.user if isinstance(request.user, User) else None
    props = {
        "account": {"name": user.name, "email": user.email} if user else None,
        "suffix": address_suffix(),
        "places": regions.region_choices(),
        "termsUrl": "/terms",
        "next": "/tier-selection",
    }
    return island_page(
        request,
        "tenants/tenant-registration",
        title="Register your business",
        props=props,
        bare=True,
    )


@require_safe
@never_cache
def owner_entry(request: HttpRequest) -> HttpResponse:
    """R37: at a restaurant's own host nobody is signed in, so its owner goes on to the platform."""
    restaurant = tenant_of(request)
    if restaurant is None:
        return redirect(DASHBOARD)
    return redirect(absolute_url(f"/{restaurant.slug}/owner-dashboard"))


@require_safe
@never_cache
@login_required
def owner_entry_by_slug(request: HttpRequest, slug: str) -> HttpResponse:
    """R38: work in this restaurant from now on. Someone else's is not there."""
    assert isinstance(request.user, User)  # login_required
    restaurant = Restaurant.objects.filter(slug=slug).first()
    if restaurant is None:
        return page_not_found(request)
    try:
        enter_restaurant(request.user, restaurant.pk)
    except DomainError as refusal:
        return _closed(request, refusal)
    choose_restaurant(request, restaurant.pk)
    return redirect(DASHBOARD)


def _closed(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    context = {"title": "Not through this door", "message": refusal.message}
    return render(request, "errors/error.html", context, status=refusal.status)


@require_safe
@never_cache
@ensure_csrf_cookie
def owner_landing(request: HttpRequest) -> HttpResponse:
    """R15: where guests' pages send the owner; who is signed in goes straight to work."""
    if request.user.is_authenticated:
        return redirect(DASHBOARD)
    return render(request, "restaurants/owner_landing.html")
