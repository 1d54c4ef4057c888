"""What an owner sees of their money: what was paid out, and what comes next."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from django.db.models import Count, Prefetch, Q, Sum
from django.db.models.functions import Coalesce

from apps.billing.balances import amount_owed
from apps.billing.models import ConnectAccount, PaymentHistory, Payout, PayoutEntry
from apps.billing.payout_failures import failure_sentence
from apps.billing.payouts import payout_day, unpaid_entries
from apps.restaurants.models import Restaurant

PAYOUTS_SHOWN = 50


@dataclass(slots=True)
class SpecialShare:
    """One special's part of a payout; `orders` counts those that were charged."""

    name: str
    serve_date: date
    orders: int = 0
    amount: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)


@dataclass(slots=True)
class ComingPayout:
    """What is due on a day. `amount` is None while Stripe hasn't said what arrives."""

    day: date
    amount: Decimal | None
    specials: list[SpecialShare]


@dataclass(frozen=True, slots=True)
class PastPayout:
    payout: Payout
    specials: list[SpecialShare]
    failure: str  # what happened and what to do; empty if all is well


@dataclass(frozen=True, slots=True)
class PayoutOverview:
    """Everything on the payouts page. Amounts are in the account's `currency`.

    `is_converted` says that guests pay in another one; `is_restricted`, that Stripe has the account
    and sends it nothing. `owed` is what the balance lacks.
    """

    currency: str
    is_converted: bool
    is_restricted: bool
    owed: Decimal
    coming: list[ComingPayout] = field(default_factory=list)
    past: list[PastPayout] = field(default_factory=list)


def payout_overview(restaurant: Restaurant, *, now: datetime) -> PayoutOverview:
    account = ConnectAccount.objects.filter(restaurant=restaurant).first()
    if account is None:
        return PayoutOverview(restaurant.currency, False, False, Decimal(0))
    return PayoutOverview(
        currency=account.currency,
        is_converted=account.currency != restaurant.currency,
        is_restricted=not account.payouts_enabled,
        owed=amount_owed(account.available_balance, account.pending_balance),
        coming=_coming(restaurant, today=now.astimezone(restaurant.zone).date()),
        past=_past(restaurant),
    )


@dataclass(frozen=True, slots=True)
class NextPayout:
    """The next day on which money is sent to the bank. `amount`, in the account's currency, is None
    while Stripe hasn't said what arrives."""

    day: date
    amount: Decimal | None
    currency: str


def next_payout(restaurant: Restaurant, *, now: datetime) -> NextPayout | None:
    """The first of `payout_overview`'s coming payouts; one statement for any number of orders, and
    one for the payment account unless it was read before."""
    account = getattr(restaurant, "connect_account", None)
    if account is None:
        return None
    settled = Coalesce("settled_amount", "conversion__amount")
    days = (
        unpaid_entries(restaurant)
        .select_related(None)
        .order_by("offer__serve_date")
        .values("offer__serve_date")
        .annotate(
            total=Sum(settled),
            unread=Count("pk", filter=Q(settled_amount=None) & Q(conversion=None)),
        )
    )
    today = now.astimezone(restaurant.zone).date()
    totals: dict[date, Decimal | None] = {}
    for row in days:
        day = max(today, payout_day(row["offer__serve_date"]))
        so_far = totals.get(day, Decimal(0))
        known = None if row["unread"] or so_far is None else so_far + row["total"]
        totals[day] = known
    carried = Decimal(0)
    for day, amount in totals.items():
        if amount is None:
            return NextPayout(day, None, account.currency)
        if carried + amount > 0:
            return NextPayout(day, carried + amount, account.currency)
        carried += amount
    return None


def _coming(restaurant: Restaurant, *, today: date) -> list[ComingPayout]:
    """By day. What is due already is due today; refunds of earlier payouts are taken off first."""
    days: dict[date, list[PaymentHistory]] = {}
    for entry in unpaid_entries(restaurant).select_related("offer"):
        day = max(today, payout_day(entry.offer.serve_date))
        days.setdefault(day, []).append(entry)
    found, carried = [], Decimal(0)
    for day in sorted(days):
        amounts = [entry.settled for entry in days[day]]
        if None in amounts:
            found.append(ComingPayout(day, None, _specials(days[day])))
            continue
        total = carried + sum((each or Decimal(0) for each in amounts), Decimal(0))
        carried = min(total, Decimal(0))
        if total > 0:
            found.append(ComingPayout(day, total, _specials(days[day])))
    return found


def _past(restaurant: Restaurant) -> list[PastPayout]:
    entries = PayoutEntry.objects.select_related("entry__offer", "entry__conversion").order_by(
        "entry_id"
    )
    payouts = Payout.objects.filter(restaurant=restaurant).order_by("-created_at", "-pk")
    return [
        PastPayout(
            payout,
            _specials([each.entry for each in payout.entries.all()]),
            failure_sentence(payout.failure_code) if payout.failure_code else "",
        )
        for payout in payouts.prefetch_related(Prefetch("entries", entries))[:PAYOUTS_SHOWN]
    ]


def _specials(entries: list[PaymentHistory]) -> list[SpecialShare]:
    shares: dict[object, SpecialShare] = {}
    for entry in entries:
        offer = entry.offer
        share = shares.setdefault(offer.pk, SpecialShare(offer.name, offer.serve_date))
        settled = entry.settled or Decimal(0)
        share.amount += settled
        if entry.transaction_type == PaymentHistory.Type.TRANSFER:
            share.orders += 1
        else:
            share.refunded -= settled
    return sorted(shares.values(), key=lambda each: (each.serve_date, each.name))
