"""A bare Django view without middleware, as the baseline for the product's pages.

Its response is BARE_BYTES long, so that both transfer the same number of bytes.
"""

import os

from django.http import HttpRequest, HttpResponse
from django.urls import path

SECRET_KEY = "bare"
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "benchmarks.bare"
MIDDLEWARE: list[str] = []
INSTALLED_APPS: list[str] = []
DATABASES: dict[str, dict[str, str]] = {}

BODY = b"x" * int(os.environ.get("BARE_BYTES", "4096"))


def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse(BODY)


urlpatterns = [path("bare", bare)]
