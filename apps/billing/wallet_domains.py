"""Registers our hosts with Stripe, which shows wallets on registered domains only (decision 104).

A sweep compares the hosts we serve with the rows, and asks Stripe about those that are due: outside
any transaction, a few at a time, so that thousands of restaurants don't use up the calls that
guests need. The restaurants app, which hosts come from, knows nothing of it.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError, Refused, Unreachable
from apps.billing.models import WalletDomain
from apps.restaurants.models import Domain

logger = logging.getLogger(__name__)

# Hosts that one sweep asks Stripe about, with one to three calls each. A sweep a minute registers
# 10,000 restaurants in eight hours, with a call a second.
EACH_SWEEP = 20
FOUND_EACH_SWEEP = 500
LEASE = timedelta(minutes=5)  # how long a sweep that died keeps its hosts
FIRST_PAUSE = timedelta(minutes=5)  # doubled after each attempt without success
LONGEST_PAUSE = timedelta(days=1)
VALID_FOR = timedelta(days=30)  # then Stripe is asked again

Status = WalletDomain.Status
WANTED = (Status.WAITING, Status.ACTIVE, Status.INACTIVE)
UNWANTED = (Status.ENDING, Status.DISABLED)


@dataclass(slots=True)
class Sweep:
    """What a sweep came to. `unreachable` is why it ended early."""

    done: list[str] = field(default_factory=list)  # hosts
    unreachable: str = ""


def sync_wallet_domains(*, now: datetime) -> Sweep:
    """Register, validate, or disable the hosts that are due.

    Ends early if Stripe doesn't answer or our calls are at its limit; those hosts come again.
    """
    note_hosts(now=now)
    sweep = Sweep()
    for row in _taken(now):
        try:
            _sync(row, now)
        except Unreachable as error:
            logger.warning("wallet domains wait: %s", error)
            sweep.unreachable = str(error)
            break
        sweep.done.append(row.host)
    return sweep


def note_hosts(*, now: datetime) -> None:
    """Give every host we serve a row, and note which rows are no longer hosts of ours, or are
    again."""
    rows = WalletDomain.objects.filter(host=OuterRef("domain"))
    found = Domain.objects.filter(~Exists(rows)).order_by("pk").values_list("domain", flat=True)
    hosts = list(found[:FOUND_EACH_SWEEP])
    if not WalletDomain.objects.filter(host=settings.ROOT_DOMAIN).exists():
        hosts.append(settings.ROOT_DOMAIN)
    new = [WalletDomain(host=host, check_at=now) for host in hosts]
    if new:
        WalletDomain.objects.bulk_create(new, ignore_conflicts=True)
    served = Exists(Domain.objects.filter(domain=OuterRef("host")))
    gone = WalletDomain.objects.filter(~served, status__in=WANTED)
    gone.exclude(host=settings.ROOT_DOMAIN).update(status=Status.ENDING, attempts=0, check_at=now)
    back = WalletDomain.objects.filter(served, status__in=UNWANTED)
    back.update(status=Status.WAITING, attempts=0, check_at=now)


def due_domains(*, now: datetime) -> QuerySet[WalletDomain]:
    """The hosts that Stripe has to be asked about, the longest due first."""
    return WalletDomain.objects.filter(check_at__lte=now).order_by("check_at", "pk")


def check_again(*, now: datetime) -> None:
    """Make everything due that isn't as it should be, whatever its pause."""
    waiting = WalletDomain.objects.exclude(status__in=(Status.ACTIVE, Status.DISABLED))
    waiting.update(attempts=0, check_at=now)


@transaction.atomic
def _taken(now: datetime) -> list[WalletDomain]:
    """The next hosts, taken so that no other sweep asks about them at the same time."""
    rows = list(due_domains(now=now).select_for_update(skip_locked=True)[:EACH_SWEEP])
    WalletDomain.objects.filter(pk__in=[row.pk for row in rows]).update(check_at=now + LEASE)
    return rows


def _sync(row: WalletDomain, now: datetime) -> None:
    """Bring Stripe's domain to what the row wants, and store what Stripe says.

    Stripe is asked first, by name, so an attempt whose answer was lost is not made twice.
    """
    try:
        if row.status in WANTED:
            _register(row, now)
        else:
            _disable(row, now)
    except Unreachable:
        raise
    except GatewayError as error:
        logger.warning("%s wasn't registered for wallets: %s", row.host, error)
        is_final = isinstance(error, Refused) and row.status in WANTED
        row.problem = str(error)
        _store(row, Status.INACTIVE if is_final else row.status, now, is_done=False)


def _register(row: WalletDomain, now: datetime) -> None:
    found = gateway.find_wallet_domain(row.host)
    if found is None:
        found = gateway.register_wallet_domain(row.host, key=_key())
    elif not found.is_enabled:
        found = gateway.set_wallet_domain_enabled(found.domain_id, enabled=True, key=_key())
    if found.problem:
        found = gateway.validate_wallet_domain(found.domain_id, key=_key())
    row.domain_id, row.problem = found.domain_id, found.problem
    _store(row, Status.INACTIVE if found.problem else Status.ACTIVE, now, is_done=not found.problem)


def _disable(row: WalletDomain, now: datetime) -> None:
    found = gateway.find_wallet_domain(row.host)
    if found and found.is_enabled:
        gateway.set_wallet_domain_enabled(found.domain_id, enabled=False, key=_key())
    row.problem = ""
    _store(row, Status.DISABLED, now, is_done=True)


def _store(row: WalletDomain, status: Status | str, now: datetime, *, is_done: bool) -> None:
    """Store the outcome, unless the host came or went meanwhile: then it is due anyway."""
    attempts = 0 if is_done else row.attempts + 1
    if status == Status.DISABLED:
        check_at = None
    elif is_done:
        check_at = now + VALID_FOR
    else:
        check_at = now + min(FIRST_PAUSE * 2 ** min(row.attempts, 10), LONGEST_PAUSE)
    WalletDomain.objects.filter(pk=row.pk, status=row.status).update(
        status=status,
        domain_id=row.domain_id,
        problem=row.problem[:255],
        attempts=attempts,
        check_at=check_at,
        checked_at=now,
    )


def _key() -> str:
    """Never the same for two attempts, which look the host up before: Stripe would replay the first
    one's answer for a day."""
    return f"wallet-domain:{uuid4()}"
