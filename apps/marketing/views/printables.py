"""Files to print for a running special."""

from collections.abc import Callable
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.marketing.printables import table_tent, window_poster
from apps.offers.presentation import Special
from apps.offers.selectors import offer_for_display
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

KINDS: dict[str, Callable[[Special], bytes]] = {"poster": window_poster, "table-tent": table_tent}


@require_safe
@never_cache
@member_page(Permission.SEE_OFFERS)
def printable(
    request: HttpRequest, membership: CurrentMembership, offer_id: UUID, kind: str
) -> HttpResponse:
    """The poster or the table tents. 404 once the special takes no more orders."""
    offer = offer_for_display(restaurant=membership.restaurant, offer_id=offer_id)
    special = Special(offer, clock.now()) if offer else None
    if special is None or kind not in KINDS or not special.is_open:
        raise Http404
    answer = HttpResponse(KINDS[kind](special), content_type="application/pdf")
    answer.headers["Content-Disposition"] = f'inline; filename="{kind}.pdf"'
    return answer
