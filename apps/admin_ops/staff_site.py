"""The staff's data pages: Django's admin behind our own sign-in (decision 90).

Django's own sign-in, password and forms don't exist here. A session that passed the second factor
can read, as the platform and in a read-only transaction; an action needs a step-up. Reading is
limited, so that a stolen session can't copy everything.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.auth.decorators import login_required
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import SimpleTemplateResponse
from django.urls import include, path
from django.utils.functional import SimpleLazyObject
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_safe
from psycopg.errors import QueryCanceled

from apps.accounts.models import User
from apps.accounts.rate_limits import STAFF_DATA, TooManyAttempts
from apps.accounts.staff_access import has_staff_access
from apps.accounts.step_up import has_stepped_up
from apps.accounts.views.account import to_reauthentication
from apps.common import rls
from apps.common.admin import plural_of
from apps.common.read_only import read_only
from apps.common.views import permission_denied, too_many_requests
from apps.restaurants.permissions import note_staff_visit

READ_LIMIT = "5s"
APP_NAMES = {"account": "Email addresses", "admin_ops": "Operations", "djstripe": "Stripe"}
TOO_LONG = "That search takes too long. Look for a whole ID, code, or email."


class StaffSite(admin.AdminSite):
    """The site that every app's `admin.py` registers its tables with."""

    site_title = site_header = "Fully Booked data"
    index_title = "Data"
    final_catch_all_view = False
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and has_staff_access(request, request.user)

    def get_urls(self) -> list[Any]:
        tables = [
            path(f"{model._meta.app_label}/{model._meta.model_name}/", include(pages.urls))
            for model, pages in self._registry.items()
        ]
        view = self.admin_view
        return [
            path("", require_safe(view(self.index)), name="index"),
            *tables,
            path("<slug:app_label>/", require_safe(view(self.app_index)), name="app_list"),
        ]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """The apps with their tables, in English plurals: Django adds an `s` to every name.

        Only read when a page shows it. Django puts it into every page's context, for a sidebar that
        is off here, and it takes a third of a page's time.
        """

        def named() -> list[Any]:
            found: list[Any] = super(StaffSite, self).get_app_list(request, app_label)
            for app in found:
                app["name"] = APP_NAMES.get(app["app_label"], app["name"])
                for table in app["models"]:
                    table["name"] = capfirst(plural_of(table["model"]._meta))
            return found

        return SimpleLazyObject(named)

    def get_log_entries(self, request: HttpRequest) -> Any:
        return ()  # django.contrib.admin's own log stays empty: what staff do is in ours

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Every page of the site goes through here."""

        def guarded(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            assert isinstance(request.user, User)  # login_required
            if not self.has_permission(request):
                return permission_denied(request)
            try:
                STAFF_DATA.count(str(request.user.pk))
            except TooManyAttempts:
                return too_many_requests(request)
            if request.method == "POST":
                return self._write(view, request, *args, **named)
            return self._read(view, request, *args, **named)

        page = csrf_protect(never_cache(login_required(guarded)))
        return update_wrapper(page, view)

    def _read(
        self, view: Callable[..., Any], request: HttpRequest, *args: Any, **named: Any
    ) -> HttpResponse:
        try:
            with rls.acting_as(rls.PLATFORM), read_only():
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL statement_timeout = '{READ_LIMIT}'")
                response: HttpResponse = view(request, *args, **named)
                if isinstance(response, SimpleTemplateResponse):
                    response.render()  # its rows are read while it is rendered
        except OperationalError as error:
            if not isinstance(error.__cause__, QueryCanceled):
                raise
            messages.error(request, TOO_LONG)
            return HttpResponseRedirect(request.path)
        visited: UUID | None = getattr(request, "visited_restaurant_id", None)
        if visited is not None:
            assert isinstance(request.user, User)
            note_staff_visit(request.user, visited)
        return response

    def _write(
        self, view: Callable[..., Any], request: HttpRequest, *args: Any, **named: Any
    ) -> HttpResponse:
        assert isinstance(request.user, User)
        if not has_stepped_up(request, request.user):
            return to_reauthentication(request.path.partition("/do/")[0] + "/")
        with rls.acting_as(rls.PLATFORM):
            response: HttpResponse = view(request, *args, **named)
        return response
