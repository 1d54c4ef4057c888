"""Find an order without its email: email address and order code lead to the order page."""

import logging
import re
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.accounts.rate_limits import Limit, client_address
from apps.common import clock, rls
from apps.common.errors import DomainError, Forbidden, Invalid, NotFound
from apps.common.same_origin import is_from_own_page
from apps.preorders.core.links import has_ended, order_url
from apps.preorders.models import PreOrder
from apps.restaurants.middleware import tenant_of
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

# A code has eight characters: a few tries find one's own, a million would find someone else's.
BY_ADDRESS = Limit("find-order", times=10, window=10 * 60)
BY_EMAIL = Limit("find-order-email", times=5, window=10 * 60)
# The same text for a wrong address, a wrong code and an old order, so none can be told apart.
NOT_FOUND = gettext_lazy(
    "We couldn't find an order with this email address and code. The 8-character code is in your "
    "confirmation email."
)
_CODE = re.compile(r"[0-9A-F]{8}")
_SPACES = re.compile(r"[\s-]+")
LONGEST = 255


@csrf_exempt  # nobody is signed in here; see `is_from_own_page`
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def find_order(request: HttpRequest) -> HttpResponse:
    """The form; a matching address and code redirect to the signed order page. A restaurant's host
    finds only its own orders."""
    restaurant = tenant_of(request)
    problem, status = "", HTTPStatus.OK
    email = request.POST.get("email", "").strip()[:LONGEST]
    code = request.POST.get("code", "").strip()[:40]
    if request.method == "POST":
        try:
            order = _found(request, restaurant, email, code)
        except DomainError as refusal:
            problem, status = refusal.message, HTTPStatus(refusal.status)
        else:
            where = order_url(order)
            return HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": where})
    context = {"restaurant": restaurant, "problem": problem, "email": email, "code": code}
    response = render(request, "preorders/pages/find_order.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


def _found(request: HttpRequest, restaurant: Restaurant | None, email: str, code: str) -> PreOrder:
    if not is_from_own_page(request):
        raise Forbidden(_("Use the form on this page."))
    BY_ADDRESS.count(client_address(request))
    short = _SPACES.sub("", code).upper()
    if "@" not in email or "\0" in email or not _CODE.fullmatch(short):
        raise Invalid(str(NOT_FOUND))
    BY_EMAIL.count(email)
    # One query for both, so that a correct half cannot be told from a wrong one.
    with rls.acting_as(restaurant or rls.PLATFORM):
        orders = PreOrder.objects.select_related("offer__restaurant").filter(
            short_code=short, customer_email__iexact=email
        )
        if restaurant is not None:
            orders = orders.filter(restaurant=restaurant)
        order = orders.order_by("-created_at").first()
    if order is None or has_ended(order.offer.serve_date, now=clock.now()):
        raise NotFound(str(NOT_FOUND))
    return order
