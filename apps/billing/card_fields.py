"""Pages on which a diner gives a card to the processor's own fields."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpResponse

from apps.common.headers import PERMISSIONS

View = Callable[..., HttpResponse]
# Wallets are asked for by the page and by the processor's frame in it.
PERMISSIONS_WITH_PAYMENT = PERMISSIONS.replace(
    "payment=()", f'payment=(self "{settings.CARD_SCRIPT_ORIGIN}")'
)


def asks_for_a_card(view: View) -> View:
    """Lets the page load the processor's script, show its frames and call its API.

    Stands outside `briefly_kept`, since a kept page forgets what was said of it.
    """

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> HttpResponse:
        page = view(*args, **kwargs)
        # Read by the middleware that writes the policy.
        page._csp_update = settings.CARD_PAGE_POLICY  # type: ignore[attr-defined]
        page.headers["Permissions-Policy"] = PERMISSIONS_WITH_PAYMENT
        return page

    return wrapper
