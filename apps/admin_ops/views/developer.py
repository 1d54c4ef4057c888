"""The developers' starter page: sample calls from the API's own description."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from apps.admin_ops.api import users, views

SETUP_PORT = 5000  # of the setup instructions
# The sample calls, in the order shown. Their texts come from the description, so a call that is
# gone fails the page's test.
SAMPLE = [
    ("GET", "/api/users"),
    ("POST", "/api/users"),
    ("GET", "/api/users/{id}"),
    ("PUT", "/api/users/{id}"),
    ("DELETE", "/api/users/{id}"),
    ("GET", "/api/health"),
]
TONES = {"GET": "herb", "POST": "sky", "PUT": "honey", "DELETE": "berry"}
_PATTERNS = [
    path("api/users", users.UsersView.as_view()),
    path("api/users/<uuid:id>", users.UserView.as_view()),
    path("api/health", views.HealthView.as_view()),
]


@dataclass(frozen=True, slots=True)
class SampleCall:
    """A call with what the API's description says of it."""

    method: str
    path: str
    summary: str
    tone: str


@cache
def sample_calls() -> list[SampleCall]:
    """The sample calls, as the API's description has them."""
    generator: Any = SchemaGenerator(patterns=_PATTERNS)  # type: ignore[no-untyped-call]
    described = generator.get_schema(public=True)["paths"]
    return [
        SampleCall(
            method,
            path,
            described[path][method.lower()]["description"].split("\n")[0],
            TONES[method],
        )
        for method, path in SAMPLE
    ]


@require_safe
def developer(request: HttpRequest) -> HttpResponse:
    context = {"calls": sample_calls(), "port": settings.PORT, "setup_port": SETUP_PORT}
    return render(request, "admin_ops/developer.html", context)
