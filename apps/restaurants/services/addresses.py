"""Web addresses of restaurants: propose a subdomain, change it, and redirect the old one.

Two people can want the same address at the same time. Checking whether it is free only makes for a
good error message; the unique index decides (DECISIONS X48).
"""

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import Conflict, FieldError, Invalid
from apps.restaurants import subdomains
from apps.restaurants.hosts import forget_host, forget_hosts, subdomain_host
from apps.restaurants.models import Domain, FormerAddress, Restaurant

FORMER_ADDRESS_LIFETIME = timedelta(days=30)  # DECISIONS X67
# Addresses that one restaurant can keep from others by changing its own.
MAX_FORMER_ADDRESSES = 3
TOO_MANY_CHANGES = (
    "You've changed this address 3 times in the last 30 days. Try again when an old address has "
    "expired."
)
NOT_AVAILABLE = (
    "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens."
)
EMAIL_TAKEN = "This email belongs to another restaurant. Use a different one."
SLUG_TAKEN = "This URL slug is taken. Choose another one."
# Names are numbered 2, 3, … up to this number, then randomly.
MAX_SEQUENTIAL_NUMBER = 20


class SubdomainTaken(Conflict):
    """The subdomain is taken or was given up recently. `suggestion` is free."""

    code = ErrorCode.SUBDOMAIN_TAKEN

    def __init__(self, *, suggestion: str, field: str = "subdomain") -> None:
        super().__init__(
            NOT_AVAILABLE,
            fields=[FieldError(field, NOT_AVAILABLE, FieldErrorCode.TAKEN)],
            extra={"suggestion": suggestion},
        )


def check_form(subdomain: str, *, field: str = "subdomain", longest: int | None = None) -> None:
    """Raises Invalid, naming every error, if the subdomain isn't valid for anyone."""
    errors = subdomains.validate_subdomain(subdomain, longest=longest or subdomains.LONGEST)
    if errors:
        problem = subdomains.describe_errors(errors)
        raise Invalid(NOT_AVAILABLE, fields=[FieldError(field, problem)])


def is_free(subdomain: str, *, now: datetime, restaurant: Restaurant | None = None) -> bool:
    """Whether `restaurant` (or a new one) can have this subdomain. Its own are free to it."""
    if subdomains.is_reserved(subdomain):
        return False
    host = subdomain_host(subdomain)
    own = [restaurant.pk] if restaurant else []
    # In this order: giving up an address moves it from Domain to FormerAddress in one transaction,
    # so checking in the opposite order could miss it in both.
    with rls.acting_as(rls.PLATFORM):
        return not (
            Restaurant.objects.filter(subdomain=subdomain).exclude(pk__in=own).exists()
            or Domain.objects.filter(domain=host).exclude(tenant__in=own).exists()
            or FormerAddress.objects.filter(host=host, until__gt=now)
            .exclude(restaurant__in=own)
            .exists()
        )


def propose_subdomain(name: str, *, now: datetime) -> str:
    """A free subdomain derived from the restaurant's name, numbered if taken (DECISIONS X67)."""
    return next(_proposals(name, now))


def _proposals(name: str, now: datetime) -> Iterator[str]:
    """Candidates that are currently free both as a subdomain and as a slug."""
    base = subdomains.suggest(name)
    for number in _numbers():
        subdomain = subdomains.numbered(base, number)
        if is_free(subdomain, now=now) and _is_free_slug(subdomain):
            yield subdomain


def _numbers() -> Iterator[int]:
    yield from range(1, MAX_SEQUENTIAL_NUMBER + 1)
    while True:
        yield secrets.randbelow(1_000_000) + MAX_SEQUENTIAL_NUMBER


def _is_free_slug(slug: str) -> bool:
    return not Restaurant.objects.filter(slug=slug).exists()


def check_address_free(*, slug: str, subdomain: str | None, now: datetime) -> None:
    """Raises Conflict if a restaurant has the slug, and SubdomainTaken. Saving decides."""
    if slug and not _is_free_slug(slug):
        raise _slug_taken()
    if subdomain is not None and not is_free(subdomain, now=now):
        raise SubdomainTaken(suggestion=propose_subdomain(subdomain, now=now))


# --- new restaurants ------------------------------------------------------------------------------
def create_with_address(
    restaurant: Restaurant, *, subdomain: str | None = None, now: datetime
) -> Restaurant:
    """Save a new restaurant together with its host, both or neither.

    Without `subdomain`, it gets a free one derived from its slug or name; a missing slug is set to
    the same. Raises SubdomainTaken if `subdomain` is taken, and Conflict if another restaurant has
    its slug or email.
    """
    if restaurant.slug and not _is_free_slug(restaurant.slug):
        raise _slug_taken()
    if subdomain is not None:
        restaurant.subdomain_chosen_at = now
        if is_free(subdomain, now=now) and _create_at(subdomain, restaurant, now):
            return restaurant
        raise SubdomainTaken(suggestion=propose_subdomain(subdomain, now=now))
    proposals = _proposals(restaurant.slug or restaurant.name, now)
    while not _create_at(next(proposals), restaurant, now):
        pass  # taken by a concurrent request: try the next one
    return restaurant


