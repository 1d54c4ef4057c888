"""Which host belongs to whom, and the one function that builds absolute links (design §2)."""

from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

from apps.common import clock, rls
from apps.common.links import url_at
from apps.restaurants.models import Domain, FormerAddress, Restaurant

# "Nobody" is remembered too, and shorter: a host that is asked for and not there must not cost a
# query each time, while a new restaurant should answer soon.
KNOWN_FOR = 300
UNKNOWN_FOR = 30
_NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Moved:
    """The restaurant that answered here answers at `host` now."""

    host: str


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
    found = _answer_for_host(hostname)
    return found if isinstance(found, Restaurant) else None


def new_host_for(hostname: str) -> str | None:
    """Where the restaurant went that had this host until lately, or None (DECISIONS X67)."""
    found = _answer_for_host(hostname)
    return found.host if isinstance(found, Moved) else None


def _answer_for_host(hostname: str) -> Restaurant | Moved | None:
    label = hostname.removesuffix(f".{settings.ROOT_DOMAIN}")
    if label in settings.RESERVED_SUBDOMAINS:
        return None
    key = _cache_key(hostname)
    found = cache.get(key)
    if found is None:
        found = _look_up(hostname) or _NOBODY
        is_there = isinstance(found, Restaurant)
        cache.set(key, found, KNOWN_FOR if is_there else UNKNOWN_FOR)
    return None if found == _NOBODY else found


def _look_up(hostname: str) -> Restaurant | Moved | None:
    domain = (
        Domain.objects.select_related("tenant")
        .filter(domain=hostname, tenant__status=Restaurant.Status.ACTIVE)
        .first()
    )
    if domain:
        return domain.tenant
    with rls.acting_as(rls.PLATFORM):
        former = (
            FormerAddress.objects.select_related("restaurant")
            .filter(
                host=hostname,
                until__gt=clock.now(),
                restaurant__status=Restaurant.Status.ACTIVE,
            )
            .first()
        )
    return Moved(restaurant_host(former.restaurant)) if former else None


def forget_host(host: str) -> None:
    """Drop what is remembered of one host."""
    cache.delete(_cache_key(host))


def forget_hosts(restaurant: Restaurant, *more: str) -> None:
    """Drop what is remembered of the restaurant's hosts, and of `more`; call it after changing it
    or them."""
    hosts = list(restaurant.domains.values_list("domain", flat=True))
    known = {*hosts, restaurant_host(restaurant), *more}
    cache.delete_many([_cache_key(host) for host in known])


def subdomain_host(subdomain: str) -> str:
    """The host of a subdomain of ours."""
    return f"{subdomain}.{settings.ROOT_DOMAIN}"


def restaurant_host(restaurant: Restaurant) -> str:
    """The restaurant's own host: its verified domain, else its subdomain."""
    return restaurant.domain or subdomain_host(restaurant.subdomain)


def absolute_url(path: str, *, restaurant: Restaurant | None = None) -> str:
    """`path` on the restaurant's host, or on the platform's when there is none."""
    return url_at(restaurant_host(restaurant) if restaurant else settings.ROOT_DOMAIN, path)
