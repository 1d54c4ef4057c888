"""Checks that the API's description names every refusal that a test gets.

The test client calls this for each answer, so the whole suite shows that the description is
complete.
"""

import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import yaml
from django.urls import Resolver404

from apps.common.api.schema import camel_case

SCHEMA = Path(__file__).parents[1] / "frontend" / "src" / "api" / "schema.yaml"

ROUTE_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@cache
def _paths() -> Any:
    with SCHEMA.open() as lines:
        return yaml.load(lines, yaml.CSafeLoader)["paths"]


def check_described(method: str, response: Any) -> None:
    """Fails for a status or a code that the operation's description doesn't have."""
    try:
        route = response.resolver_match.route
    except Resolver404:  # no operation
        return
    path = "/" + ROUTE_PARAMETER.sub(lambda found: f"{{{camel_case(found[1])}}}", route)
    operation = _paths().get(path, {}).get(method.lower())
    status = response.status_code
    if operation is None or status < HTTPStatus.BAD_REQUEST:
        return
    described = operation["responses"].get(str(status))
    assert described, f"{method} {path} answers {status}, which it doesn't describe"
    answer = response.json()
    code = answer.get("code", "")
    assert f"`{code}`" in described["description"] or "code" not in answer, (
        f"{method} {path} answers {status} {code}, which it doesn't describe"
    )
