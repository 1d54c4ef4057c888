"""Django with nothing in it: one view without middleware, to hold the product's pages against.

Its answer is as long as BARE_BYTES says, so that both move the same number of bytes.
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
