"""The `Idempotency-Key` header of API calls that create something, move money, or email guests
(decision 33)."""

import hashlib
import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.common import clock
from apps.common.errors import FieldError, Invalid
from apps.restaurants.idempotency import Answer, Attempt, claim_key
from apps.restaurants.models import Restaurant

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
IDEMPOTENCY_KEY = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description="Names this request, with 1 to 200 visible ASCII characters nobody else uses, such "
    "as a UUID. Sent again within 24 hours, the same request takes effect once and gets the same "
    "answer, with the header `Idempotent-Replayed`. Refusals aren't stored.",
)
_PATTERN = re.compile(r"[!-~]{1,200}")
INVALID_KEY = "Idempotency-Key must be 1 to 200 visible ASCII characters, such as a UUID."


class _View(Protocol):
    restaurant: Restaurant | None
    attempt: Attempt | None


Handler = Callable[..., Response]


def idempotent(handler: Handler) -> Handler:
    """Decorator for a handler of an acting view: a repeated key gets the stored answer.

    Pass `self.attempt`, which is None without a key, to the service: it records what must not
    happen twice. Services that can be repeated safely don't need it.
    """

    @wraps(handler)
    def repeatable(self: _View, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = _key_of(request)
        if not key or self.restaurant is None:
            return handler(self, request, *args, **kwargs)
        attempt = claim_key(
            restaurant=self.restaurant,
            caller=str(request.user.pk) if isinstance(request.user, User) else "",
            key=key,
            fingerprint=_fingerprint(request),
            now=clock.now(),
        )
        if attempt.answer:
            headers = {REPLAYED: "true"}
            return Response(attempt.answer.body, status=attempt.answer.status, headers=headers)
        self.attempt = attempt
        try:
            response = handler(self, request, *args, **kwargs)
        except BaseException:
            attempt.release()
            raise
        attempt.store(
            Answer(response.status_code, json.loads(JSONRenderer().render(response.data)))
        )
        return response

    repeatable.is_idempotent = True  # type: ignore[attr-defined]  # for the API's description
    return repeatable


def _key_of(request: Request) -> str:
    """The request's key, empty without one. Raises Invalid for a malformed one."""
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not _PATTERN.fullmatch(key):
        raise Invalid.because([FieldError(HEADER, INVALID_KEY)])
    return key


def _fingerprint(request: Request) -> str:
    sent = json.dumps([request.method, request.path, request.data], sort_keys=True, default=str)
    return hashlib.sha256(sent.encode()).hexdigest()
