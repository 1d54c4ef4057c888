"""Payment intents: created, captured, released, refunded, and listed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

import stripe

from apps.billing.gateway import (
    BalanceMovement,
    BrowserIntent,
    Charge,
    IntentSnapshot,
    IntentStatus,
    RefundSnapshot,
    RefundStatus,
    RefundTotals,
    Refused,
)
from apps.billing.stripe_gateway.client import ask, id_of, moment, our_errors, read
from apps.common.money import Money

PAGE_SIZE = 100  # Stripe's maximum
_EXPAND = ["latest_charge"]
# With the balance transaction, which is created by the capture; the charge by the authorization:
# https://docs.stripe.com/api/balance_transactions/object#balance_transaction_object-created
_EXPAND_CAPTURE = ["latest_charge", "latest_charge.balance_transaction"]
# A charge contains its refunds only when they are expanded, which costs Stripe time:
# https://docs.stripe.com/changelog/2022-11-15/deprecates-charges-auto-expand
_EXPAND_REFUNDS = [
    "latest_charge.balance_transaction",
    "latest_charge.refunds",
    "latest_charge.application_fee",
    "latest_charge.transfer",
]
_REFUND_STATES = {
    "pending": RefundStatus.PENDING,
    "requires_action": RefundStatus.PENDING,
    "succeeded": RefundStatus.SUCCEEDED,
    "failed": RefundStatus.FAILED,
    "canceled": RefundStatus.FAILED,
}
_HOLD_STATES = {
    "requires_payment_method": IntentStatus.OPEN,
    "requires_confirmation": IntentStatus.OPEN,
    "requires_action": IntentStatus.NEEDS_ACTION,
    # Can be canceled in rare cases only: https://docs.stripe.com/api/payment_intents/cancel
    "processing": IntentStatus.PROCESSING,
    "requires_capture": IntentStatus.HELD,
    "succeeded": IntentStatus.CAPTURED,
    "canceled": IntentStatus.DEAD,
}


def retrieve_intent(intent_id: str) -> IntentSnapshot:
    with our_errors():
        return _hold(ask("get", _path_of(intent_id), expand=_EXPAND_CAPTURE))


def retrieve_with_refunds(intent_id: str) -> IntentSnapshot:
    """The intent with all refunds of its charge, and the fee and transfer taken back with them."""
    with our_errors():
        intent = ask("get", _path_of(intent_id), expand=_EXPAND_REFUNDS)
        return replace(_hold(intent), refunds=_refund_totals(intent))


def capture(intent_id: str, *, amount: Money, fee: Money, key: str) -> IntentSnapshot:
    """Capture an authorization, with our application fee (DECISIONS X3)."""
    params: dict[str, Any] = {"amount_to_capture": amount.cents, "expand": _EXPAND}
    if fee.cents:
        params["application_fee_amount"] = fee.cents
    with our_errors():
        path = f"{_path_of(intent_id)}/capture"
        return _hold(ask("post", path, idempotency_key=key, **params))


def release(intent_id: str, *, key: str) -> IntentSnapshot:
    """Release an authorization by canceling its intent: nobody pays."""
    with our_errors():
        path = f"{_path_of(intent_id)}/cancel"
        params: Any = {"cancellation_reason": "abandoned", "expand": _EXPAND}
        return _hold(ask("post", path, idempotency_key=key, **params))


def charge_off_session(
    charge: Charge, *, customer_id: str, payment_method_id: str, hold_only: bool, key: str
) -> IntentSnapshot:
    """Authorize or charge the saved card without the guest present."""
    params = intent_params(charge)
    with our_errors():
        intent = stripe.PaymentIntent.create(
            amount=charge.amount.cents,
            currency=charge.currency,
            capture_method="manual" if hold_only else "automatic",
            customer=customer_id,
            payment_method=payment_method_id,
            payment_method_types=["card"],
            off_session=True,
            confirm=True,
            expand=_EXPAND,
            idempotency_key=key,
            **params,
        )
        return _hold(intent)


def create_intent(charge: Charge, *, customer_id: str, key: str) -> BrowserIntent:
    """Create an authorization for the browser to confirm.

    The card is saved in case an off-session retry is needed.
    """
    params = intent_params(charge)
    with our_errors():
        intent = stripe.PaymentIntent.create(
            amount=charge.amount.cents,
            currency=charge.currency,
            capture_method="manual",
            customer=customer_id,
            payment_method_types=["card"],
            setup_future_usage="off_session",
            idempotency_key=key,
            **params,
        )
        return BrowserIntent(intent.id, intent.client_secret or "")


def reopen_intent(intent_id: str, *, payment_method_id: str = "") -> BrowserIntent:
    """Let the browser confirm an authorization that was declined off session.

    The guest uses another card, or the saved one if `payment_method_id` names it. Calling it twice
    has no further effect.
    """
    params: Any = {"setup_future_usage": "off_session"}
    if payment_method_id:
        params["payment_method"] = payment_method_id
    with our_errors():
        intent = stripe.PaymentIntent.modify(intent_id, **params)
        return BrowserIntent(intent.id, intent.client_secret or "")


def refund(intent_id: str, *, amount: Money, with_fee: bool, key: str) -> IntentSnapshot:
    """Refund part of a charge, and the same share of our fee if there was one.

    The refund can be pending, or already have failed: the result says so, in `refunds`.
    """
    with our_errors():
        stripe.Refund.create(
            payment_intent=intent_id,
            amount=amount.cents,
            reverse_transfer=True,
            refund_application_fee=with_fee,
            idempotency_key=key,
        )
    return retrieve_with_refunds(intent_id)


def repeat_refund(intent_id: str, *, amount: Money, dispute_id: str, key: str) -> IntentSnapshot:
    """Refund what a dispute that was won had overtaken.

    The transfer and the fee stay as they are, because they were reversed with the first refund and
    stay reversed: https://docs.stripe.com/connect/destination-charges#issue-refunds
    """
    with our_errors():
        stripe.Refund.create(
            payment_intent=intent_id,
            amount=amount.cents,
            metadata={"dispute": dispute_id},
            idempotency_key=key,
        )
    return retrieve_with_refunds(intent_id)


def intents_of_customer(customer_id: str) -> Iterator[IntentSnapshot]:
    """All intents of a customer, newest first, to find what an earlier attempt created."""
    with our_errors():
        page = stripe.PaymentIntent.list(
            customer=customer_id, limit=100, expand=["data.latest_charge"]
        )
        for intent in page.auto_paging_iter():
            yield _hold(intent)


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of one of Stripe's lists, newest first: intents, or the ids of intents.

    `last` is where the next page begins: the id of this one's last object.
    """

    last: str
    is_last: bool
    intents: tuple[IntentSnapshot, ...] = ()
    intent_ids: tuple[str, ...] = ()
    movements: tuple[BalanceMovement, ...] = ()

    @property
    def count(self) -> int:
        return len(self.intents) + len(self.intent_ids) + len(self.movements)