def _create_at(subdomain: str, restaurant: Restaurant, now: datetime) -> bool:
    """False if a concurrent request took the address."""
    host = subdomain_host(subdomain)
    restaurant.subdomain = subdomain
    slug = restaurant.slug
    if not slug:
        restaurant.slug = subdomain if _is_free_slug(subdomain) else _free_slug(subdomain)
    try:
        with transaction.atomic():
            restaurant.save(force_insert=True)  # type: ignore[no-untyped-call]
            Domain.objects.create(domain=host, tenant=restaurant, is_primary=True)
            _end_former(host)
    except IntegrityError as error:
        restaurant.slug = slug
        violated = _violated(error)
        if "email" in violated:
            raise Conflict(
                EMAIL_TAKEN, fields=[FieldError("email", EMAIL_TAKEN, FieldErrorCode.TAKEN)]
            ) from error
        if slug and "slug" in violated:
            raise _slug_taken() from error
        return False
    transaction.on_commit(partial(forget_host, host))
    return True


def _free_slug(base: str) -> str:
    return next(
        slug
        for slug in (subdomains.numbered(base, number) for number in _numbers())
        if _is_free_slug(slug)
    )


def _slug_taken() -> Conflict:
    return Conflict(SLUG_TAKEN, fields=[FieldError("tenantSlug", SLUG_TAKEN)])


def _violated(error: IntegrityError) -> str:
    """The constraint's name, as PostgreSQL reports it."""
    diagnosis = getattr(error.__cause__, "diag", None)
    return str(getattr(diagnosis, "constraint_name", "") or "")


def _end_former(host: str) -> None:
    """Delete the former address: it has expired, or its restaurant took it back."""
    with rls.acting_as(rls.PLATFORM):
        FormerAddress.objects.filter(host=host).delete()


# --- changing it ----------------------------------------------------------------------------------
@transaction.atomic
def claim_subdomain(*, restaurant: Restaurant, subdomain: str, now: datetime) -> Restaurant:
    """Change the restaurant's subdomain; the old one redirects for 30 days.

    The restaurant's own domain isn't affected. Raises Invalid, SubdomainTaken, and Conflict after
    too many changes.
    """
    check_form(subdomain)
    # Locked, so that requests from two tabs run one after the other.
    own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
    if not is_free(subdomain, now=now, restaurant=own):
        raise SubdomainTaken(suggestion=propose_subdomain(subdomain, now=now))
    old_host, new_host = subdomain_host(own.subdomain), subdomain_host(subdomain)
    _check_former_addresses(own, old_host, new_host, now)
    own.subdomain = subdomain
    own.subdomain_chosen_at = now
    try:
        with transaction.atomic():
            Restaurant.objects.filter(pk=own.pk).update(
                subdomain=subdomain, subdomain_chosen_at=now, updated_at=now
            )
            if new_host != old_host:
                _move(own, old_host, new_host, now)
                record(Kind.SUBDOMAIN_CHANGED, restaurant=own, address=subdomain, now=now)
    except IntegrityError as error:
        raise SubdomainTaken(suggestion=propose_subdomain(subdomain, now=now)) from error
    with rls.acting_as(rls.PLATFORM):
        former = list(own.former_addresses.values_list("host", flat=True))
    transaction.on_commit(partial(forget_hosts, own, old_host, new_host, *former))
    return own


def _check_former_addresses(
    restaurant: Restaurant, old_host: str, new_host: str, now: datetime
) -> None:
    """Refuse to give up one more address while too many are kept from others. Going back to one of
    them is always possible."""
    if new_host == old_host:
        return
    with rls.acting_as(rls.PLATFORM):
        former = FormerAddress.objects.filter(restaurant=restaurant, until__gt=now)
        if former.exclude(host=new_host).count() >= MAX_FORMER_ADDRESSES:
            raise Conflict(TOO_MANY_CHANGES, fields=[FieldError("subdomain", TOO_MANY_CHANGES)])


def _move(restaurant: Restaurant, old_host: str, new_host: str, now: datetime) -> None:
    _end_former(new_host)
    if not Domain.objects.filter(tenant=restaurant, domain=old_host).update(domain=new_host):
        is_primary = not restaurant.domain
        Domain.objects.create(tenant=restaurant, domain=new_host, is_primary=is_primary)
    with rls.acting_as(rls.PLATFORM):
        FormerAddress.objects.update_or_create(
            host=old_host,
            defaults={"restaurant": restaurant, "until": now + FORMER_ADDRESS_LIFETIME},
        )


def end_old_addresses(*, now: datetime) -> int:
    """Delete expired former addresses and return their number."""
    ended, _ = FormerAddress.objects.filter(until__lte=now).delete()
    return ended
