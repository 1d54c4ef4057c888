"""The staff's home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page


@require_safe
@staff_page
def home(request: HttpRequest, staff: User) -> HttpResponse:
    return render(request, "admin_ops/home.html")
