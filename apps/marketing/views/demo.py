"""Demo page: the visitor leaves an email, then publishes and fills a sample special."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def demo(request: HttpRequest) -> HttpResponse:
    return render(request, "marketing/demo.html", {"props": {"startUrl": "/#start"}})
