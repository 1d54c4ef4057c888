"""A restaurant's pages on social media: the platforms there are, and links to them (V18)."""

from collections.abc import Mapping
from urllib.parse import urlsplit

LONGEST_LINK = 500
# The first is what a form shows before the handle; the others lead to the same place.
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
PREFIXES = {platform: f"https://{hosts[0]}/" for platform, hosts in HOSTS.items()}


def is_link_to(platform: str, link: str) -> bool:
    """Whether this is a whole https address of somebody's page on the platform."""
    if len(link) > LONGEST_LINK or any(each.isspace() or not each.isprintable() for each in link):
        return False
    try:
        parts = urlsplit(link)
        port = parts.port
    except ValueError:
        return False
    is_there = parts.scheme == "https" and parts.netloc.lower() in HOSTS[platform]
    return is_there and port is None and "\\" not in link and bool(parts.path.strip("/"))
