"""Every address that answers a POST, PUT, PATCH, or DELETE, found by asking all of them."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, get_resolver

from tests.contract.test_every_operation import NOBODY, OPERATIONS

FORM, METHOD_NOT_ALLOWED = "application/x-www-form-urlencoded", 405
SAMPLES = {"uuid": NOBODY, "int": "1", "str": "x", "slug": "x", "path": "x"}
_PARAMETER = re.compile(r"<(?:(\w+):)?\w+>")


def patterns(these: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """`(route, address)` of all patterns; the address of a regular expression is empty."""
    for each in these:
        route = prefix + str(each.pattern)
        if not isinstance(each, URLPattern):
            yield from patterns(each.url_patterns, route)
        elif "^" in route or "\\" in route or "(?P" in route:
            yield route, ""
        else:
            yield route, "/" + _PARAMETER.sub(lambda match: SAMPLES[match[1] or "str"], route)


def pages_that_write(client: Any, urlconf: str) -> set[str]:
    """The routes of pages that accept a POST; those of a regular expression are all included."""
    found = set()
    for route, address in patterns(get_resolver(urlconf).url_patterns):
        if route.startswith(("api/", "_demo", "djdt")):
            continue
        if (
            not address
            or client.post(address, {}, "application/x-www-form-urlencoded").status_code != 405
        ):
            found.add(f"POST /{route}")
    return found


def api_writes() -> set[str]:
    return {f"{method.upper()} {path}" for method, path, _ in OPERATIONS if method != "get"}
