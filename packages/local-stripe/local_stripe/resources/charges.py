"""Charges, and how captured money is split.

With a destination charge, the whole amount is transferred to the connected account, which then
pays the application fee from it, so it ends up with transfer − fee. The platform pays Stripe's
processing fee, which here is Stripe's US list price.
"""

from ..cards import behavior, decline_texts
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from . import countries
from .balances import book, book_settled, settlement_currency
from .listing import listing, retrieval
from .payment_methods import number_of
from .statement_descriptors import statement_descriptor

# Since API version 2025-03-31.basil a partial capture or a cancellation creates no refund, leaves
# ``amount_refunded`` and ``refunded`` alone, and sends no ``charge.refunded``.
CHANGELOG_BASIL = (
    "https://docs.stripe.com/changelog/basil/2025-03-31/"
    "remove-refund-from-partial-capture-and-payment-cancellation-flow"
)
_DAY = 86_400
HOLD_ON_SESSION = 7 * _DAY
# Visa's limit for merchant-initiated payments is five days; Stripe expires them a little earlier.
HOLD_OFF_SESSION_VISA = 4 * _DAY + 18 * 3600
_STRIPE_RATE_PER_MILLE, _STRIPE_FIXED = 29, 30


def processing_fee(amount: int) -> int:
    """Return Stripe's processing fee for a captured amount, in cents."""
    return (amount * _STRIPE_RATE_PER_MILLE + 500) // 1000 + _STRIPE_FIXED


def hold_seconds(method: Json, *, off_session: bool) -> int:
    """Return how long an authorization is valid."""
    is_visa = method["card"]["brand"] == "visa"
    return HOLD_OFF_SESSION_VISA if off_session and is_visa else HOLD_ON_SESSION


def succeed(
    call: Call, intent: Json, method: Json, *, capture_before: int | None, authenticated: bool
) -> Json:
    """Create the charge of a successful payment, uncaptured if ``capture_before`` is set."""
    charge = _new(call, intent, method, capture_before, authenticated)
    call.update(
        charge,
        paid=True,
        status="succeeded",
        outcome=_outcome("authorized", "approved_by_network", "Payment complete."),
    )
    return charge


def fail(call: Call, intent: Json, method: Json, reason: str) -> Json:
    """Create the charge of a declined payment."""
    code, message = decline_texts(reason)
    charge = _new(call, intent, method, None, False)
    seller_message = "The bank did not return any further details with this decline."
    call.update(
        charge,
        paid=False,
        status="failed",
        failure_code=code,
        failure_message=message,
        outcome=_outcome("issuer_declined", "declined_by_network", seller_message, reason),
    )
    call.emit("charge.failed", charge)
    return charge


def _new(
    call: Call, intent: Json, method: Json, capture_before: int | None, authenticated: bool
) -> Json:
    card = method["card"]
    details = {
        "amount_authorized": intent["amount"],
        "authorization_code": random_text(6).upper(),
        "brand": card["brand"],
        "checks": card["checks"],
        "country": card["country"],
        "exp_month": card["exp_month"],
        "exp_year": card["exp_year"],
        "extended_authorization": {"status": "disabled"},
        "fingerprint": card["fingerprint"],
        "funding": card["funding"],
        "incremental_authorization": {"status": "unavailable"},
        "installments": None,
        "last4": card["last4"],
        "mandate": None,
        "multicapture": {"status": "unavailable"},
        "network": card["brand"],
        "network_token": {"used": False},
        "overcapture": {
            "maximum_amount_capturable": intent["amount"],
            "status": "unavailable",
        },
        "regulated_status": "unregulated",
        "three_d_secure": _three_d_secure() if authenticated else None,
        "wallet": None,
    }
    if capture_before is not None:
        details["capture_before"] = capture_before
    return call.new(
        "charge",
        amount=intent["amount"],
        amount_captured=0,
        amount_refunded=0,
        application_fee_amount=intent["application_fee_amount"],
        billing_details=method["billing_details"],
        calculated_statement_descriptor=statement_descriptor(call, intent),
        captured=False,
        currency=intent["currency"],
        customer=intent["customer"],
        description=intent["description"],
        disputed=False,
        fraud_details={},
        metadata=dict(intent["metadata"]),
        on_behalf_of=intent["on_behalf_of"],
        paid=False,
        payment_intent=intent["id"],
        payment_method=method["id"],
        payment_method_details={"type": "card", "card": details},
        receipt_email=intent["receipt_email"],
        refunded=False,
        status="pending",
        transfer_data=_transfer_data(intent),
        transfer_group=intent["transfer_group"],
    )


