"""Balance transactions, and the balances they add up to.

A balance is never stored: it is the sum of its account's balance transactions, `pending` until
their `available_on` and `available` afterwards (https://docs.stripe.com/api/balance/balance_object).
It can be negative. Only the platform's funds are a number of their own: what it put into its
account, which the command ``platform_funds`` changes.
"""

from typing import Any

from ..errors import StripeError, invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object
from . import countries
from .listing import listing

DAY = 86_400
_PLATFORM_DELAY_DAYS = 2
_FUNDS = "platform_funds"
# Enough that nobody notices the limit who doesn't look for it.
PLENTY = 1_000_000_00
_CATEGORIES = {
    "application_fee": "platform_earning",
    "application_fee_refund": "platform_earning_refund",
    "payment": "charge",
    "payment_refund": "refund",
    "payout_failure": "payout_reversal",
    "transfer_refund": "transfer_reversal",
}
_FEES = {"stripe_fee": "Stripe processing fees", "application_fee": "Application fee"}


def book(
    call: Call,
    kind: str,
    source: str,
    amount: int,
    fee: int,
    currency: str,
    *,
    fee_kind: str = "stripe_fee",
    at_once: bool = False,
    available_with: Json | None = None,
) -> Json:
    """Create a balance transaction of the call's account, in the smallest unit of ``currency``.

    An account that settles in another currency gets the converted amount. Money that comes in is
    available after the account's delay, money that goes out at once, as is what ``at_once`` names.
    What a transfer takes out of a charge is ``available_with`` the charge's own transaction.
    """
    account = call.for_account(None).get("account", call.account) if call.account else None
    settled = account["default_currency"] if account else currency
    exchange = countries.rate(currency, settled)
    amount, fee = (countries.convert(each, currency, settled) for each in (amount, fee))
    days = _delay_days(account) if amount > 0 and not at_once else 0
    available_on = call.now + days * DAY
    if available_with is not None:
        available_on = max(available_with["available_on"], call.now)
    details = [
        {
            "amount": fee,
            "application": None,
            "currency": settled,
            "description": _FEES[fee_kind],
            "type": fee_kind,
        }
    ]
    booked = call.new(
        "balance_transaction",
        amount=amount,
        available_on=available_on,
        balance_type="payments",
        currency=settled,
        exchange_rate=exchange,
        fee=fee,
        fee_details=details if fee else [],
        net=amount - fee,
        reporting_category=_CATEGORIES.get(kind, kind),
        source=source,
        status="pending" if available_on > call.now else "available",
        type=kind,
    )
    if account and days and not pays_manually(account):
        # An automatic payout follows when the money is available.
        call.for_account(None).schedule(account, booked["available_on"])
    return booked


def settlement_currency(call: Call, charge: Json) -> str:
    """Return the currency in which the platform's transactions about a charge are: that of the
    account on whose behalf it was made (https://docs.stripe.com/connect/destination-charges)."""
    if not charge["on_behalf_of"]:
        return str(charge["currency"])
    account = call.for_account(None).get("account", charge["on_behalf_of"])
    return str(account["default_currency"])


def book_settled(
    call: Call, kind: str, source: Json, amount: int, fee: int, charge: Json, **more: Any
) -> Json:
    """Create a balance transaction about a charge. ``amount`` is in the charge's currency, the
    transaction and ``fee`` in the one that it settles in."""
    settled = settlement_currency(call, charge)
    amount = countries.convert(amount, charge["currency"], settled)
    return book(call, kind, source["id"], amount, fee, settled, **more)


def _delay_days(account: Json | None) -> int:
    if account is None:
        return _PLATFORM_DELAY_DAYS
    return int(account["settings"]["payouts"]["schedule"]["delay_days"])


def pays_manually(account: Json) -> bool:
    return bool(account["settings"]["payouts"]["schedule"]["interval"] == "manual")


def available(call: Call, currency: str) -> int:
    """Return what the call's account can pay out now; negative if it owes."""
    ready = call.store.balances(call.account, call.now)[0].get(currency, 0)
    return ready if call.account else ready + platform_funds(call)


def platform_funds(call: Call) -> int:
    """Return what the platform has in its account apart from its payments, in each currency."""
    return int(call.store.setting(_FUNDS, str(PLENTY)))


def set_platform_funds(call: Call, amount: int) -> None:
    call.store.set_setting(_FUNDS, str(amount))


def insufficient() -> StripeError:
    return invalid_request(
        "You have insufficient available funds in your Stripe account. Try adding funds directly "
        "to your available balance.",
        code="balance_insufficient",
    )


@endpoint("GET", "/v1/balance", "BalanceRetrieveParams")
def retrieve(call: Call, params: Json) -> Json:
    ready, pending = call.store.balances(call.account, call.now)
    home = "usd"
    if call.account:
        home = call.for_account(None).get("account", call.account)["default_currency"]
    currencies = sorted({home, *ready, *pending})
    if not call.account:
        ready = {each: ready.get(each, 0) + platform_funds(call) for each in currencies}
    answer: Json = {
        "object": "balance",
        "available": [_part(ready, currency) for currency in currencies],
        "pending": [_part(pending, currency) for currency in currencies],
        "livemode": False,
    }
    if not call.account:
        # Only accounts whose requirements the platform collects make Stripe reserve something.
        answer["connect_reserved"] = [_part({}, home)]
    return answer


def _part(amounts: dict[str, int], currency: str) -> Json:
    amount = amounts.get(currency, 0)
    return {"amount": amount, "currency": currency, "source_types": {"card": amount}}


def _current(call: Call, booked: Json) -> Json:
    status = "available" if booked["available_on"] <= call.now else "pending"
    if booked["status"] != status:
        call.update(booked, status=status)
    return booked


@endpoint("GET", "/v1/balance_transactions", "BalanceTransactionListParams")
def list_transactions(call: Call, params: Json) -> Json:
    """``payout`` finds something for automatic payouts only, as Stripe documents."""
    url = "/v1/balance_transactions"
    if params.get("payout"):
        payout = call.get("payout", params["payout"], "payout")
        found: list[Any] = [
            call.get("balance_transaction", each)
            for each in call.private(payout).get("transactions", [])
        ]
        return list_object(url, found)
    answer = listing("balance_transaction", url, fields=("source", "type", "currency"))(
        call, params
    )
    for booked in answer["data"]:
        _current(call, booked)
    return answer


@endpoint("GET", "/v1/balance_transactions/{id}", "BalanceTransactionRetrieveParams")
def retrieve_transaction(call: Call, params: Json, id: str) -> Json:
    return _current(call, call.get("balance_transaction", id))
