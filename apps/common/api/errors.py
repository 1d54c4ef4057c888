"""API errors, all in one format: `{message, errors: [{field, message}]}` (DECISIONS X30)."""

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

from apps.common.errors import DomainError

logger = logging.getLogger(__name__)

NOT_FOUND = gettext_lazy("We couldn't find that. Check the link and try again.")
TOO_LARGE = gettext_lazy("That request is too large. Send less data at a time.")
UNAUTHORIZED = "401: Unauthorized"


def body(
    message: str, errors: list[dict[str, str]] | None = None, **extra: object
) -> dict[str, Any]:
    return {"message": message, "errors": errors or [], **extra}


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
        yield {"field": path, "message": str(detail)}


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; None passes unexpected errors on to Django's 500 page and log."""
    if isinstance(exc, DomainError):
        set_rollback()
        errors = [{"field": error.field, "message": error.message} for error in exc.fields]
        headers = {"Retry-After": str(exc.retry_after)} if exc.retry_after else None
        return Response(body(exc.message, errors, **exc.extra), status=exc.status, headers=headers)
    if isinstance(exc, (Http404, exceptions.NotFound)):
        return Response(body(str(NOT_FOUND)), status=404)
    if isinstance(exc, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        return Response(body(UNAUTHORIZED), status=401, headers={"WWW-Authenticate": "Bearer"})
    if isinstance(exc, (PermissionDenied, exceptions.PermissionDenied)):
        detail = getattr(exc, "detail", None)
        return Response(body(str(detail or _("You don't have permission to do that."))), status=403)
    if isinstance(exc, exceptions.Throttled):
        wait = int(getattr(exc, "wait", None) or 60) + 1
        message = _("Too many attempts. Wait %(wait)s seconds and try again.") % {"wait": wait}
        return Response(body(message), status=429, headers={"Retry-After": str(wait)})
    if isinstance(exc, exceptions.ValidationError):
        errors = list(_flatten(exc.detail))
        return Response(body(errors[0]["message"], errors), status=400)
    if isinstance(exc, RequestDataTooBig):
        return Response(body(str(TOO_LARGE)), status=413)
    if isinstance(exc, (BadRequest, DataError)):
        # DataError: PostgreSQL rejected a value that we let through, such as one out of range.
        logger.warning("refused by the database: %s", exc)
        return Response(body(_("We couldn't read that request. Check its values.")), status=400)
    if isinstance(exc, exceptions.APIException):
        return Response(body(str(exc.detail)), status=exc.status_code)
    return None
