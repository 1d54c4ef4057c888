"""The demo: an e-mail, then a special published, filled and decided by the visitor (R112)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def demo(request: HttpRequest) -> HttpResponse:
    return render(request, "marketing/demo.html", {"props": {"startUrl": "/#start"}})
