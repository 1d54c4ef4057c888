"""The page a bank redirects back to after confirming a cart (DECISIONS X23)."""

from http import HTTPStatus
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.billing.card_fields import asks_for_a_card
from apps.common.languages import for_guests
from apps.offers.storefront import restaurant_on_show


@for_guests
@require_safe
@asks_for_a_card
@never_cache
def cart_return(request: HttpRequest) -> HttpResponse:
    """The result of each order of the checkout, loaded by the page's script.

    The checkout's id is the key; opening the address reads and changes nothing.
    """
    restaurant = restaurant_on_show(request)
    try:
        checkout_id = UUID(request.GET.get("checkout", ""))
    except ValueError:
        checkout_id = None
    if restaurant is None or checkout_id is None:
        return render(
            request,
            "preorders/pages/no_order.html",
            {"message": _("This order link isn't valid"), "restaurant": restaurant},
            status=HTTPStatus.NOT_FOUND,
        )
    props = {
        "restaurant": str(restaurant.pk),
        "checkoutId": str(checkout_id),
        "publishableKey": settings.STRIPE_PUBLISHABLE_KEY,
        "cardScriptUrl": "" if settings.CARD_SCRIPT_IS_STRIPES else settings.STRIPE_JS_URL,
    }
    facts = {"restaurant": restaurant, "props": props}
    return render(request, "preorders/pages/cart_return.html", facts)
