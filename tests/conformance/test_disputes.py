"""Disputes, inquiries, and early fraud warnings, with the test cards that cause them.

https://docs.stripe.com/testing#disputes
"""

from typing import Any

import pytest
import stripe

from tests.conformance.payments import AMOUNT, authorize, charge, charge_of

FRAUDULENT = "pm_card_createDispute"
NOT_RECEIVED = "pm_card_createDisputeProductNotReceived"
INQUIRY = "pm_card_createDisputeInquiry"
FRAUD_WARNING = "pm_card_createIssuerFraudRecord"
MULTIPLE = "pm_card_createMultipleDisputes"


def disputes_of(api: Any, intent: Any) -> list[Any]:
    return list(api.v1.disputes.list({"payment_intent": intent.id}).data)


def disputed(api: Any, target: Any, method: str) -> tuple[Any, Any]:
    """A charge and its dispute."""
    intent = charge(api, method)
    target.wait_for(lambda: bool(disputes_of(api, intent)))
    (dispute,) = disputes_of(api, intent)
    return intent, dispute


def status_of(api: Any, dispute: Any) -> str:
    return str(api.v1.disputes.retrieve(dispute.id).status)


def answer(api: Any, dispute: Any, text: str) -> Any:
    return api.v1.disputes.update(dispute.id, {"evidence": {"uncategorized_text": text}})


def moves(api: Any, dispute: Any) -> list[tuple[int, str]]:
    found = api.v1.disputes.retrieve(dispute.id).balance_transactions
    return [(each.amount, each.reporting_category) for each in found]


@pytest.mark.parametrize(
    ("method", "reason"), [(FRAUDULENT, "fraudulent"), (NOT_RECEIVED, "product_not_received")]
)
def test_a_test_card_is_disputed_once_its_charge_succeeded(api, target, method, reason):
    intent, dispute = disputed(api, target, method)
    assert (dispute.reason, dispute.status, dispute.amount) == (reason, "needs_response", AMOUNT)
    assert not dispute.is_charge_refundable
    assert moves(api, dispute) == [(-AMOUNT, "dispute")]
    assert charge_of(api, intent).disputed


def test_a_hold_is_disputed_only_once_it_is_captured(api, target):
    intent = authorize(api, FRAUDULENT)
    assert disputes_of(api, intent) == []
    api.v1.payment_intents.capture(intent.id)
    target.wait_for(lambda: bool(disputes_of(api, intent)))


def test_a_disputed_charge_cannot_be_refunded(api, target):
    intent, _ = disputed(api, target, FRAUDULENT)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.refunds.create({"payment_intent": intent.id})
    assert refused.value.code == "charge_disputed"


def test_winning_evidence_returns_the_amount_and_allows_a_refund(api, target):
    intent, dispute = disputed(api, target, FRAUDULENT)
    answer(api, dispute, "winning_evidence")
    target.wait_for(lambda: status_of(api, dispute) == "won")
    assert sorted(moves(api, dispute)) == [(-AMOUNT, "dispute"), (AMOUNT, "dispute_reversal")]
    assert api.v1.refunds.create({"payment_intent": intent.id, "amount": 100}).amount == 100


def test_winning_keeps_the_fee_for_receiving_a_dispute(api, target):
    _, dispute = disputed(api, target, FRAUDULENT)
    answer(api, dispute, "winning_evidence")
    target.wait_for(lambda: status_of(api, dispute) == "won")
    found = api.v1.disputes.retrieve(dispute.id).balance_transactions
    assert sorted(each.fee for each in found) == [0, 1500]


def test_losing_evidence_returns_nothing(api, target):
    _, dispute = disputed(api, target, FRAUDULENT)
    answer(api, dispute, "losing_evidence")
    target.wait_for(lambda: status_of(api, dispute) == "lost")
    assert moves(api, dispute) == [(-AMOUNT, "dispute")]


def test_other_evidence_is_under_review(api, target):
    _, dispute = disputed(api, target, FRAUDULENT)
    submitted = answer(api, dispute, "They picked it up.")
    assert (submitted.status, submitted.evidence_details.submission_count) == ("under_review", 1)


def test_a_closed_dispute_is_lost_and_takes_no_evidence(api, target):
    _, dispute = disputed(api, target, FRAUDULENT)
    assert api.v1.disputes.close(dispute.id).status == "lost"
    with pytest.raises(stripe.InvalidRequestError):
        answer(api, dispute, "They picked it up.")


def test_an_inquiry_moves_nothing_and_its_charge_can_be_refunded(api, target):
    intent, inquiry = disputed(api, target, INQUIRY)
    assert (inquiry.status, moves(api, inquiry)) == ("warning_needs_response", [])
    assert inquiry.is_charge_refundable
    assert api.v1.refunds.create({"payment_intent": intent.id, "amount": 100}).status == "succeeded"


def test_an_escalated_inquiry_is_the_same_dispute(api, target):
    intent, inquiry = disputed(api, target, INQUIRY)
    answer(api, inquiry, "escalate_inquiry_evidence")
    target.wait_for(lambda: status_of(api, inquiry) == "needs_response")
    assert [each.id for each in disputes_of(api, intent)] == [inquiry.id]
    target.wait_for(lambda: moves(api, inquiry) == [(-AMOUNT, "dispute")])


def test_a_refund_that_a_dispute_overtakes_fails(api, target):
    intent, inquiry = disputed(api, target, INQUIRY)
    refund = api.v1.refunds.create({"payment_intent": intent.id, "amount": 500})
    answer(api, inquiry, "escalate_inquiry_evidence")
    target.wait_for(lambda: api.v1.refunds.retrieve(refund.id).status == "failed")
    failed = api.v1.refunds.retrieve(refund.id)
    assert failed.failure_reason == "charge_for_pending_refund_disputed"


def test_a_fraud_warning_is_actionable_until_the_charge_is_refunded(api, target):
    intent = charge(api, FRAUD_WARNING)

    def warnings() -> list[Any]:
        return list(api.v1.radar.early_fraud_warnings.list({"payment_intent": intent.id}).data)

    target.wait_for(lambda: bool(warnings()))
    assert [each.actionable for each in warnings()] == [True]
    api.v1.refunds.create({"payment_intent": intent.id})
    target.wait_for(lambda: [each.actionable for each in warnings()] == [False])


def test_a_charge_can_be_disputed_more_than_once(api, target):
    intent = charge(api, MULTIPLE)
    target.wait_for(lambda: len(disputes_of(api, intent)) > 1)
    assert sum(each.amount for each in disputes_of(api, intent)) <= AMOUNT
