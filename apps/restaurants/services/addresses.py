"""A restaurant's address: proposing one, choosing another, and what becomes of the old one.

Two people may want the same address at the same moment. Looking whether it is free is only for a
kind answer; what decides is the unique index (DECISIONS X48).
"""

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction

from apps.common import rls
from apps.common.errors import Conflict, FieldError, Invalid
from apps.restaurants import subdomains
from apps.restaurants.hosts import forget_host, forget_hosts, subdomain_host
from apps.restaurants.models import Domain, FormerAddress, Restaurant

REDIRECT_PERIOD = timedelta(days=30)  # DECISIONS X67
# T67
NOT_AVAILABLE = (
    "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens."
)
EMAIL_TAKEN = "This email belongs to another restaurant. Use a different one."
SLUG_TAKEN = "This URL slug is taken. Choose another one."
# A name that more restaurants than this have gets any free number.
NUMBERED_IN_ORDER = 20


class SubdomainTaken(Conflict):
    """Somebody has it, or had it lately; `suggestion` is free."""

    code = "subdomain_taken"

    def __init__(self, *, suggestion: str, field: str = "subdomain") -> None:
        super().__init__(
            NOT_AVAILABLE,
            fields=[FieldError(field, NOT_AVAILABLE)],
            extra={"suggestion": suggestion},
        )


def check_form(subdomain: str, *, field: str = "subdomain", longest: int | None = None) -> None:
    """Raises Invalid, with every fault named, when nobody could have this subdomain."""
    faults = subdomains.validate_subdomain(subdomain, longest=longest or subdomains.LONGEST)
    if faults:
        problem = subdomains.describe_errors(faults)
        raise Invalid(NOT_AVAILABLE, fields=[FieldError(field, problem)])


def is_free(subdomain: str, *, now: datetime, restaurant: Restaurant | None = None) -> bool:
    """Whether `restaurant`, or a new one, could have it: nobody's, or its own, now or formerly."""
    if subdomains.is_reserved(subdomain):
        return False
    host = subdomain_host(subdomain)
    own = [restaurant.pk] if restaurant else []
    # In this order: whoever gives an address up writes both in one transaction, so looking the
    # other way round could miss it in both places.
    with rls.acting_as(rls.PLATFORM):
        return not (
            Restaurant.objects.filter(subdomain=subdomain).exclude(pk__in=own).exists()
            or Domain.objects.filter(domain=host).exclude(tenant__in=own).exists()
            or FormerAddress.objects.filter(host=host, until__gt=now)
            .exclude(restaurant__in=own)
            .exists()
        )


def propose_subdomain(name: str, *, now: datetime) -> str:
    """A free subdomain made from the restaurant's name, numbered when taken (DECISIONS X67)."""
    return next(_proposals(name, now))


def _proposals(name: str, now: datetime) -> Iterator[str]:
    """Subdomains that are free, and free as a slug, just now."""
    base = subdomains.suggest(name)
    for number in _numbers():
        subdomain = subdomains.numbered(base, number)
        if is_free(subdomain, now=now) and _is_free_slug(subdomain):
            yield subdomain


def _numbers() -> Iterator[int]:
    yield from range(1, NUMBERED_IN_ORDER + 1)
    while True:
        yield secrets.randbelow(1_000_000) + NUMBERED_IN_ORDER


def _is_free_slug(slug: str) -> bool:
    return not Restaurant.objects.filter(slug=slug).exists()


# --- a new restaurant's ---------------------------------------------------------------------------
def create_with_address(
    restaurant: Restaurant, *, subdomain: str | None = None, now: datetime
) -> Restaurant:
    """Save a new restaurant and the host it answers at, both or neither.

    Without `subdomain` it gets a free one made from its slug or its name; a slug it does not have
    yet is the same. Raises SubdomainTaken when somebody has the one asked for, and Conflict when
    another restaurant has its slug or its e-mail.
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
        pass  # somebody took it since it was found free; the next one then
    return restaurant


def _create_at(subdomain: str, restaurant: Restaurant, now: datetime) -> bool:
    """False when the address was taken at the same moment."""
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
            raise Conflict(EMAIL_TAKEN, fields=[FieldError("email", EMAIL_TAKEN)]) from error
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
    """Its time is over, or its own restaurant came back to it."""
    with rls.acting_as(rls.PLATFORM):
        FormerAddress.objects.filter(host=host).delete()


# --- another one ----------------------------------------------------------------------------------
@transaction.atomic
def claim_subdomain(*, restaurant: Restaurant, subdomain: str, now: datetime) -> Restaurant:
    """Move the restaurant to another subdomain; the old one leads to it for 30 days.

    A domain of the restaurant's own stays what it is. Raises Invalid and SubdomainTaken.
    """
    check_form(subdomain)
    # Two tabs of one restaurant, one after the other.
    own = Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant.pk)
    if not is_free(subdomain, now=now, restaurant=own):
        raise SubdomainTaken(suggestion=propose_subdomain(subdomain, now=now))
    old_host, new_host = subdomain_host(own.subdomain), subdomain_host(subdomain)
    own.subdomain = subdomain
    own.subdomain_chosen_at = now
    try:
        with transaction.atomic():
            Restaurant.objects.filter(pk=own.pk).update(
                subdomain=subdomain, subdomain_chosen_at=now, updated_at=now
            )
            if new_host != old_host:
                _move(own, old_host, new_host, now)
    except IntegrityError as error:
        raise SubdomainTaken(suggestion=propose_subdomain(subdomain, now=now)) from error
    with rls.acting_as(rls.PLATFORM):
        former = list(own.former_addresses.values_list("host", flat=True))
    transaction.on_commit(partial(forget_hosts, own, old_host, new_host, *former))
    return own


def _move(restaurant: Restaurant, old_host: str, new_host: str, now: datetime) -> None:
    _end_former(new_host)
    if not Domain.objects.filter(tenant=restaurant, domain=old_host).update(domain=new_host):
        is_primary = not restaurant.domain
        Domain.objects.create(tenant=restaurant, domain=new_host, is_primary=is_primary)
    with rls.acting_as(rls.PLATFORM):
        FormerAddress.objects.update_or_create(
            host=old_host, defaults={"restaurant": restaurant, "until": now + REDIRECT_PERIOD}
        )


def end_old_addresses(*, now: datetime) -> int:
    """Forget the former addresses whose time is over; how many there were."""
    ended, _ = FormerAddress.objects.filter(until__lte=now).delete()
    return ended