def intents_page(since: datetime, *, after: str = "") -> ListPage:
    """All intents created since then, for reconciliation."""
    with our_errors():
        page = stripe.PaymentIntent.list(**_window(since, after), expand=["data.latest_charge"])
        return _list_page(page, intents=tuple(_hold(intent) for intent in page.data))


def refunded_intents_page(since: datetime, *, after: str = "") -> ListPage:
    """Intents with a refund since then, whoever made it; they can be much older than the refund."""
    with our_errors():
        page = stripe.Refund.list(**_window(since, after))
        ids = (id_of(each.payment_intent) for each in page.data)
        return _list_page(page, intent_ids=_unique(ids))


def failed_refund_intents_page(since: datetime, *, after: str = "") -> ListPage:
    """Intents with a refund that failed since then.

    The list of refunds knows when they were created only, so this reads the events, which Stripe
    keeps for 30 days: https://docs.stripe.com/api/events/list
    """
    with our_errors():
        page = stripe.Event.list(**_window(since, after), type="refund.failed")
        ids = (id_of(read(each, "data", "object", "payment_intent")) for each in page.data)
        return _list_page(page, intent_ids=_unique(ids))


def balance_page(since: datetime, *, after: str = "") -> ListPage:
    """The platform's balance transactions since then, each with its source.

    A transaction's own amount is in the currency the platform settles in; the source's is the
    charge's: https://docs.stripe.com/api/balance_transactions/object
    """
    with our_errors():
        path = "/v1/balance_transactions"
        page = ask("get", path, expand=["data.source"], **_window(since, after))
        movements = tuple(_movement(each) for each in page["data"])
        last = movements[-1].movement_id if movements else ""
        return ListPage(last=last, is_last=not page["has_more"], movements=movements)


def intent_of_charge(charge_id: str) -> str:
    """The id of the charge's payment intent; empty if it has none."""
    with our_errors():
        charge = ask("get", f"/v1/charges/{quote(charge_id, safe='')}")
        return id_of(read(charge, "payment_intent"))


def _movement(transaction: Any) -> BalanceMovement:
    source = read(transaction, "source")
    created = moment(read(transaction, "created"))
    assert created is not None
    captured = read(source, "amount_captured")
    amount = read(source, "amount") if captured is None else captured
    about = read(source, "object")
    is_transfer = about == "transfer"
    return BalanceMovement(
        movement_id=read(transaction, "id"),
        # A dispute's is an adjustment, as others are too.
        kind="dispute" if about == "dispute" else read(transaction, "type"),
        source_id=id_of(source),
        amount=Money(abs(amount or 0)),
        fee=Money(read(source, "application_fee_amount") or 0),
        created_at=created,
        intent_id=id_of(read(source, "payment_intent")),
        charge_id=id_of(read(source, "source_transaction")) if is_transfer else "",
        destination=id_of(read(source, "destination")) if is_transfer else "",
        # https://docs.stripe.com/api/balance_transactions/object#balance_transaction_object-fee
        stripe_fee=Money(read(transaction, "fee") or 0),
        settled_currency=read(transaction, "currency") or "",
    )


