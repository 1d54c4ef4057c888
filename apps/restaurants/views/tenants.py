"""Pages for several restaurants per account: choose one, add one, owner links."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts import bot_check
from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.common import clock
from apps.common.cursors import MAX_PAGE_SIZE, cursor_of_page
from apps.common.errors import DomainError
from apps.common.views import page_not_found
from apps.restaurants import regions
from apps.restaurants.api.serializers.tenants import TenantsSerializer
from apps.restaurants.hosts import absolute_url
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import choose_restaurant, enter_restaurant
from apps.restaurants.selectors import tenants_for
from apps.restaurants.views.onboarding import DASHBOARD, address_suffix, island_page

REGISTER = "/platform/register"
STAFF_PAGE = "/staff/restaurants/"  # and the id


@require_safe
@never_cache
@login_required
def tenants(request: HttpRequest) -> HttpResponse:
    """The user's restaurants; all restaurants for staff. Search also works server-side."""
    assert isinstance(request.user, User)  # login_required
    search = request.GET.get("search", "")[:100]
    page = tenants_for(
        user=request.user,
        mine=not request.user.is_staff,
        as_staff=has_staff_access(request, request.user),
        search=search,
        cursor=cursor_of_page(request.GET.get("cursor")),
        limit=MAX_PAGE_SIZE,
    )
    props = {
        **TenantsSerializer(page).data,
        "search": search,
        "suffix": address_suffix(),
        "createUrl": REGISTER,
        "staffUrl": STAFF_PAGE if has_staff_access(request, request.user) else "",
    }
    return island_page(
        request,
        "tenants/tenants",
        title="Choose a restaurant",
        props=props,
        for_staff=request.user.is_staff,
    )


@require_safe
@never_cache
@ensure_csrf_cookie
def register(request: HttpRequest) -> HttpResponse:
    """Register a business; new users also create an account."""
    user = request.user if isinstance(request.user, User) else None
    props = {
        "account": {"name": user.name, "email": user.email} if user else None,
        "suffix": address_suffix(),
        "places": regions.region_choices(),
        "termsUrl": "/terms",
        "guard": None if user else bot_check.form_props(now=clock.now()),
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
    """Redirect to the dashboard on the platform's host: nobody is signed in on a restaurant's."""
    restaurant = tenant_of(request)
    if restaurant is None:
        return redirect(DASHBOARD)
    return redirect(absolute_url(f"/{restaurant.slug}/owner-dashboard"))


@require_safe
@never_cache
@login_required
def owner_entry_by_slug(request: HttpRequest, slug: str) -> HttpResponse:
    """Switch to this restaurant and open its dashboard; an error page for anyone else."""
    assert isinstance(request.user, User)  # login_required
    restaurant = Restaurant.objects.filter(slug=slug).first()
    if restaurant is None:
        return page_not_found(request)
    try:
        enter_restaurant(request, request.user, restaurant.pk)
    except DomainError as refusal:
        return _closed(request, refusal)
    choose_restaurant(request, restaurant.pk)
    return redirect(DASHBOARD)


def _closed(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    context = {"title": "You can't open this restaurant", "message": refusal.message}
    return render(request, "errors/error.html", context, status=refusal.status)


@require_safe
@never_cache
@ensure_csrf_cookie
def owner_landing(request: HttpRequest) -> HttpResponse:
    """The page that public pages link to for owners. Signed-in users are redirected."""
    if request.user.is_authenticated:
        return redirect(DASHBOARD)
    return render(request, "restaurants/owner_landing.html")
