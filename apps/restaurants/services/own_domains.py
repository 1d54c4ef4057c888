"""A restaurant's own domain: asked for, proven by DNS, served, and given up (decision 122).

What DNS says is read without a lock, and applied under the restaurant's lock to the row as it is
then. Saving the `Domain` decides between two restaurants that prove the same domain at once.
"""

import ipaddress
import secrets
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import idna
from django.conf import settings
from django.db import IntegrityError, transaction

from apps.accounts.rate_limits import Limit
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import rls
from apps.common.error_codes import FieldErrorCode
from apps.common.errors import Conflict, FieldError, Invalid
from apps.restaurants.dns_records import FAILING_FOR, look_up_ownership, look_up_routing
from apps.restaurants.emails import queue_own_domain_email
from apps.restaurants.entitlements import Feature, includes, require
from apps.restaurants.hosts import forget_hosts
from apps.restaurants.models import Domain, FormerAddress, OwnDomain, Restaurant
from apps.restaurants.selectors import owner_addresses
from apps.restaurants.services.addresses import FORMER_ADDRESS_LIFETIME

CHECK_EVERY = timedelta(minutes=5)  # while a domain waits for its records
CHECKED_FOR = timedelta(days=14)  # after that, only when somebody asks
LIVE_CHECK_EVERY = timedelta(hours=1)
MAX_HOST_LENGTH = 253  # characters
CHECK_LIMIT = Limit("domain-checks", times=20, window=600)

NOT_A_DOMAIN = "Enter a domain, such as order.luigis.com, without https:// or a path."
OURS = "Enter a domain of your own. Your Fully Booked address already works."
REMOVE_FIRST = "Remove {host} first. A restaurant has one domain of its own."

Status = OwnDomain.Status
Answer = OwnDomain.Answer


