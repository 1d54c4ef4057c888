"""The pictures of a running special to post on Instagram."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.common.languages import ENGLISH, language_named
from apps.marketing.instagram import PICTURES
from apps.offers.presentation import Special
from apps.offers.selectors import offer_for_display
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission


@require_safe
@never_cache
@member_page(Permission.SEE_OFFERS)
def picture(
    request: HttpRequest, membership: CurrentMembership, offer_id: UUID, kind: str
) -> HttpResponse:
    """A download of the square or the story, in the language of `?lang=`. 404 once the special
    takes no more orders."""
    offer = offer_for_display(restaurant=membership.restaurant, offer_id=offer_id)
    special = Special(offer, clock.now()) if offer else None
    if special is None or kind not in PICTURES or not special.is_open:
        raise Http404
    with translation.override(language_named(request) or ENGLISH):
        content = PICTURES[kind](special)
    name = f"{slugify(special.name)[:60] or 'special'}-{kind}.jpg"
    answer = HttpResponse(content, content_type="image/jpeg")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
