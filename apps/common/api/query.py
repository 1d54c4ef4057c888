"""What a query string may say: pages (`limit` and `cursor` in, `nextCursor` out), and flags."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from apps.common.cursors import MAX_PAGE_SIZE, PAGE_SIZE
from apps.common.errors import FieldError, Invalid

CURSOR = OpenApiParameter(
    "cursor",
    str,
    description="`nextCursor` of the previous page, with the same other parameters.",
)


def limit_parameter(default: int = PAGE_SIZE, most: int = MAX_PAGE_SIZE) -> OpenApiParameter:
    """The description of `limit`."""
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": default}
    return OpenApiParameter("limit", schema, description="The number of items in a page.")


def read_limit(request: Request, default: int = PAGE_SIZE, most: int = MAX_PAGE_SIZE) -> int:
    """The requested page size. Raises Invalid."""
    asked = request.query_params.get("limit")
    if asked is None:
        return default
    if not (asked.isascii() and asked.isdigit() and len(asked) < 9 and 1 <= int(asked) <= most):
        message = f"`limit` must be a whole number from 1 to {most}."
        raise Invalid.because([FieldError("limit", message)])
    return int(asked)


def read_flag(request: Request, name: str) -> bool:
    """A yes or no, off by default. Raises Invalid."""
    asked = request.query_params.get(name, "").lower()
    if asked not in ("", "0", "1", "false", "true"):
        raise Invalid.because([FieldError(name, f"`{name}` must be true or false.")])
    return asked in ("1", "true")
