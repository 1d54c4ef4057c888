"""The page of a restaurant's own domain, and the question whether a host gets a certificate."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.common import clock
from apps.common.errors import DomainError
from apps.restaurants import dns_records
from apps.restaurants.entitlements import FEATURE_TEXTS, Feature, includes
from apps.restaurants.forms import DomainForm
from apps.restaurants.hosts import is_served, subdomain_host
from apps.restaurants.member_access import member_page
from apps.restaurants.models import OwnDomain
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.services import own_domains

LIVE = "{host} is live. Guests see your pages there now."
WAITING = "Not yet: the records aren't complete. New records can take an hour or more to show up."
REMOVED = "Your domain was removed. Your pages are at {host}."


def _page(
    request: HttpRequest,
    membership: CurrentMembership,
    form: DomainForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    restaurant = membership.restaurant
    row = OwnDomain.objects.filter(restaurant=restaurant).first()
    context = {
        "restaurant": restaurant,
        "row": row,
        "records": dns_records.records_of(row) if row else [],
        "form": form or DomainForm(),
        "is_included": includes(restaurant, Feature.OWN_DOMAIN),
        "refusal": FEATURE_TEXTS[Feature.OWN_DOMAIN].refusal,
        "address": subdomain_host(restaurant.subdomain),
        "failing_days": dns_records.FAILING_FOR.days,
    }
    return render(request, "restaurants/own_domain.html", context, status=status)


@require_safe
@never_cache
@member_page(Permission.MANAGE)
def own_domain(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    return _page(request, membership)


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def add(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Ask for a domain; the page then shows the records to create."""
    form = DomainForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=HTTPStatus.BAD_REQUEST)
    try:
        own_domains.add_domain(
            restaurant=membership.restaurant, domain=form.cleaned_data["domain"], now=clock.now()
        )
    except DomainError as refusal:
        form.add_error("domain", refusal.message)
        return _page(request, membership, form, status=refusal.status)
    return redirect("own-domain")


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def check(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Ask DNS now."""
    row = OwnDomain.objects.filter(restaurant=membership.restaurant).first()
    try:
        own_domains.CHECK_LIMIT.count(str(membership.restaurant.pk))
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return redirect("own-domain")
    found = own_domains.check_domain(domain_id=row.pk, now=clock.now()) if row else None
    if found and found.status == OwnDomain.Status.LIVE:
        messages.success(request, LIVE.format(host=found.host))
    elif found:
        messages.info(request, WAITING)
    return redirect("own-domain")


@require_POST
@never_cache
@member_page(Permission.MANAGE)
def remove(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    restaurant = membership.restaurant
    own_domains.remove_domain(restaurant=restaurant, now=clock.now())
    messages.success(request, REMOVED.format(host=subdomain_host(restaurant.subdomain)))
    return redirect("own-domain")


@require_safe
@never_cache
def certificate_allowed(request: HttpRequest) -> HttpResponse:
    """Whether a certificate may be requested for `?domain=`: 200 for a host that we answer for.

    Caddy asks before it requests one (https://caddyserver.com/docs/automatic-https#on-demand-tls),
    so nobody can make us request certificates for hosts that aren't here.
    """
    host = request.GET.get("domain", "").lower().rstrip(".")
    is_allowed = bool(host) and len(host) <= 253 and is_served(host)
    return HttpResponse(status=HTTPStatus.OK if is_allowed else HTTPStatus.NOT_FOUND)
