"""Decorator for pages of a restaurant's team, on the platform's host."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from apps.accounts.models import User
from apps.common import rls
from apps.common.error_codes import ErrorCode
from apps.common.errors import DomainError
from apps.common.views import permission_denied
from apps.restaurants.permissions import (
    TWO_FACTOR_URL,
    Permission,
    TwoFactorRequired,
    current_membership,
    memberships_of,
)

# Takes the request, the membership (`CurrentMembership`), and the URL's keyword arguments.
MemberView = Callable[..., HttpResponseBase]


def to_start_page(intended: str) -> HttpResponse:
    """Redirect a visitor to the start page, which leads to `intended` after signing in."""
    return redirect(f"/?{urlencode({'next': intended})}")


def _refused(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    """The page for a member without the right. For a suspended restaurant it says so, and leads to
    the dashboard."""
    if refusal.code != ErrorCode.RESTAURANT_CLOSED:
        return permission_denied(request)
    context = {"title": "Suspended", "message": refusal.message, "home_url": "/restaurant"}
    return render(request, "errors/error.html", context, status=refusal.status)


def member_page(
    right: Permission, *, visitors_start: bool = False
) -> Callable[[MemberView], Callable[..., HttpResponseBase]]:
    """A page for members with `right`. Acts as the restaurant and passes the membership on.

    Without the right, the response is 403. A user without a restaurant is redirected to the start
    page, which explains how to register one; staff are redirected to the list of restaurants.
    Visitors are redirected to the sign-in form or, with `visitors_start`, to the start page.
    """

    def decorate(view: MemberView) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def page(request: HttpRequest, **named: Any) -> HttpResponseBase:
            assert isinstance(request.user, User)  # login_required
            try:
                membership = current_membership(request, request.user)
            except TwoFactorRequired as refusal:
                messages.info(request, refusal.message)
                return redirect(TWO_FACTOR_URL)
            except DomainError:
                if not memberships_of(request.user) and "restaurant" not in request.GET:
                    return redirect("tenants" if request.user.is_staff else "home")
                return permission_denied(request)
            try:
                membership.require(right)
            except DomainError as refusal:
                return _refused(request, refusal)
            request.shown_restaurant = membership.restaurant  # type: ignore[attr-defined]
            request.shown_membership = membership  # type: ignore[attr-defined]
            with rls.acting_as(membership.restaurant):
                return view(request, membership, **named)

        signed_in_page = login_required(page)

        @wraps(view)
        def guarded(request: HttpRequest, **named: Any) -> HttpResponseBase:
            if visitors_start and not request.user.is_authenticated:
                return to_start_page(request.get_full_path())
            return signed_in_page(request, **named)

        return guarded

    return decorate
