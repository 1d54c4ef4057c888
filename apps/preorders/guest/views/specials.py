"""The list of specials, which knows a guest's own unfinished orders (decision 163)."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.billing.card_fields import asks_for_a_card
from apps.offers.page_cache import cached_briefly
from apps.offers.views.specials import list_of_specials
from apps.preorders.guest.views.special import unfinished_orders


@require_safe
@asks_for_a_card
@cached_briefly
def specials(request: HttpRequest) -> HttpResponse:
    """The public list of specials."""
    return list_of_specials(request, "offers/specials.html", orders_of_guest=unfinished_orders)
