"""Where a person was going when they were asked to sign in (DECISIONS X43)."""

from urllib.parse import urlsplit

from django.conf import settings
from django.utils.http import url_has_allowed_host_and_scheme


def safe_destination(wanted: str | None) -> str:
    """`wanted` when it is a path of our own site, else the dashboard.

    Anything that could lead to another site, in any spelling a browser forgives, is not followed.
    """
    path = wanted or ""
    own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if own and not urlsplit(path).netloc else settings.LOGIN_REDIRECT_URL