def _transfer_data(intent: Json) -> Json | None:
    data = intent["transfer_data"]
    return {"amount": data.get("amount"), "destination": data["destination"]} if data else None


def _three_d_secure() -> Json:
    return {
        "authentication_flow": "challenge",
        "electronic_commerce_indicator": "05",
        "exemption_indicator": None,
        "result": "authenticated",
        "result_reason": None,
        "transaction_id": None,
        "version": "2.2.0",
    }


def _outcome(kind: str, network: str, seller_message: str, reason: str | None = None) -> Json:
    return {
        "advice_code": None,
        "network_advice_code": None,
        "network_decline_code": None,
        "network_status": network,
        "reason": reason,
        "risk_level": "normal",
        "seller_message": seller_message,
        "type": kind,
    }


# --- capture and release ---------------------------------------------------------------------


def settle(call: Call, intent: Json, charge: Json, amount: int) -> None:
    """Capture ``amount`` of the charge and split it. The rest of the authorization is released.

    Releasing it is no refund: ``amount_refunded`` counts real refunds only (``CHANGELOG_BASIL``).
    """
    fee = min(intent["application_fee_amount"] or 0, amount)
    method = call.get("payment_method", charge["payment_method"])
    at_once = behavior(number_of(call, method)).skips_pending
    settled = settlement_currency(call, charge)
    cost = processing_fee(countries.convert(amount, charge["currency"], settled))
    booked = book_settled(call, "charge", charge, amount, cost, charge, at_once=at_once)
    call.update(
        charge,
        captured=True,
        amount_captured=amount,
        application_fee_amount=intent["application_fee_amount"],
        balance_transaction=booked["id"],
        receipt_url=f"{call.base_url}/receipts/{charge['id']}",
    )
    destination = (intent["transfer_data"] or {}).get("destination")
    if destination:
        _transfer(call, intent, charge, destination, amount, fee)
    elif fee and call.account:
        _application_fee(call, charge, call.account, charge["id"], fee)


def _transfer(
    call: Call, intent: Json, charge: Json, destination: str, captured: int, fee: int
) -> None:
    settled = settlement_currency(call, charge)
    amount = (intent["transfer_data"] or {}).get("amount") or captured
    amount = countries.convert(amount, charge["currency"], settled)
    group = charge["transfer_group"] or f"group_{intent['id']}"
    platform = call.for_account(None)
    transfer = platform.new(
        "transfer",
        amount=amount,
        amount_reversed=0,
        currency=settled,
        destination=destination,
        metadata={},
        reversals=list_object("", []),
        reversed=False,
        source_transaction=charge["id"],
        source_type="card",
        transfer_group=group,
    )
    url = f"/v1/transfers/{transfer['id']}/reversals"
    booked = platform.get("balance_transaction", charge["balance_transaction"])
    at_once = booked["status"] == "available"
    own_fee = countries.convert(fee, charge["currency"], settled)
    received = _received(call, charge, transfer, destination, own_fee, at_once=at_once)
    platform.update(
        transfer,
        balance_transaction=book(
            platform,
            "transfer",
            transfer["id"],
            -amount,
            0,
            settled,
            available_with=booked,
        )["id"],
        destination_payment=received["id"],
        reversals=list_object(url, []),
    )
    call.update(charge, transfer=transfer["id"], transfer_group=group)
    platform.emit("transfer.created", transfer)
    if fee:
        application_fee = _application_fee(call, charge, destination, received["id"], fee)
        at_destination = call.for_account(destination)
        at_destination.update(received, application_fee=application_fee["id"])


