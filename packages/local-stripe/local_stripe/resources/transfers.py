"""Transfers made by the platform, and reversals of any transfer.

Reversing a transfer moves money from the connected account's balance to the platform's. With
``refund_application_fee`` the same share of the application fee goes the other way:
https://docs.stripe.com/api/transfer_reversals/create

A transfer needs the platform's available balance, unless it is made out of a charge, and an account
in a region that transfers reach. Reversing one that isn't of a destination charge needs the
connected account's balance: https://docs.stripe.com/api/transfer_reversals
"""

from ..errors import invalid_request
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from . import countries
from .balances import available, book, insufficient
from .listing import retrieval


def share(part: int, whole: int, of: int) -> int:
    """Return ``of`` × ``part`` / ``whole``, in cents, rounded half up."""
    return (2 * of * part + whole) // (2 * whole)


def reverse(
    call: Call, transfer: Json, amount: int, *, refund: str | None = None, metadata: Json
) -> Json:
    """Reverse part of a transfer; ``refund`` is the refund that causes it, if one does."""
    platform = call.for_account(None)
    reversal = platform.new(
        "transfer_reversal",
        amount=amount,
        currency=transfer["currency"],
        metadata=metadata,
        source_refund=refund,
        transfer=transfer["id"],
    )
    reversed_in_all = transfer["amount_reversed"] + amount
    url = transfer["reversals"]["url"]
    platform.update(
        transfer,
        amount_reversed=reversed_in_all,
        reversed=reversed_in_all == transfer["amount"],
        reversals=list_object(url, [dict(reversal), *transfer["reversals"]["data"]]),
    )
    booked = book(
        platform, "transfer_refund", reversal["id"], amount, 0, transfer["currency"], at_once=True
    )
    platform.update(reversal, balance_transaction=booked["id"])
    # It can leave the connected account's balance negative: a destination charge's transfer can be
    # reversed up to the charge, whatever the balance. https://docs.stripe.com/api/transfer_reversals
    at_destination = call.for_account(transfer["destination"])
    received = transfer["destination_payment"]
    book(at_destination, "payment_refund", received, -amount, 0, transfer["currency"])
    platform.emit("transfer.reversed", transfer)
    return reversal


def part_of_transfer(call: Call, charge: Json, amount: int) -> tuple[Json, int]:
    """Return a charge's transfer, and what a refund of this amount takes of it."""
    transfer = call.for_account(None).get("transfer", charge["transfer"])
    left = transfer["amount"] - transfer["amount_reversed"]
    part = min(left, share(amount, charge["amount_captured"], transfer["amount"]))
    return transfer, part


def refund_fee(call: Call, fee_id: str, returned: int, whole: int) -> None:
    """Refund the fee in proportion to everything returned so far, so that parts add up to the
    whole fee. Stripe documents the proportion but not the rounding."""
    platform = call.for_account(None)
    fee = platform.get("application_fee", fee_id)
    left = fee["amount"] - fee["amount_refunded"]
    if call.server.faults.does("fee_rounds_down"):
        returned_in_all = fee["amount"] * returned // whole
    else:
        returned_in_all = share(returned, whole, fee["amount"])
    part = min(left, returned_in_all - fee["amount_refunded"])
    if part <= 0:
        return
    fee_refund = platform.new(
        "fee_refund", amount=part, currency=fee["currency"], fee=fee["id"], metadata={}
    )
    booked = book(platform, "application_fee_refund", fee_refund["id"], -part, 0, fee["currency"])
    platform.update(fee_refund, balance_transaction=booked["id"])
    at_destination = call.for_account(fee["account"])
    apart = call.server.faults.does("fee_return_apart")
    kind = "application_fee_refund" if apart else "payment_refund"
    book(at_destination, kind, fee["charge"], part, 0, fee["currency"], at_once=True)
    refunded = fee["amount_refunded"] + part
    platform.update(
        fee,
        amount_refunded=refunded,
        refunded=refunded == fee["amount"],
        refunds=list_object(fee["refunds"]["url"], [dict(fee_refund), *fee["refunds"]["data"]]),
    )
    platform.emit("application_fee.refunded", fee)


