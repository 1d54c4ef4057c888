"""Refunds of charges and of destination charges: at once, pending, and failing later."""

from typing import Any

import pytest
import stripe

from tests.conformance.payments import (
    AMOUNT,
    authorize,
    charge,
    charge_of,
    destination,
    event_types,
)

PENDING_THEN_SUCCEEDED = "pm_card_pendingRefund"
SUCCEEDED_THEN_FAILED = "pm_card_refundFail"
FEE = 210  # cents


def test_no_more_than_was_captured_can_be_refunded(api):
    intent = authorize(api)
    api.v1.payment_intents.capture(intent.id, {"amount_to_capture": 1200})
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.refunds.create({"payment_intent": intent.id, "amount": 1201})
    api.v1.refunds.create({"payment_intent": intent.id, "amount": 500})
    latest = charge_of(api, intent)
    assert (latest.amount_refunded, latest.refunded) == (500, False)
    api.v1.refunds.create({"payment_intent": intent.id})
    latest = charge_of(api, intent)
    assert (latest.amount_refunded, latest.refunded) == (1200, True)


def test_a_fully_refunded_charge_refuses_another_refund(api):
    intent = charge(api)
    api.v1.refunds.create({"payment_intent": intent.id})
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.refunds.create({"payment_intent": intent.id})
    assert refused.value.code == "charge_already_refunded"


def test_an_uncaptured_intent_has_nothing_to_refund(api):
    intent = authorize(api)
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.refunds.create({"payment_intent": intent.id})


def test_a_charge_lists_its_refunds_when_expanded(api):
    intent = charge(api)
    refund = api.v1.refunds.create({"payment_intent": intent.id, "amount": 500})
    found: Any = api.v1.payment_intents.retrieve(
        intent.id, {"expand": ["latest_charge.refunds"]}
    ).latest_charge
    assert [(each.id, each.amount, each.status) for each in found.refunds.data] == [
        (refund.id, 500, "succeeded")
    ]


def test_a_refund_takes_its_share_of_the_transfer_and_of_the_fee(api, account):
    intent = charge(api, **destination(account, FEE))
    half = {
        "payment_intent": intent.id,
        "amount": AMOUNT // 2,
        "reverse_transfer": True,
        "refund_application_fee": True,
    }
    api.v1.refunds.create(half)
    latest = charge_of(api, intent, "transfer", "application_fee")
    assert latest.transfer.amount_reversed == AMOUNT // 2
    assert latest.application_fee.amount_refunded == FEE // 2
    api.v1.refunds.create(half)
    latest = charge_of(api, intent, "transfer", "application_fee")
    assert (latest.transfer.amount_reversed, latest.transfer.reversed) == (AMOUNT, True)
    assert latest.application_fee.amount_refunded == FEE


def test_the_fee_of_a_third_is_rounded_half_up(api, account):
    intent = charge(api, **destination(account, FEE))
    api.v1.refunds.create(
        {
            "payment_intent": intent.id,
            "amount": 333,  # 34.965 of the fee
            "reverse_transfer": True,
            "refund_application_fee": True,
        }
    )
    assert charge_of(api, intent, "application_fee").application_fee.amount_refunded == 35


def test_a_refund_can_be_pending_and_succeed_later(api, target):
    intent = charge(api, PENDING_THEN_SUCCEEDED)
    refund = api.v1.refunds.create({"payment_intent": intent.id})
    assert refund.status == "pending"
    target.wait_for(lambda: api.v1.refunds.retrieve(refund.id).status == "succeeded")
    target.wait_for(lambda: "refund.updated" in event_types(api, refund.id, "refund.updated"))


def test_a_pending_refund_counts_as_refunded(api):
    intent = charge(api, PENDING_THEN_SUCCEEDED)
    api.v1.refunds.create({"payment_intent": intent.id})
    assert charge_of(api, intent).amount_refunded == AMOUNT


def test_a_refund_can_fail_after_it_succeeded(api, target):
    intent = charge(api, SUCCEEDED_THEN_FAILED)
    refund = api.v1.refunds.create({"payment_intent": intent.id})
    assert refund.status == "succeeded"
    target.wait_for(lambda: api.v1.refunds.retrieve(refund.id).status == "failed")
    failed = api.v1.refunds.retrieve(refund.id)
    assert failed.failure_reason == "expired_or_canceled_card"
    assert failed.failure_balance_transaction
    target.wait_for(lambda: "refund.failed" in event_types(api, refund.id, "refund.failed"))


def test_a_failed_refund_does_not_count_as_refunded(api, target):
    intent = charge(api, SUCCEEDED_THEN_FAILED)
    refund = api.v1.refunds.create({"payment_intent": intent.id})
    target.wait_for(lambda: api.v1.refunds.retrieve(refund.id).status == "failed")
    latest = charge_of(api, intent)
    assert (latest.amount_refunded, latest.refunded) == (0, False)


def test_a_failed_refund_leaves_the_transfer_reversed(api, target, account):
    intent = charge(api, SUCCEEDED_THEN_FAILED, **destination(account, FEE))
    refund = api.v1.refunds.create(
        {"payment_intent": intent.id, "reverse_transfer": True, "refund_application_fee": True}
    )
    target.wait_for(lambda: api.v1.refunds.retrieve(refund.id).status == "failed")
    latest = charge_of(api, intent, "transfer", "application_fee")
    assert latest.transfer.amount_reversed == AMOUNT
    assert latest.application_fee.amount_refunded == FEE
