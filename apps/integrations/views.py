"""The owner's pages of webhooks; they work without JavaScript."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.models import User
from apps.accounts.step_up import has_stepped_up
from apps.accounts.views.account import to_reauthentication
from apps.common import clock, formats
from apps.common.cursors import cursor_of_page
from apps.common.errors import DomainError, NotFound
from apps.integrations import services
from apps.integrations.emails import PAGE_PATH
from apps.integrations.event_types import EventType, types_by_subject
from apps.integrations.forms import EndpointForm
from apps.integrations.models import WebhookEndpoint
from apps.integrations.selectors import deliveries_of, endpoint_of, endpoints_of
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

SAVED = "Your changes are saved."
TEST_QUEUED = "A test event is on its way. Reload the page in a moment to see the answer."
TURNED_ON = "The webhook is on. New events are sent to it."
TURNED_OFF = "The webhook is off. Nothing is sent to it."
DELETED = "The webhook is deleted."
QUEUED_AGAIN = "{events} will be sent again now. Reload the page in a moment to see the answers."

MemberView = Callable[..., HttpResponse]


def _proven(view: MemberView) -> MemberView:
    """A POST needs a step-up, because whoever adds an endpoint learns of every order."""

    @wraps(view)
    def guarded(
        request: HttpRequest, membership: CurrentMembership, **named: object
    ) -> HttpResponse:
        assert isinstance(request.user, User)  # member_page
        if request.method == "POST" and not has_stepped_up(request, request.user):
            return to_reauthentication(PAGE_PATH)
        return view(request, membership, **named)

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.MANAGE)
@_proven
def webhooks(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """The restaurant's endpoints; a POST adds one, whose secret is on the page of the answer."""
    if request.method != "POST":
        return _list(request, membership, EndpointForm())
    form = EndpointForm(request.POST)
    if form.is_valid():
        try:
            endpoint, secret = services.add_endpoint(
                restaurant=membership.restaurant, now=clock.now(), **form.cleaned_data
            )
        except DomainError as refusal:
            _refuse(form, refusal)
        else:
            return _details(request, membership, endpoint.pk, new_secret=secret)
    return _list(request, membership, form, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.MANAGE)
@_proven
def webhook(request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID) -> HttpResponse:
    """One endpoint with what was sent to it; a POST changes it."""
    if request.method != "POST":
        return _details(request, membership, endpoint_id)
    form = EndpointForm(request.POST)
    if form.is_valid():
        try:
            services.change_endpoint(
                restaurant=membership.restaurant,
                endpoint_id=endpoint_id,
                now=clock.now(),
                **form.cleaned_data,
            )
        except NotFound as refusal:
            return _gone(request, refusal)
        except DomainError as refusal:
            _refuse(form, refusal)
        else:
            messages.success(request, SAVED)
            return redirect("webhook", endpoint_id=endpoint_id)
    return _details(request, membership, endpoint_id, form=form, status=400)


@require_POST
@never_cache
@member_page(Permission.MANAGE)
@_proven
def rotate_secret(
    request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID
) -> HttpResponse:
    """Create another secret, on the page of the answer and never again."""
    try:
        _, secret = services.rotate_secret(
            restaurant=membership.restaurant, endpoint_id=endpoint_id, now=clock.now()
        )
    except NotFound as refusal:
        return _gone(request, refusal)
    return _details(request, membership, endpoint_id, new_secret=secret)


@require_POST
@member_page(Permission.MANAGE)
@_proven
def turn_on(request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID) -> HttpResponse:
    return _done(
        request,
        endpoint_id,
        lambda: services.turn_on_endpoint(
            restaurant=membership.restaurant, endpoint_id=endpoint_id, now=clock.now()
        ),
        TURNED_ON,
    )


@require_POST
@member_page(Permission.MANAGE)
def turn_off(
    request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID
) -> HttpResponse:
    return _done(
        request,
        endpoint_id,
        lambda: services.turn_off_endpoint(
            restaurant=membership.restaurant, endpoint_id=endpoint_id, now=clock.now()
        ),
        TURNED_OFF,
    )


