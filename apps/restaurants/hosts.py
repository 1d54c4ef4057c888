"""Which host belongs to whom, and the one function that builds absolute links (design §2)."""

from django.conf import settings
from django.core.cache import cache

from apps.restaurants.models import Domain, Restaurant

# "Nobody" is remembered too, and shorter: a host that is asked for and not there must not cost a
# query each time, while a new restaurant should answer soon.
KNOWN_FOR = 300
UNKNOWN_FOR = 30
_NOBODY = "-"

DEFAULT_PORTS = {"http": 80, "https": 443}


def is_platform_host(hostname: str) -> bool:
    """The platform's own host, `www.` and loopback addresses included."""
    return hostname in {
        settings.ROOT_DOMAIN,
        f"www.{settings.ROOT_DOMAIN}",
        "127.0.0.1",
        "testserver",
    }


def _cache_key(hostname: str) -> str:
    return f"host:{hostname}"


def restaurant_for_host(hostname: str) -> Restaurant | None:
    """The active restaurant that answers at this host, or None."""
    label = hostname.removesuffix(f".{settings.ROOT_DOMAIN}")
    if label in settings.RESERVED_SUBDOMAINS:
        return None
    key = _cache_key(hostname)
    found = cache.get(key)
    if found is None:
        domain = (
            Domain.objects.select_related("tenant")
            .filter(domain=hostname, tenant__status=Restaurant.Status.ACTIVE)
            .first()
        )
        found = domain.tenant if domain else _NOBODY
        cache.set(key, found, KNOWN_FOR if domain else UNKNOWN_FOR)
    return found if isinstance(found, Restaurant) else None


def forget_hosts(restaurant: Restaurant) -> None:
    """Drop what is remembered of the restaurant's hosts; call it after changing it or them."""
    hosts = list(restaurant.domains.values_list("domain", flat=True))
    cache.delete_many([_cache_key(host) for host in [*hosts, restaurant_host(restaurant)]])


def restaurant_host(restaurant: Restaurant) -> str:
    """The restaurant's own host: its verified domain, else its subdomain."""
    return restaurant.domain or f"{restaurant.subdomain}.{settings.ROOT_DOMAIN}"


def absolute_url(path: str, *, restaurant: Restaurant | None = None) -> str:
    """`path` on the restaurant's host, or on the platform's when there is none."""
    host = restaurant_host(restaurant) if restaurant else settings.ROOT_DOMAIN
    scheme, port = settings.PUBLIC_SCHEME, settings.PUBLIC_PORT
    suffix = "" if port == DEFAULT_PORTS[scheme] else f":{port}"
    return f"{scheme}://{host}{suffix}{path}"