def normalized_host(typed: str) -> str:
    """The domain as DNS has it: lowercase, without a final dot, in ASCII (IDNA 2008).

    Raises Invalid for anything that can't be a restaurant's own domain.
    """
    text = typed.strip().rstrip(".").lower()
    if len(text) > MAX_HOST_LENGTH:
        raise _invalid(NOT_A_DOMAIN)
    try:
        host = idna.encode(text, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        raise _invalid(NOT_A_DOMAIN) from None
    labels = host.split(".")
    if (
        len(host) > MAX_HOST_LENGTH
        or len(labels) < 2
        or labels[-1].isdecimal()
        or _is_address(host)
    ):
        raise _invalid(NOT_A_DOMAIN)
    root = settings.ROOT_DOMAIN
    if host == root or host.endswith(f".{root}") or labels[-1] == "localhost":
        raise _invalid(OURS)
    return host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _invalid(message: str) -> Invalid:
    return Invalid(message, fields=[FieldError("domain", message, FieldErrorCode.INVALID)])


@transaction.atomic
def add_domain(*, restaurant: Restaurant, domain: str, now: datetime) -> OwnDomain:
    """Ask for a domain. It isn't the restaurant's until its records are found.

    Asking for another one replaces one that isn't live. Raises Forbidden if the plan doesn't
    include it, Invalid for what isn't a domain, and Conflict while another one is live.
    """
    own = _locked(restaurant.pk)
    require(own, Feature.OWN_DOMAIN)
    host = normalized_host(domain)
    present = OwnDomain.objects.filter(restaurant=own).first()
    if present and present.host == host:
        return present
    if present and present.status != Status.WAITING:
        message = REMOVE_FIRST.format(host=present.host)
        raise Conflict(message, fields=[FieldError("domain", message)])
    if present:
        present.delete()
    row = OwnDomain.objects.create(
        restaurant=own, host=host, token=secrets.token_urlsafe(24), added_at=now, check_at=now
    )
    record(Kind.DOMAIN_ADDED, restaurant=own, about=("domain", row.pk), address=host, now=now)
    return row


@transaction.atomic
def remove_domain(*, restaurant: Restaurant, now: datetime) -> None:
    """Stop using the domain. It stops answering at once; removing none does nothing."""
    own = _locked(restaurant.pk)
    row = OwnDomain.objects.filter(restaurant=own).first()
    if row is None:
        return
    _stop_serving(own, row.host, redirect_until=None)
    row.delete()
    record(Kind.DOMAIN_REMOVED, restaurant=own, about=("domain", row.pk), address=row.host, now=now)


def end_with_the_plan(own: Restaurant, *, now: datetime) -> None:
    """Stop serving a domain that the new plan doesn't include; call it in the transaction that
    changes the plan. For a while it redirects to the restaurant's address, for links in guests'
    emails."""
    row = OwnDomain.objects.filter(restaurant=own).first()
    if row is None or includes(own, Feature.OWN_DOMAIN):
        return
    if row.status != Status.WAITING:
        _stop_serving(own, row.host, redirect_until=now + FORMER_ADDRESS_LIFETIME)
        record(
            Kind.DOMAIN_ENDED,
            restaurant=own,
            about=("domain", row.pk),
            address=row.host,
            now=now,
        )
    row.status, row.failing_since, row.check_at = Status.WAITING, None, None
    row.save(update_fields=["status", "failing_since", "check_at"])


def domains_to_check(*, now: datetime) -> list[UUID]:
    """The domains whose check is due, the longest due first. Act as the platform."""
    due = OwnDomain.objects.filter(check_at__lte=now).order_by("check_at")
    return list(due.values_list("pk", flat=True))


def check_domain(*, domain_id: UUID, now: datetime) -> OwnDomain | None:
    """Ask DNS about the domain, and apply what it says; None if it was removed meanwhile.

    Both records found: it is served. Gone from a served one for `FAILING_FOR`: it no longer is, and
    its owners are told. A name server's silence changes nothing.
    """
    asked = OwnDomain.objects.filter(pk=domain_id).first()
    if asked is None:
        return None
    ownership = look_up_ownership(asked.host, asked.token)
    # Name servers that didn't answer the first question aren't asked the second: somebody is
    # waiting.
    routing = look_up_routing(asked.host) if ownership != Answer.SILENT else Answer.SILENT
    with transaction.atomic():
        own = _locked(asked.restaurant_id)
        row = OwnDomain.objects.filter(pk=domain_id).first()
        if row is None:
            return None
        row.ownership, row.routing, row.checked_at = ownership, routing, now
        row.is_taken = False
        _apply(own, row, now)
        row.check_at = _next_check(own, row, now)
        row.save(
            update_fields=[
                *("ownership", "routing", "checked_at", "is_taken", "status", "failing_since"),
                "check_at",
            ]
        )
    return row


def _apply(own: Restaurant, row: OwnDomain, now: datetime) -> None:
    answers = {row.ownership, row.routing}
    if answers == {Answer.FOUND}:
        if row.status == Status.WAITING and includes(own, Feature.OWN_DOMAIN):
            _serve(own, row, now)
        elif row.status == Status.FAILING:
            row.status, row.failing_since = Status.LIVE, None
        return
    if not answers & {Answer.MISSING, Answer.DIFFERENT}:
        return  # nobody answered
    about = ("domain", row.pk)
    if row.status == Status.LIVE:
        row.status, row.failing_since = Status.FAILING, now
        record(Kind.DOMAIN_FAILING, restaurant=own, about=about, address=row.host, now=now)
        _tell_owners(own, row, "failing")
    elif row.status == Status.FAILING and _is_over(row, now):
        row.status, row.failing_since = Status.WAITING, None
        _stop_serving(own, row.host, redirect_until=None)
        record(Kind.DOMAIN_ENDED, restaurant=own, about=about, address=row.host, now=now)
        _tell_owners(own, row, "ended")


def _is_over(row: OwnDomain, now: datetime) -> bool:
    return row.failing_since is not None and now - row.failing_since >= FAILING_FOR


def _serve(own: Restaurant, row: OwnDomain, now: datetime) -> None:
    try:
        with transaction.atomic():
            Domain.objects.create(domain=row.host, tenant=own, is_primary=False)
    except IntegrityError:
        row.is_taken = True
        return
    with rls.acting_as(rls.PLATFORM):
        FormerAddress.objects.filter(host=row.host).delete()
    row.status = Status.LIVE
    Restaurant.objects.filter(pk=own.pk).update(domain=row.host, updated_at=now)
    transaction.on_commit(partial(forget_hosts, own, row.host))
    record(Kind.DOMAIN_LIVE, restaurant=own, about=("domain", row.pk), address=row.host, now=now)
    _tell_owners(own, row, "live")


def _stop_serving(own: Restaurant, host: str, *, redirect_until: datetime | None) -> None:
    deleted, _ = Domain.objects.filter(tenant=own, domain=host).delete()
    if not deleted:
        return
    Restaurant.objects.filter(pk=own.pk, domain=host).update(domain="")
    if redirect_until:
        FormerAddress.objects.create(restaurant=own, host=host, until=redirect_until)
    own.domain = ""
    transaction.on_commit(partial(forget_hosts, own, host))


def _next_check(own: Restaurant, row: OwnDomain, now: datetime) -> datetime | None:
    if not includes(own, Feature.OWN_DOMAIN):
        return None
    if row.status != Status.WAITING:
        return now + LIVE_CHECK_EVERY
    return now + CHECK_EVERY if now - row.added_at < CHECKED_FOR else None


def _tell_owners(own: Restaurant, row: OwnDomain, what: str) -> None:
    for address in owner_addresses(own):
        queue_own_domain_email(own, to=address, host=row.host, what=what)


def _locked(restaurant_id: UUID) -> Restaurant:
    return Restaurant.objects.select_for_update(of=("self",)).get(pk=restaurant_id)
