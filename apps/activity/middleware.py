"""Logs what a request was refused: 403 for somebody signed in, 429 for anybody, and tokens, links,
and signatures that are not ours.

This is done here and not where the refusal is raised, because a transaction that fails takes its
rows along.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from apps.activity.kinds import Kind
from apps.activity.models import Outcome
from apps.activity.services import record_repeated
from apps.common.client_address import client_address, network_of
from apps.common.request_log import account_id_of, restaurant_id_of, route_of

# Answers 403 that ask for something first: nothing was refused for good.
_REQUESTS_FOR_MORE = frozenset({"reauthenticate", "two_factor_required", "sign_in_to_confirm"})


class RefusalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if forged := getattr(request, "forged", ""):
            network = network_of(client_address(request))
            record_repeated(
                Kind.FORGERY_REFUSED,
                key=f"{forged}:{network}",
                outcome=Outcome.REFUSED,
                what=forged,
                route=f"{request.method}:{route_of(request)}"[:120],
            )
        if response.status_code == HTTPStatus.FORBIDDEN:
            _record_refused(request, response)
        elif response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            limit = getattr(request, "exceeded_limit", "") or route_of(request)
            record_repeated(Kind.RATE_LIMITED, key=limit, outcome=Outcome.REFUSED, limit=limit[:60])
        return response


def _record_refused(request: HttpRequest, response: HttpResponse) -> None:
    account = account_id_of(request)
    body: Any = getattr(response, "data", None)
    code = body.get("code") if isinstance(body, dict) else None
    if not account or code in _REQUESTS_FOR_MORE:
        return
    restaurant, route = restaurant_id_of(request), route_of(request)
    record_repeated(
        Kind.PERMISSION_REFUSED,
        key=f"{account}:{restaurant}:{request.method}:{route}",
        outcome=Outcome.REFUSED,
        account=UUID(account),
        restaurant=UUID(restaurant) if restaurant else None,
        route=f"{request.method}:{route}"[:120],
    )
