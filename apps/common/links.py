"""Absolute URLs, for emails and other sites."""

from django.conf import settings

DEFAULT_PORTS = {"http": 80, "https": 443}


def url_at(host: str, path: str) -> str:
    """The public URL of `path` on one of our hosts."""
    scheme, port = settings.PUBLIC_SCHEME, settings.PUBLIC_PORT
    suffix = "" if port == DEFAULT_PORTS[scheme] else f":{port}"
    return f"{scheme}://{host}{suffix}{path}"


def platform_url(path: str) -> str:
    """The public URL of `path` on the platform's own host."""
    return url_at(settings.ROOT_DOMAIN, path)
