"""A decorator for pages with Stripe's card form: relaxes their security headers."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpResponse

from apps.common.headers import PERMISSIONS

View = Callable[..., HttpResponse]
# Both the page and Stripe's iframe in it use wallets such as Apple Pay.
PERMISSIONS_WITH_PAYMENT = PERMISSIONS.replace(
    "payment=()", f'payment=(self "{settings.CARD_SCRIPT_ORIGIN}")'
)


def asks_for_a_card(view: View) -> View:
    """Let the page load Stripe's script, show its iframes and call its API.

    Apply it outside `cached_briefly`: a cached page loses the attribute this sets on the response.
    """

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> HttpResponse:
        page = view(*args, **kwargs)
        # Read by the middleware that writes the policy.
        page._csp_update = settings.CARD_PAGE_POLICY  # type: ignore[attr-defined]
        page.headers["Permissions-Policy"] = PERMISSIONS_WITH_PAYMENT
        return page

    return wrapper