@endpoint("POST", "/v1/transfers/{id}/reversals", "TransferCreateReversalParams")
def create_reversal(call: Call, params: Json, id: str) -> Json:
    transfer = call.get("transfer", id)
    left = transfer["amount"] - transfer["amount_reversed"]
    amount = params.get("amount", left)
    if not 0 < amount <= left:
        raise invalid_request(
            f"Reversal amount ({amount}) is greater than the unreversed amount on the transfer "
            f"({left}).",
            param="amount",
        )
    # One that was made for a destination charge is reversed whatever the balance.
    if not transfer["source_transaction"] or call.server.faults.refuse_uncovered:
        with_fee = bool(params.get("refund_application_fee"))
        returned = fee_of(call, transfer, amount) if with_fee else 0
        if returned:
            charged_in = call.get("charge", transfer["source_transaction"])["currency"]
            returned = countries.convert(returned, charged_in, transfer["currency"])
        check_destination(call, transfer, amount - returned)
    reversal = reverse(call, transfer, amount, metadata=merge_metadata({}, params.get("metadata")))
    charge_id = transfer["source_transaction"]
    if params.get("refund_application_fee") and charge_id:
        charge = call.get("charge", charge_id)
        if charge["application_fee"]:
            fee_id = charge["application_fee"]
            refund_fee(call, fee_id, transfer["amount_reversed"], transfer["amount"])
    return reversal


def fee_of(call: Call, transfer: Json, amount: int) -> int:
    """Return the application fee's share that goes back with this part of a transfer."""
    if not transfer["source_transaction"]:
        return 0
    charge = call.get("charge", transfer["source_transaction"])
    if not charge["application_fee"]:
        return 0
    fee = call.get("application_fee", charge["application_fee"])
    return share(amount, transfer["amount"], fee["amount"])


def check_destination(call: Call, transfer: Json, amount: int) -> None:
    """Raise unless the connected account has what a reversal takes, less the fee it returns. Of a
    destination charge's transfer, the payment counts while it is pending."""
    account = call.get("account", transfer["destination"])
    settled = account["default_currency"]
    ready, pending = call.store.balances(account["id"], call.now)
    has = ready.get(settled, 0)
    if transfer["source_transaction"]:
        has += pending.get(settled, 0)
    if countries.convert(amount, transfer["currency"], settled) > has:
        raise insufficient()


@endpoint("GET", "/v1/transfers/{id}/reversals", "TransferListReversalsParams")
def list_reversals(call: Call, params: Json, id: str) -> Json:
    return dict(call.get("transfer", id)["reversals"])


@endpoint("POST", "/v1/transfers", "TransferCreateParams")
def create(call: Call, params: Json) -> Json:
    destination = params["destination"]
    row = call.store.get(destination)
    if row is None or row.kind != "account":
        raise invalid_request(f"No such destination: '{destination}'", param="destination")
    if row.obj["country"] not in countries.TRANSFERS_REACH:
        raise invalid_request(
            f"Funds can't be sent to accounts located in {row.obj['country']}, beyond the regions "
            "that your platform's transfers reach.",
            code="transfers_not_allowed",
        )
    source = _source(call, params)
    if source is None and params["amount"] > available(call, params["currency"]):
        raise insufficient()
    transfer = call.new(
        "transfer",
        amount=params["amount"],
        amount_reversed=0,
        currency=params["currency"],
        description=params.get("description"),
        destination=destination,
        metadata=merge_metadata({}, params.get("metadata")),
        reversals=list_object("", []),
        reversed=False,
        source_transaction=params.get("source_transaction"),
        source_type="card",
        transfer_group=params.get("transfer_group"),
    )
    amount, currency = params["amount"], params["currency"]
    booked = book(call, "transfer", transfer["id"], -amount, 0, currency, available_with=source)
    received = "py_" + random_text(24)
    book(call.for_account(destination), "payment", received, amount, 0, currency)
    call.update(
        transfer,
        balance_transaction=booked["id"],
        destination_payment=received,
        reversals=list_object(f"/v1/transfers/{transfer['id']}/reversals", []),
    )
    call.emit("transfer.created", transfer)
    return transfer


def _source(call: Call, params: Json) -> Json | None:
    """Return the balance transaction of the charge that a transfer is made out of, if it is."""
    if not params.get("source_transaction"):
        return None
    charge = call.get("charge", params["source_transaction"], "source_transaction")
    return call.get("balance_transaction", charge["balance_transaction"])


endpoint("GET", "/v1/transfers/{transfer}/reversals/{id}", "TransferRetrieveReversalParams")(
    lambda call, params, transfer, id: retrieval("transfer_reversal")(call, params, id)
)
