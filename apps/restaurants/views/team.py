"""The team page, and the page an invitation link opens."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.accounts.rate_limits import LINKS_BY_ADDRESS
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.errors import DomainError, NotFound
from apps.restaurants.api.serializers.team import InvitedSerializer, TeamSerializer
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission
from apps.restaurants.selectors import team_of
from apps.restaurants.services.team import INVALID_INVITATION, invitation_for_token
from apps.restaurants.views.onboarding import DASHBOARD, island_page


@require_safe
@never_cache
@ensure_csrf_cookie
@member_page(Permission.MANAGE)
def team(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The team members and open invitations."""
    assert isinstance(request.user, User)  # member_page
    now = clock.now()
    props = {
        "restaurantName": membership.restaurant.name,
        "me": str(request.user.pk),
        "team": TeamSerializer(team_of(membership.restaurant, now=now)).data,
        "dashboardUrl": DASHBOARD,
    }
    return island_page(request, "team/team", title="Team", props=props)


@require_safe
@never_cache
@ensure_csrf_cookie
def invitation(request: HttpRequest) -> HttpResponse:
    """View and accept an invitation. A GET changes nothing."""
    token = request.GET.get("token", "")[:200]
    user = request.user if isinstance(request.user, User) else None
    props: dict[str, Any] = {
        "token": token,
        "signedInAs": user.email if user else None,
        "dashboardUrl": DASHBOARD,
        "invitation": None,
        "problem": "",
    }
    status = 200
    try:
        LINKS_BY_ADDRESS.count(client_address(request))
        if not token:
            raise NotFound(INVALID_INVITATION)
        found = invitation_for_token(token=token, now=clock.now())
        props["invitation"] = InvitedSerializer(found).data
    except DomainError as refusal:
        props["problem"] = refusal.message
        status = refusal.status
    page = island_page(request, "team/invitation", title="Invitation", props=props)
    page.status_code = status
    page.headers["Referrer-Policy"] = "no-referrer"
    return page
