"""Find orders without their emails: the address gets an email with the links to its orders."""

from http import HTTPStatus

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.accounts.rate_limits import Limit
from apps.common.client_address import client_address
from apps.common.errors import DomainError, FieldError, Forbidden, Invalid
from apps.common.same_origin import is_from_own_page
from apps.preorders.core import jobs
from apps.preorders.models import PreOrder
from apps.restaurants.middleware import tenant_of

BY_ADDRESS = Limit("find-order", times=10, window=10 * 60)
BY_EMAIL = Limit("find-order-email", times=3, window=60 * 60)
MAX_LENGTH = PreOrder._meta.get_field("customer_email").max_length or 0


@csrf_exempt  # nobody is signed in here; see `is_from_own_page`
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def find_order(request: HttpRequest) -> HttpResponse:
    """The form, and the answer to it: the same for every address, whether it has orders or not.

    A restaurant's host emails the links to its own orders; the platform's, those of every
    restaurant, in an email each.
    """
    restaurant = tenant_of(request)
    problem, status = "", HTTPStatus.OK
    email = request.POST.get("email", "").strip()[: MAX_LENGTH + 1]
    is_sent = False
    if request.method == "POST":
        try:
            _check(request, email)
            # Looking the orders up is the worker's task, so that the time of the answer says no
            # more than its words.
            jobs.enqueue_list_of_orders(email, restaurant.pk if restaurant else None)
            is_sent = True
        except DomainError as refusal:
            problem, status = refusal.message, HTTPStatus(refusal.status)
    context = {
        "restaurant": restaurant,
        "problem": problem,
        "email": email,
        "is_sent": is_sent,
        "lists_own_orders": not is_sent,
    }
    response = render(request, "preorders/pages/find_order.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


def _check(request: HttpRequest, email: str) -> None:
    if not is_from_own_page(request):
        raise Forbidden(_("Use the form on this page."))
    BY_ADDRESS.count(client_address(request))
    try:
        MaxLengthValidator(MAX_LENGTH)(email)
        validate_email(email)
    except ValidationError as error:
        message = _("Enter a valid email address.")
        raise Invalid.because([FieldError("email", message)]) from error
    BY_EMAIL.count(email)