def _window(since: datetime, after: str) -> dict[str, Any]:
    window: dict[str, Any] = {"created": {"gte": int(since.timestamp())}, "limit": PAGE_SIZE}
    return window | {"starting_after": after} if after else window


def _list_page(page: Any, **found: Any) -> ListPage:
    last = page.data[-1].id if page.data else ""
    return ListPage(last=last, is_last=not page.has_more, **found)


def _unique(intent_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in intent_ids if each))


def intent_params(charge: Charge) -> dict[str, Any]:
    """The parameters of a destination charge on behalf of the restaurant."""
    params: dict[str, Any] = {
        "description": charge.description,
        "metadata": {"pre_order_id": charge.pre_order_id},
        "on_behalf_of": charge.destination,
        "transfer_data": {"destination": charge.destination},
    }
    if charge.fee.cents:
        params["application_fee_amount"] = charge.fee.cents
    return params


def _refund_totals(intent: Any) -> RefundTotals:
    charge = read(intent, "latest_charge")
    listed = read(charge, "refunds")
    refunds: Any = read(listed, "data") or []
    if read(listed, "has_more"):
        page = stripe.Refund.list(payment_intent=read(intent, "id"), limit=100)
        refunds = list(page.auto_paging_iter())
    # The transfer is in the currency in which the restaurant's account settles:
    # https://docs.stripe.com/connect/destination-charges#settlement-merchant
    charged = Money(read(charge, "amount_captured") or 0)
    transferred = Money(read(charge, "transfer", "amount") or 0)
    taken_back = Money(read(charge, "transfer", "amount_reversed") or 0)
    is_converted = read(charge, "transfer", "currency") not in (None, read(charge, "currency"))
    unit = Money(1).share(of=charged, in_all=transferred) + Money(1)
    return RefundTotals(
        refunds=tuple(_refund(each) for each in reversed(refunds)),
        fee=Money(read(charge, "application_fee", "amount_refunded") or 0),
        reversed=taken_back.share(of=charged, in_all=transferred),
        rounding=unit * len(refunds) if is_converted else Money(0),
    )


def _refund(refund: Any) -> RefundSnapshot:
    # A status this version doesn't know is treated as not final.
    state = _REFUND_STATES.get(read(refund, "status"), RefundStatus.PENDING)
    why = "failure_reason" if state is RefundStatus.FAILED else "pending_reason"
    created_at = moment(read(refund, "created"))
    assert created_at is not None
    return RefundSnapshot(
        refund_id=read(refund, "id"),
        amount=Money(read(refund, "amount")),
        state=state,
        created_at=created_at,
        reason=read(refund, why) or "",
        dispute_id=read(refund, "metadata", "dispute") or "",
    )


def _path_of(intent_id: str) -> str:
    """The intent's path. Raises Refused for an empty id, whose path would be the list's."""
    if not intent_id:
        raise Refused("invalid_request", "The payment intent's id is empty.")
    return f"/v1/payment_intents/{quote(intent_id, safe='')}"


def _captured_at(charge: Any) -> datetime | None:
    transaction = read(charge, "balance_transaction")
    return None if isinstance(transaction, str) else moment(read(transaction, "created"))


def _hold(intent: Any) -> IntentSnapshot:
    """A snapshot of an intent, from a stripe-python object or from parsed JSON.

    `amount_refunded` counts refunds only, not what a partial capture left of the authorization:
    https://docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
    (before 2025-03-31.basil it counted both; `configure` pins the version).
    """
    charge = read(intent, "latest_charge")
    created = moment(read(charge, "created"))
    captured = read(charge, "amount_captured") or 0
    error = read(intent, "last_payment_error", "code")
    return IntentSnapshot(
        intent_id=read(intent, "id"),
        state=_HOLD_STATES[read(intent, "status")],
        pre_order_id=read(intent, "metadata", "pre_order_id"),
        amount=Money(read(intent, "amount")),
        currency=read(intent, "currency"),
        captured=Money(captured),
        refunded=Money(read(charge, "amount_refunded") or 0),
        fee=Money(read(charge, "application_fee_amount") or 0),
        customer_id=id_of(read(intent, "customer")),
        payment_method_id=id_of(read(intent, "payment_method")),
        authorized_at=created,
        captured_at=_captured_at(charge),
        capture_before=moment(read(charge, "payment_method_details", "card", "capture_before")),
        transfer_id=id_of(read(charge, "transfer")),
        reason=read(intent, "cancellation_reason") or error or "",
        card_brand=read(charge, "payment_method_details", "card", "brand") or "",
        card_digits=read(charge, "payment_method_details", "card", "last4") or "",
        # Prefix and suffix as the card networks get them, of the restaurant's account because of
        # `on_behalf_of`: https://docs.stripe.com/connect/statement-descriptors. That it is there
        # before the capture is *unverified*; without it we say nothing.
        statement_name=read(charge, "calculated_statement_descriptor") or "",
    )
