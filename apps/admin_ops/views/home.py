"""The staff's home page: the two apps, user administration, the system log, and setup."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page
from apps.admin_ops.api.logs import LogEntrySerializer
from apps.admin_ops.api.users import ListedUserSerializer
from apps.admin_ops.system_log import system_log
from apps.admin_ops.users import users_for_staff


@require_safe
@ensure_csrf_cookie
@staff_page
def home(request: HttpRequest, staff: User) -> HttpResponse:
    page = users_for_staff()
    props = {
        "me": str(staff.pk),
        "users": ListedUserSerializer(page.users, many=True).data,
        "total": page.total,
        "entries": LogEntrySerializer(system_log(), many=True).data,
    }
    return render(request, "admin_ops/home.html", {"props": props})
