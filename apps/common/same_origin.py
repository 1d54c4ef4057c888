"""Whether a form post comes from our own page, without a cookie to prove it.

The public pages set no cookie, so that they can be kept and shared; the pre-order form therefore
carries no CSRF token. It needs none: the post acts with nobody's authority, as no session is read
and a card is only given on the processor's page. What is left to refuse is another site's page
filling in orders through its visitors, and every browser says where a post comes from.
"""

from urllib.parse import urlsplit

from django.http import HttpRequest

OWN = frozenset({"same-origin", "none"})  # "none": the person's own doing, such as a reload


def is_from_own_page(request: HttpRequest) -> bool:
    """False when the browser names another origin. A client that is no browser may name none."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in OWN
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    named = urlsplit(origin)
    return (named.scheme, named.netloc) == (request.scheme, request.get_host())
