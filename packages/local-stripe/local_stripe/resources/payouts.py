"""Payouts of an account's balance to its bank, on request or by its schedule."""

from ..errors import invalid_request
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from .balances import DAY, available, book, insufficient
from .listing import listing, retrieval

_ARRIVAL_DAYS = 2
# https://docs.stripe.com/api/payouts/failures
FAILURES = {
    "account_closed": "The bank account has been closed",
    "account_frozen": "The bank account has been frozen",
    "could_not_process": "The bank could not process this payout.",
    "invalid_account_number": "The routing number seems correct, but the account number is not.",
    "no_account": "The bank account details on file are probably incorrect. No bank account could "
    "be found with those details.",
}


@endpoint("POST", "/v1/payouts", "PayoutCreateParams")
def create(call: Call, params: Json) -> Json:
    account = _owner(call)
    if account is not None and not account["payouts_enabled"]:
        raise invalid_request(
            "Payouts are not enabled on this account.", code="payouts_not_allowed"
        )
    amount, currency = params["amount"], params["currency"]
    if amount < 1:
        raise invalid_request(
            "This value must be greater than or equal to 1.",
            code="parameter_invalid_integer",
            param="amount",
        )
    if amount > available(call, currency):
        raise insufficient()
    return _send(call, amount, currency, params, [])


def _owner(call: Call) -> Json | None:
    return call.for_account(None).get("account", call.account) if call.account else None


def _send(call: Call, amount: int, currency: str, params: Json, transactions: list[str]) -> Json:
    """Take the amount from the balance. ``transactions`` are those of an automatic payout."""
    automatic = bool(transactions)
    payout = call.new(
        "payout",
        private={"transactions": transactions},
        amount=amount,
        arrival_date=call.now + _ARRIVAL_DAYS * DAY,
        automatic=automatic,
        currency=currency,
        description=params.get("description"),
        destination="ba_" + random_text(24),
        metadata=merge_metadata({}, params.get("metadata")),
        method=params.get("method", "standard"),
        reconciliation_status="completed" if automatic else "not_applicable",
        source_type=params.get("source_type", "card"),
        statement_descriptor=params.get("statement_descriptor"),
        status="pending",
        type="bank_account",
    )
    booked = book(call, "payout", payout["id"], -amount, 0, currency)
    call.update(payout, balance_transaction=booked["id"])
    call.schedule(payout, payout["arrival_date"])
    call.emit("payout.created", payout)
    return payout


def arrive(call: Call, payout: Json) -> None:
    """The bank has it."""
    call.update(payout, status="paid")
    call.schedule(payout, None)
    call.emit("payout.paid", payout)


def fail(call: Call, payout_id: str, code: str) -> Json:
    """The bank sends it back: the money is in the account's balance again. Stripe documents that
    this can happen after the payout was `paid`."""
    payout = call.get("payout", payout_id)
    if payout["status"] in ("failed", "canceled"):
        return payout
    returned = book(
        call, "payout_failure", payout["id"], payout["amount"], 0, payout["currency"], at_once=True
    )
    call.update(
        payout,
        status="failed",
        failure_code=code,
        failure_message=FAILURES[code],
        failure_balance_transaction=returned["id"],
    )
    call.schedule(payout, None)
    call.emit("payout.failed", payout)
    return payout


@endpoint("POST", "/v1/payouts/{id}/cancel", "PayoutCancelParams")
def cancel(call: Call, params: Json, id: str) -> Json:
    payout = call.get("payout", id)
    if payout["status"] != "pending" or payout["automatic"]:
        raise invalid_request(
            "Payouts can only be canceled while they are pending.", code="payout_already_paid"
        )
    returned = book(
        call, "payout_cancel", payout["id"], payout["amount"], 0, payout["currency"], at_once=True
    )
    call.update(payout, status="canceled", failure_balance_transaction=returned["id"])
    call.schedule(payout, None)
    call.emit("payout.canceled", payout)
    return payout


def pay_automatically(call: Call, account: Json) -> None:
    """Pay out everything available, as an account's daily schedule does."""
    platform = call.for_account(None)
    platform.schedule(account, None)
    if not account["payouts_enabled"]:
        return
    acting = call.for_account(account["id"])
    ready, _ = acting.store.balances(account["id"], acting.now)
    paid = _already_paid(acting)
    for currency, amount in ready.items():
        if amount <= 0:
            continue
        included = [
            row.id
            for row in acting.store.all("balance_transaction", account["id"])
            if row.obj["currency"] == currency
            and row.obj["available_on"] <= acting.now
            and row.obj["type"] not in ("payout", "payout_failure", "payout_cancel")
            and row.id not in paid
        ]
        _send(acting, amount, currency, {}, included)


def _already_paid(call: Call) -> set[str]:
    payouts = call.store.all("payout", call.account)
    return {
        each
        for row in payouts
        if row.obj["status"] not in ("failed", "canceled")
        for each in row.private.get("transactions", [])
    }


endpoint("GET", "/v1/payouts", "PayoutListParams")(
    listing("payout", "/v1/payouts", fields=("status", "destination"))
)
endpoint("GET", "/v1/payouts/{id}", "PayoutRetrieveParams")(retrieval("payout"))
