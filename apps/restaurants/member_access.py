"""Pages of a restaurant's own people, on the platform's host."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from apps.accounts.models import User
from apps.common import rls
from apps.common.errors import DomainError
from apps.common.views import permission_denied
from apps.restaurants.permissions import Permission, current_membership, memberships_of

# Takes the request, the person's post (`roles.Post`), and by name what its address names.
MemberView = Callable[..., HttpResponse]


def to_start_page(intended: str) -> HttpResponse:
    """For a visitor: the start page, which keeps where they were going until they have signed in
    (R156)."""
    return redirect(f"/?{urlencode({'next': intended})}")


def member_page(
    right: Permission, *, visitors_start: bool = False
) -> Callable[[MemberView], Callable[..., HttpResponseBase]]:
    """A page for whoever may do `right`: signs in first, acts as the restaurant, hands over the
    person's post. Without the right it says so (403); who works in no restaurant is led to the
    start page, which says how to open one (R153), staff to the list of restaurants.

    A visitor is led to the sign-in form, with `visitors_start` to the start page.
    """

    def decorate(view: MemberView) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def page(request: HttpRequest, **named: Any) -> HttpResponse:
            assert isinstance(request.user, User)  # login_required
            try:
                post = current_membership(request, request.user)
            except DomainError:
                if not memberships_of(request.user) and "restaurant" not in request.GET:
                    return redirect("tenants" if request.user.is_staff else "home")
                return permission_denied(request)
            if not post.may(right):
                return permission_denied(request)
            request.shown_restaurant = post.restaurant  # type: ignore[attr-defined]
            request.shown_post = post  # type: ignore[attr-defined]
            with rls.acting_as(post.restaurant):
                return view(request, post, **named)

        signed_in_page = login_required(page)

        @wraps(view)
        def guarded(request: HttpRequest, **named: Any) -> HttpResponseBase:
            if visitors_start and not request.user.is_authenticated:
                return to_start_page(request.get_full_path())
            return signed_in_page(request, **named)

        return guarded

    return decorate