def _received(
    call: Call,
    charge: Json,
    transfer: Json,
    destination: str,
    fee: int,
    *,
    at_once: bool,
) -> Json:
    """Create the payment that the connected account receives, in the transfer's currency."""
    amount = transfer["amount"]
    at_destination = call.for_account(destination)
    received = at_destination.new(
        "charge",
        id="py_" + random_text(24),
        amount=amount,
        amount_captured=amount,
        amount_refunded=0,
        application_fee_amount=fee or None,
        billing_details=charge["billing_details"],
        captured=True,
        currency=transfer["currency"],
        disputed=False,
        fraud_details={},
        metadata={},
        paid=True,
        payment_method_details={"type": "stripe_account", "stripe_account": {}},
        refunded=False,
        source_transfer=transfer["id"],
        status="succeeded",
        transfer_group=transfer["transfer_group"],
    )
    booked = book(
        at_destination,
        "payment",
        received["id"],
        amount,
        fee,
        transfer["currency"],
        fee_kind="application_fee",
        at_once=at_once,
    )
    at_destination.update(received, balance_transaction=booked["id"])
    return received


def _application_fee(call: Call, charge: Json, account: str, taken_from: str, fee: int) -> Json:
    """Create the platform's fee for a payment to ``account``. It belongs to the platform."""
    platform = call.for_account(None)
    application_fee = platform.new(
        "application_fee",
        account=account,
        amount=fee,
        amount_refunded=0,
        application="ca_local",
        charge=taken_from,
        currency=charge["currency"],
        fee_source={"charge": taken_from, "type": "charge"},
        originating_transaction=charge["id"],
        refunded=False,
        refunds=list_object("", []),
    )
    url = f"/v1/application_fees/{application_fee['id']}/refunds"
    booked = book(platform, "application_fee", application_fee["id"], fee, 0, charge["currency"])
    platform.update(application_fee, refunds=list_object(url, []), balance_transaction=booked["id"])
    call.update(charge, application_fee=application_fee["id"])
    platform.emit("application_fee.created", application_fee)
    return application_fee


def let_go(call: Call, charge: Json, *, expired: bool) -> None:
    """Release an authorization without charging anything.

    The charge isn't refunded, and there is no ``charge.refunded`` (``CHANGELOG_BASIL``).
    """
    if expired:
        call.emit("charge.expired", charge)


def declines_capture(call: Call, charge: Json) -> bool:
    method = call.get("payment_method", charge["payment_method"])
    return behavior(number_of(call, method)).declines_capture


def has_room(call: Call, method: Json, amount: int) -> bool:
    """Return whether the card has ``amount`` left beside its holds and what was charged on it.

    The limit is the command ``card_limit``'s, or the test card's own; most cards have none.
    """
    number = number_of(call, method)
    limit = call.server.card_limits.get(number, behavior(number).limit)
    if limit is None:
        return True
    return _used(call, number) + amount <= limit


def _used(call: Call, number: str) -> int:
    total = 0
    statuses = {"requires_capture", "succeeded"}
    if call.server.faults.does("room_returns_late"):
        statuses |= {"canceled"}
    for row in call.store.all("payment_intent", call.account):
        intent = row.obj
        if intent["status"] not in statuses or not intent["latest_charge"]:
            continue
        charge = call.get("charge", intent["latest_charge"])
        if number_of(call, call.get("payment_method", charge["payment_method"])) != number:
            continue
        if charge["captured"]:
            total += charge["amount_captured"] - charge["amount_refunded"]
        else:
            total += charge["amount"]
    return total


# --- endpoints -------------------------------------------------------------------------------


@endpoint("POST", "/v1/charges/{id}", "ChargeModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    charge = call.get("charge", id)
    plain = ("description", "receipt_email", "transfer_group")
    changes = {name: params[name] or None for name in plain if name in params}
    metadata = merge_metadata(charge["metadata"], params.get("metadata"))
    call.update(charge, metadata=metadata, **changes)
    call.emit("charge.updated", charge)
    return charge


endpoint("GET", "/v1/charges", "ChargeListParams")(
    listing(
        "charge", "/v1/charges", links=("customer", "payment_intent"), fields=("transfer_group",)
    )
)
endpoint("GET", "/v1/charges/{id}", "ChargeRetrieveParams")(retrieval("charge"))
endpoint("GET", "/v1/transfers", "TransferListParams")(
    listing("transfer", "/v1/transfers", fields=("destination", "transfer_group"))
)
endpoint("GET", "/v1/transfers/{id}", "TransferRetrieveParams")(retrieval("transfer"))
endpoint("GET", "/v1/application_fees", "ApplicationFeeListParams")(
    listing("application_fee", "/v1/application_fees", links=("charge",))
)
endpoint("GET", "/v1/application_fees/{id}", "ApplicationFeeRetrieveParams")(
    retrieval("application_fee")
)