@require_POST
@member_page(Permission.MANAGE)
@_proven
def delete(request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID) -> HttpResponse:
    try:
        services.delete_endpoint(
            restaurant=membership.restaurant, endpoint_id=endpoint_id, now=clock.now()
        )
    except NotFound as refusal:
        return _gone(request, refusal)
    messages.success(request, DELETED)
    return redirect("webhooks")


@require_POST
@member_page(Permission.MANAGE)
def send_test(
    request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID
) -> HttpResponse:
    return _done(
        request,
        endpoint_id,
        lambda: services.send_test(
            restaurant=membership.restaurant, endpoint_id=endpoint_id, now=clock.now()
        ),
        TEST_QUEUED,
    )


@require_POST
@member_page(Permission.MANAGE)
def send_again(
    request: HttpRequest, membership: CurrentMembership, endpoint_id: UUID
) -> HttpResponse:
    """Send one event again, or without `delivery` all that failed."""
    asked = request.POST.get("delivery", "")
    # A bigint at most; nothing has a larger id.
    delivery_id = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 19 else 0
    try:
        count = services.send_again(
            restaurant=membership.restaurant,
            endpoint_id=endpoint_id,
            delivery_id=delivery_id if asked else None,
            now=clock.now(),
        )
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, QUEUED_AGAIN.format(events=formats.count(count, "event")))
    return redirect("webhook", endpoint_id=endpoint_id)


def _done(
    request: HttpRequest, endpoint_id: UUID, action: Callable[[], object], message: str
) -> HttpResponse:
    try:
        action()
    except NotFound as refusal:
        return _gone(request, refusal)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, message)
    return redirect("webhook", endpoint_id=endpoint_id)


def _gone(request: HttpRequest, refusal: NotFound) -> HttpResponse:
    messages.error(request, refusal.message)
    return redirect("webhooks")


def _refuse(form: EndpointForm, refusal: DomainError) -> None:
    field = refusal.fields[0].field if refusal.fields else None
    form.add_error(field, refusal.message)


def _list(
    request: HttpRequest, membership: CurrentMembership, form: EndpointForm, *, status: int = 200
) -> HttpResponse:
    endpoints = endpoints_of(membership.restaurant)
    context = {
        "restaurant": membership.restaurant,
        "endpoints": endpoints,
        "can_add": len(endpoints) < services.MAX_ENDPOINTS,
        "form": form,
        "subjects": _subjects(_chosen(form) if form.is_bound else None),
        "limit": services.MAX_ENDPOINTS,
    }
    return render(request, "integrations/webhooks.html", context, status=status)


def _details(
    request: HttpRequest,
    membership: CurrentMembership,
    endpoint_id: UUID,
    *,
    form: EndpointForm | None = None,
    new_secret: str = "",
    status: int = 200,
) -> HttpResponse:
    try:
        endpoint = endpoint_of(membership.restaurant, endpoint_id)
    except NotFound as refusal:
        return _gone(request, refusal)
    failed_only = request.GET.get("show") == "failed"
    cursor = _cursor(request)
    chosen = _chosen(form) if form else endpoint.event_types
    context = {
        "restaurant": membership.restaurant,
        "endpoint": endpoint,
        "form": form or EndpointForm(initial=_columns(endpoint)),
        "subjects": _subjects(chosen),
        "new_secret": new_secret,
        "has_overlap": bool(endpoint.previous_until and endpoint.previous_until > clock.now()),
        "failed_only": failed_only,
        "is_later_page": bool(cursor),
        "page": deliveries_of(endpoint, failed_only=failed_only, cursor=cursor),
        "labels": dict(EventType.choices),
    }
    return render(request, "integrations/webhook.html", context, status=status)


def _chosen(form: EndpointForm) -> list[str]:
    """The types chosen in a form, valid or not."""
    sent: Any = form.data
    found: list[str] = sent.getlist("event_types")
    return found


def _cursor(request: HttpRequest) -> str | None:
    return cursor_of_page(request.GET.get("cursor"), int)


def _columns(endpoint: WebhookEndpoint) -> dict[str, object]:
    return {"url": endpoint.url, "description": endpoint.description}


def _subjects(chosen: list[str] | None) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """The choices of events by subject, each with whether it is chosen; all if nobody chose yet."""
    return [
        (title, [(code, label, chosen is None or code in chosen) for code, label in types])
        for title, types in types_by_subject()
    ]
