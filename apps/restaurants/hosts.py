"""Maps hosts to restaurants, and builds absolute links (design §2)."""

from dataclasses import dataclass

from django.conf import settings
from django.core import serializers
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpRequest

from apps.common import clock, rls
from apps.common.links import url_at
from apps.restaurants.models import Domain, FormerAddress, Restaurant

# Unknown hosts are cached too, so that requests for them don't cost a query each. Their time is
# shorter, so that a new restaurant is reachable soon.
KNOWN_HOST_SECONDS = 300
UNKNOWN_HOST_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Moved:
    """The restaurant has moved from this host to `host`."""

    host: str


def is_platform_host(hostname: str) -> bool:
    """Whether this is the platform's host, with or without `www.`.

    Outside production, LOOPBACK_HOSTS are too.
    """
    own = {settings.ROOT_DOMAIN, f"www.{settings.ROOT_DOMAIN}"}
    return hostname in own or hostname in settings.LOOPBACK_HOSTS


def _cache_key(hostname: str) -> str:
    return f"host:{hostname}"


def restaurant_for_host(hostname: str) -> Restaurant | None:
    """The restaurant at this host, whatever its status, or None."""
    found = _answer_for_host(hostname)
    return found if isinstance(found, Restaurant) else None


def new_host_for(hostname: str) -> str | None:
    """The new host of the restaurant that recently gave up this one, or None (DECISIONS X67)."""
    found = _answer_for_host(hostname)
    return found.host if isinstance(found, Moved) else None


def _answer_for_host(hostname: str) -> Restaurant | Moved | None:
    label = hostname.removesuffix(f".{settings.ROOT_DOMAIN}")
    if label in settings.RESERVED_SUBDOMAINS:
        return None
    key = _cache_key(hostname)
    cached: dict[str, str] | None = cache.get(key)
    if cached is not None:
        return _loaded(cached)
    found = _look_up(hostname)
    is_there = isinstance(found, Restaurant)
    cache.set(key, _stored(found), KNOWN_HOST_SECONDS if is_there else UNKNOWN_HOST_SECONDS)
    return found


def _stored(found: Restaurant | Moved | None) -> dict[str, str]:
    """What a host leads to, as the cache stores it."""
    if isinstance(found, Moved):
        return {"moved": found.host}
    return {"restaurant": serializers.serialize("json", [found])} if found else {}


def _loaded(cached: dict[str, str]) -> Restaurant | Moved | None:
    if "moved" in cached:
        return Moved(cached["moved"])
    if "restaurant" not in cached:
        return None
    # During an upgrade, the other version may have stored columns that this one doesn't know.
    rows = serializers.deserialize("json", cached["restaurant"], ignorenonexistent=True)
    restaurant = next(rows).object
    assert isinstance(restaurant, Restaurant)
    restaurant._state.adding = False  # it is in the database
    restaurant._state.db = DEFAULT_DB_ALIAS
    return restaurant


def _look_up(hostname: str) -> Restaurant | Moved | None:
    domain = Domain.objects.select_related("tenant").filter(domain=hostname).first()
    if domain:
        return domain.tenant
    with rls.acting_as(rls.PLATFORM):
        former = (
            FormerAddress.objects.select_related("restaurant")
            .filter(host=hostname, until__gt=clock.now())
            .first()
        )
    return Moved(restaurant_host(former.restaurant)) if former else None


def is_served(hostname: str) -> bool:
    """Whether this is a host that we answer for: the platform's, or a restaurant's present or
    former one. Only such hosts get a certificate (decision 122)."""
    return is_platform_host(hostname) or _answer_for_host(hostname) is not None


def forget_host(host: str) -> None:
    """Invalidate the cached look-up of one host."""
    cache.delete(_cache_key(host))


def forget_hosts(restaurant: Restaurant, *more: str) -> None:
    """Invalidate the cached look-ups of the restaurant's hosts, and of `more` hosts.

    Call it after any change to the restaurant or its hosts.
    """
    hosts = list(restaurant.domains.values_list("domain", flat=True))
    known = {*hosts, restaurant_host(restaurant), *more}
    cache.delete_many([_cache_key(host) for host in known])


def subdomain_host(subdomain: str) -> str:
    """The host of a subdomain, such as `luigis.localhost`."""
    return f"{subdomain}.{settings.ROOT_DOMAIN}"


def restaurant_host(restaurant: Restaurant) -> str:
    """The restaurant's host: its verified domain, otherwise its subdomain."""
    return restaurant.domain or subdomain_host(restaurant.subdomain)


def absolute_url(path: str, *, restaurant: Restaurant | None = None) -> str:
    """`path` as an absolute URL on the restaurant's host, or the platform's if None."""
    return url_at(restaurant_host(restaurant) if restaurant else settings.ROOT_DOMAIN, path)


def path_here(request: HttpRequest, path: str, restaurant: Restaurant) -> str:
    """`path` for a link on the page of this request: as it is on a restaurant's host; with the
    restaurant's `rid` on the platform's host, which all restaurants share."""
    is_own_host = getattr(request, "tenant", None) is not None
    return path if is_own_host else f"{path}?rid={restaurant.pk}"
