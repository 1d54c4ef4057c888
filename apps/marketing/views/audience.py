"""The owner's pages of followers; they work without JavaScript."""

from http import HTTPStatus
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.common import clock, formats
from apps.common.errors import DomainError
from apps.marketing.campaigns.allowance import emails_left
from apps.marketing.campaigns.nudges import nudges_are_on, set_nudges
from apps.marketing.campaigns.selectors import campaigns_of
from apps.marketing.subscribers.audience import (
    LISTED,
    audience_counts,
    audience_page,
    export_audience,
    remove_follower,
)
from apps.marketing.subscribers.importing import (
    COLUMNS,
    MAX_ERRORS_SHOWN,
    MAX_LINES,
    NO_FILE,
    Preview,
    decoded,
    import_followers,
    preview_import,
)
from apps.restaurants.entitlements import invitations_per_month
from apps.restaurants.hosts import absolute_url
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

REMOVED = "The follower is removed."
IMPORTED = "{new} imported."
NUDGES_ON = "Saved. Followers get one email when a special is close."
NUDGES_OFF = "Saved. Followers get no email when a special is close."
MAX_PAGES = 1000


@require_safe
@never_cache
@member_page(Permission.EXPORT_ORDERS)
def audience(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The list, its counts, and the emails sent."""
    restaurant, now = membership.restaurant, clock.now()
    search, status = request.GET.get("search", "")[:100], request.GET.get("status", "")
    asked = request.GET.get("page", "1")
    number = min(int(asked), MAX_PAGES) if asked.isascii() and asked.isdecimal() else 1
    chosen = {"search": search, "status": status} if search or status else {}
    context = {
        "restaurant": restaurant,
        "counts": audience_counts(restaurant),
        "page": audience_page(restaurant, search=search, status=status, number=max(1, number)),
        "search": search,
        "status": status,
        "statuses": [(each.value, each.label) for each in LISTED],
        "query": urlencode(chosen),
        "campaigns": campaigns_of(restaurant),
        "left": emails_left(restaurant, now=now),
        "limit": invitations_per_month(restaurant),
        "nudges_are_on": nudges_are_on(restaurant),
        "can_email": membership.can(Permission.EDIT_OFFERS),
        "can_manage": membership.can(Permission.MANAGE),
        "follow_url": absolute_url("/follow", restaurant=restaurant),
    }
    return render(request, "marketing/audience/audience.html", context)


@require_POST
@member_page(Permission.EXPORT_ORDERS)
def remove(
    request: HttpRequest, membership: CurrentMembership, subscriber_id: UUID
) -> HttpResponse:
    try:
        remove_follower(
            restaurant=membership.restaurant, subscriber_id=subscriber_id, now=clock.now()
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, REMOVED)
    return redirect("audience")


@require_POST
@never_cache
@member_page(Permission.EXPORT_ORDERS)
def export(request: HttpRequest, membership: CurrentMembership) -> StreamingHttpResponse:
    restaurant, now = membership.restaurant, clock.now()
    lines = export_audience(restaurant, now=now)
    name = f"followers-{now.astimezone(restaurant.zone):%Y-%m-%d}.csv"
    return StreamingHttpResponse(
        lines,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_POST
@member_page(Permission.MANAGE)
def nudges(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    are_on = request.POST.get("nudges") == "on"
    set_nudges(restaurant=membership.restaurant, are_on=are_on, now=clock.now())
    messages.success(request, NUDGES_ON if are_on else NUDGES_OFF)
    return redirect("audience")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.MANAGE)
def import_page(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Choose a file, see what importing it would do, then import it.

    Nothing is stored in between: the preview carries the file's text.
    """
    restaurant, now = membership.restaurant, clock.now()
    if request.method != "POST":
        return _import(request, membership)
    text, preview = "", None
    try:
        uploaded = request.FILES.get("file")
        text = decoded(uploaded.read()) if uploaded else request.POST.get("text", "")
        if not text:
            return _import(request, membership, problem=NO_FILE)
        preview = preview_import(restaurant, text, now=now)
        if "import" in request.POST and not uploaded:
            has_proof = request.POST.get("proof") == "yes"
            preview = import_followers(
                restaurant=restaurant, text=text, has_proof=has_proof, now=now
            )
            new = formats.count(preview.new, "follower")
            messages.success(request, IMPORTED.format(new=new))
            return redirect("audience")
    except DomainError as refusal:
        return _import(request, membership, preview, text=text, problem=refusal.message)
    return _import(request, membership, preview, text=text)


def _import(
    request: HttpRequest,
    membership: CurrentMembership,
    preview: Preview | None = None,
    *,
    text: str = "",
    problem: str = "",
) -> HttpResponse:
    errors = preview.errors if preview else []
    context = {
        "restaurant": membership.restaurant,
        "columns": COLUMNS,
        "max_lines": MAX_LINES,
        "preview": preview,
        "errors": errors[:MAX_ERRORS_SHOWN],
        "more_errors": max(0, len(errors) - MAX_ERRORS_SHOWN),
        "sample": preview.lines[:5] if preview else [],
        "text": text,
        "problem": problem,
    }
    status = HTTPStatus.BAD_REQUEST if problem or errors else HTTPStatus.OK
    return render(request, "marketing/audience/import.html", context, status=status)
