"""The tracked links of an invitation: the button's redirect, and the picture of an opened email."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import clock, rls
from apps.marketing.campaigns.links import destination, invitation_id_of
from apps.marketing.campaigns.tracking import note
from apps.marketing.models import EmailInvitation
from apps.offers.visits import is_counted
from apps.restaurants.middleware import tenant_of

# The smallest GIF: one transparent pixel.
PIXEL = bytes.fromhex(
    "47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"
)


@require_safe
@never_cache
def clicked(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the special. A link that isn't ours leads to the restaurant's specials, so that
    nobody who clicks stands before a closed door."""
    invitation = _invitation(request, token, EmailInvitation.Status.CLICKED)
    return redirect(destination(invitation) if invitation else "/specials")


@require_safe
@never_cache
def opened(request: HttpRequest, token: str) -> HttpResponse:
    """The pixel; the same for every token."""
    _invitation(request, token, EmailInvitation.Status.OPENED)
    return HttpResponse(PIXEL, content_type="image/gif", status=HTTPStatus.OK)


def _invitation(request: HttpRequest, token: str, status: str) -> EmailInvitation | None:
    """The link's invitation, after noting what happened; a bot, or a browser that asks not to be
    tracked, leaves no trace."""
    key = invitation_id_of(token)
    if key is None:
        return None
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        rows = EmailInvitation.objects.select_related("restaurant")
        found = rows.filter(pk=key).first()
        headers = request.headers
        refuses = headers.get("Sec-GPC") == "1" or headers.get("DNT") == "1"
        counts = is_counted(user_agent=headers.get("User-Agent", ""), wants_no_tracking=refuses)
        if found is not None and counts and request.method == "GET":
            note(found.pk, status, now=clock.now())
    return found
