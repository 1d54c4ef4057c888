"""Social media links: the supported platforms and their hosts."""

from collections.abc import Mapping
from urllib.parse import urlsplit

MAX_LINK_CHARACTERS = 500
# Each platform's own host, and its aliases.
HOSTS: Mapping[str, tuple[str, ...]] = {
    "facebook": (
        "facebook.com",
        "www.facebook.com",
        "m.facebook.com",
        "web.facebook.com",
        "fb.com",
    ),
    "instagram": ("instagram.com", "www.instagram.com", "m.instagram.com"),
    "twitter": (
        *("twitter.com", "www.twitter.com", "mobile.twitter.com"),
        *("x.com", "www.x.com"),
    ),
}


def is_link_to(platform: str, link: str) -> bool:
    """Whether this is a complete https URL of a page on the platform."""
    if len(link) > MAX_LINK_CHARACTERS or any(
        each.isspace() or not each.isprintable() for each in link
    ):
        return False
    try:
        parts = urlsplit(link)
        port = parts.port
    except ValueError:
        return False
    is_there = parts.scheme == "https" and parts.netloc.lower() in HOSTS[platform]
    return is_there and port is None and "\\" not in link and bool(parts.path.strip("/"))
