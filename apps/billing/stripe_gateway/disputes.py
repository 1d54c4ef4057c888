"""Disputes and early fraud warnings: read, answered, accepted, and listed."""

import io
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

from apps.billing.gateway import DisputeMovement, DisputeSnapshot, Evidence, FraudWarning
from apps.billing.stripe_gateway.client import ask, client, id_of, moment, our_errors, read
from apps.common.money import Money

_PAGE_SIZE = 100
_WARNINGS = "/v1/radar/early_fraud_warnings"


def retrieve_dispute(dispute_id: str) -> DisputeSnapshot:
    with our_errors():
        return _dispute(ask("get", f"/v1/disputes/{quote(dispute_id, safe='')}"))


def disputes_since(since: datetime) -> Iterator[DisputeSnapshot]:
    """All disputes opened since then, newest first, for reconciliation."""
    for found in _listed("/v1/disputes", since):
        yield _dispute(found)


def upload_evidence(evidence: Evidence) -> str:
    """Upload the document and return its file's id.

    Without an idempotency key: a second upload changes nothing, and what is known now differs from
    what an earlier attempt uploaded. https://docs.stripe.com/file-upload
    """
    document = io.BytesIO(evidence.document)
    document.name = evidence.file_name
    with our_errors():
        uploaded = client().v1.files.create({"purpose": "dispute_evidence", "file": document})
        return uploaded.id


def submit_evidence(
    dispute_id: str, evidence: Evidence, *, file_id: str, key: str
) -> DisputeSnapshot:
    """Submit the answer with its uploaded document. The bank takes one answer only.

    Stripe refuses a key with other parameters, so a retry must name the same file:
    https://docs.stripe.com/api/idempotent_requests, https://docs.stripe.com/api/disputes/update
    """
    with our_errors():
        texts = {
            "customer_name": evidence.customer_name,
            "customer_email_address": evidence.customer_email,
            "product_description": evidence.product_description,
            "service_date": evidence.service_date,
            "refund_policy_disclosure": evidence.refund_policy,
            "uncategorized_text": evidence.remarks,
            "service_documentation": file_id,
        }
        answered = ask(
            "post",
            f"/v1/disputes/{quote(dispute_id, safe='')}",
            idempotency_key=key,
            evidence={name: text for name, text in texts.items() if text},
            submit=True,
        )
        return _dispute(answered)


def accept_dispute(dispute_id: str, *, key: str) -> DisputeSnapshot:
    """Accept a dispute for good: it is lost. https://docs.stripe.com/api/disputes/close"""
    with our_errors():
        path = f"/v1/disputes/{quote(dispute_id, safe='')}/close"
        return _dispute(ask("post", path, idempotency_key=key))


def retrieve_fraud_warning(warning_id: str) -> FraudWarning:
    with our_errors():
        return _warning(ask("get", f"{_WARNINGS}/{quote(warning_id, safe='')}"))


def fraud_warnings_since(since: datetime) -> Iterator[FraudWarning]:
    """All early fraud warnings since then, newest first, for reconciliation."""
    for found in _listed(_WARNINGS, since):
        yield _warning(found)


def _listed(path: str, since: datetime) -> Iterator[Any]:
    after: dict[str, str] = {}
    while True:
        with our_errors():
            page = ask(
                "get", path, created={"gte": int(since.timestamp())}, limit=_PAGE_SIZE, **after
            )
        yield from page["data"]
        if not page["has_more"]:
            return
        after = {"starting_after": page["data"][-1]["id"]}


def _dispute(found: Any) -> DisputeSnapshot:
    details = read(found, "evidence_details")
    opened_at = moment(read(found, "created"))
    assert opened_at is not None
    return DisputeSnapshot(
        dispute_id=read(found, "id"),
        status=read(found, "status"),
        intent_id=id_of(read(found, "payment_intent")),
        charge_id=id_of(read(found, "charge")),
        amount=Money(read(found, "amount")),
        currency=read(found, "currency"),
        reason=read(found, "reason") or "",
        network_reason_code=read(found, "network_reason_code") or "",
        due_by=moment(read(details, "due_by")),
        submissions=read(details, "submission_count") or 0,
        movements=_movements(found),
        opened_at=opened_at,
    )


def _movements(found: Any) -> tuple[DisputeMovement, ...]:
    """The dispute's balance transactions, in the charge's currency.

    Stripe's are in the currency in which the restaurant's account settles, because charges are on
    its behalf: https://docs.stripe.com/connect/destination-charges#settlement-merchant. The first
    of them takes the disputed amount, which says at which rate.
    """
    moved = read(found, "balance_transactions") or ()
    disputed, taken = Money(read(found, "amount")), Money(0)
    if moved and read(moved[0], "currency") != read(found, "currency"):
        taken = Money(abs(read(moved[0], "amount")))

    def in_currency_of_charge(amount: Money) -> Money:
        return amount.share(of=disputed, in_all=taken) if taken.cents else amount

    return tuple(
        DisputeMovement(
            movement_id=read(each, "id"),
            amount=in_currency_of_charge(Money(read(each, "amount"))),
            fee=in_currency_of_charge(Money(read(each, "fee") or 0)),
        )
        for each in moved
    )


def _warning(found: Any) -> FraudWarning:
    opened_at = moment(read(found, "created"))
    assert opened_at is not None
    return FraudWarning(
        warning_id=read(found, "id"),
        intent_id=id_of(read(found, "payment_intent")),
        fraud_type=read(found, "fraud_type") or "",
        is_actionable=bool(read(found, "actionable")),
        opened_at=opened_at,
    )
