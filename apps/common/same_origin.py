"""What a browser says of a request: above all whether a form post comes from our own page, checked
without a cookie.

Public pages set no cookie, so they can be cached and shared; the order form therefore has no CSRF
token. It needs none: no session is read, and a card is only entered on the payment provider's page.
What remains is another site submitting orders through its visitors, and browsers say where a post
comes from.
"""

from urllib.parse import urlsplit

from django.http import HttpRequest

OWN = frozenset({"same-origin", "none"})  # "none": the user's own action, such as a reload


def is_from_own_page(request: HttpRequest) -> bool:
    """False if the browser names another origin. A client that isn't a browser need not name
    one."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in OWN
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    named = urlsplit(origin)
    return (named.scheme, named.netloc) == (request.scheme, request.get_host())


def is_prefetch(request: HttpRequest) -> bool:
    """Whether the browser only prepares for a click:
    https://wicg.github.io/nav-speculation/prefetch.html"""
    return "prefetch" in request.headers.get("Sec-Purpose", "")
