"""API errors, all in one format: `{code, message, errors: [{field, code, message}]}`.

The codes are in `apps.common.error_codes` (DECISIONS X30).
"""

import logging
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.db import DataError
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import DomainError

logger = logging.getLogger(__name__)

NOT_FOUND = gettext_lazy("We couldn't find that. Check the link and try again.")
TOO_LARGE = gettext_lazy("That request is too large. Send less data at a time.")
UNAUTHORIZED = "401: Unauthorized"
# DRF's codes that mean the same as one of ours.
_FIELD_CODES = {
    "max_string_length": FieldErrorCode.TOO_LONG,
    "max_whole_digits": FieldErrorCode.MAX_DIGITS,
    "max_decimal_places": FieldErrorCode.MAX_DECIMAL_PLACES,
} | {str(code): code for code in FieldErrorCode}
# Our codes for DRF's own errors, by status.
_STATUS_CODES = {
    400: ErrorCode.MALFORMED,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    413: ErrorCode.TOO_LARGE,
    415: ErrorCode.UNSUPPORTED_MEDIA_TYPE,
}


def body(
    code: ErrorCode, message: str, errors: list[dict[str, str]] | None = None, **extra: object
) -> dict[str, Any]:
    return {"code": str(code), "message": message, "errors": errors or [], **extra}


def _flatten(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested error details; list items are numbered in the path: `items.0.price`."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            here = "" if key == "non_field_errors" else str(key)
            yield from _flatten(value, ".".join(filter(None, (path, here))))
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            nested = isinstance(value, dict)
            yield from _flatten(value, f"{path}.{index}" if nested else path)
    else:
        code = _FIELD_CODES.get(getattr(detail, "code", ""), FieldErrorCode.INVALID)
        yield {"field": path, "code": str(code), "message": str(detail)}


def _refusal(code: ErrorCode, message: object, headers: dict[str, str] | None = None) -> Response:
    return Response(body(code, str(message)), status=code.status, headers=headers)


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; None passes unexpected errors on to Django's 500 page and log."""
    if isinstance(exc, DomainError):
        set_rollback()
        errors = [
            {"field": error.field, "code": str(error.code), "message": error.message}
            for error in exc.fields
        ]
        answer = body(exc.code, exc.message, errors, **exc.extra)
        return Response(answer, status=exc.status, headers=exc.headers)
    if isinstance(exc, (Http404, exceptions.NotFound)):
        return _refusal(ErrorCode.NOT_FOUND, NOT_FOUND)
    if isinstance(exc, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        headers = {"WWW-Authenticate": "Bearer"}
        return _refusal(ErrorCode.UNAUTHENTICATED, UNAUTHORIZED, headers)
    if isinstance(exc, (PermissionDenied, exceptions.PermissionDenied)):
        detail = getattr(exc, "detail", None)
        code = ErrorCode.FORBIDDEN
        if str(detail).startswith("CSRF Failed"):  # how DRF's SessionAuthentication says it
            code = ErrorCode.CSRF_FAILED
        return _refusal(code, detail or _("You don't have permission to do that."))
    if isinstance(exc, exceptions.Throttled):
        wait = int(getattr(exc, "wait", None) or 60) + 1
        message = _("Too many attempts. Wait %(wait)s seconds and try again.") % {"wait": wait}
        return _refusal(ErrorCode.TOO_MANY_ATTEMPTS, message, {"Retry-After": str(wait)})
    if isinstance(exc, exceptions.ValidationError):
        errors = list(_flatten(exc.detail))
        return Response(body(ErrorCode.INVALID, errors[0]["message"], errors), status=400)
    if isinstance(exc, RequestDataTooBig):
        return _refusal(ErrorCode.TOO_LARGE, TOO_LARGE)
    if isinstance(exc, (BadRequest, DataError)):
        # DataError: PostgreSQL rejected a value that we let through, such as one out of range.
        logger.warning("refused by the database: %s", exc)
        message = _("We couldn't read that request. Check its values.")
        return _refusal(ErrorCode.MALFORMED, message)
    if isinstance(exc, exceptions.APIException) and exc.status_code in _STATUS_CODES:
        return _refusal(_STATUS_CODES[exc.status_code], exc.detail)
    return None
