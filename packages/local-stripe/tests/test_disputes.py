"""Disputes, inquiries, early fraud warnings, evidence, and reversed transfers."""

import io
from collections.abc import Callable
from typing import Any

import pytest
import stripe
from local_stripe.resources.charges import processing_fee
from local_stripe.testing import LocalStripe

DAY = 24 * 3600
FRAUDULENT, NOT_RECEIVED = "4000000000000259", "4000000000002685"
INQUIRY, WARNING, MULTIPLE = "4000000000001976", "4000000000005423", "4000000404000079"
Hold = Callable[..., str]


@pytest.fixture
def capture(api: stripe.StripeClient, hold: Hold) -> Callable[[str], str]:
    def charge(number: str) -> str:
        return api.v1.payment_intents.capture(hold(number), {"application_fee_amount": 100}).id

    return charge


def the_dispute(api: stripe.StripeClient, intent: str) -> Any:
    (dispute,) = api.v1.disputes.list({"payment_intent": intent}).data
    return dispute


def types(server: LocalStripe, about: str) -> list[str]:
    return [each["type"] for each in server.look(500)["events"] if each["object"] == about]


def moves(dispute: Any) -> list[tuple[int, int, str]]:
    return [
        (each.amount, each.fee, each.reporting_category) for each in dispute.balance_transactions
    ]


def submit(api: stripe.StripeClient, dispute: Any, text: str, **more: Any) -> Any:
    return api.v1.disputes.update(
        dispute.id,
        {"evidence": {"uncategorized_text": text}, **more},  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("number", "reason"), [(FRAUDULENT, "fraudulent"), (NOT_RECEIVED, "product_not_received")]
)
def test_test_card_is_disputed_once_it_is_charged(
    server: LocalStripe,
    api: stripe.StripeClient,
    hold: Hold,
    capture: Callable[[str], str],
    number: str,
    reason: str,
) -> None:
    held = hold(number)
    assert api.v1.disputes.list({"payment_intent": held}).data == []
    dispute = the_dispute(api, capture(number))
    assert (dispute.reason, dispute.status, dispute.amount) == (reason, "needs_response", 2000)
    assert dispute.evidence_details.due_by == dispute.created + 14 * DAY
    assert not dispute.is_charge_refundable
    assert moves(dispute) == [(-2000, 1500, "dispute")]
    assert types(server, dispute.id) == ["charge.dispute.created", "charge.dispute.funds_withdrawn"]
    assert api.v1.charges.retrieve(dispute.charge).disputed


def test_platform_is_debited_and_the_transfer_stays(
    api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = the_dispute(api, capture(FRAUDULENT))
    charge: Any = api.v1.charges.retrieve(dispute.charge, {"expand": ["transfer"]})
    assert (charge.transfer.amount, charge.transfer.amount_reversed) == (2000, 0)
    net = sum(each.net for each in api.v1.balance_transactions.list({"limit": 100}).data)
    # The charge, less the transfer, and the fee; then the dispute.
    assert net == 2000 - processing_fee(2000) - 2000 + 100 - 2000 - 1500


def test_disputed_charge_refuses_refunds(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    intent = capture(FRAUDULENT)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.refunds.create({"payment_intent": intent})
    assert refused.value.code == "charge_disputed"
    dispute = the_dispute(api, intent)
    server.control(decide_dispute={"dispute": dispute.id, "outcome": "lost"})
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.refunds.create({"payment_intent": intent})


@pytest.mark.parametrize(
    ("text", "status", "after", "kinds"),
    [
        (
            "winning_evidence",
            "won",
            [(-2000, 1500, "dispute"), (2000, 0, "dispute_reversal")],
            ["updated", "funds_reinstated", "closed"],
        ),
        ("losing_evidence", "lost", [(-2000, 1500, "dispute")], ["updated", "closed"]),
        ("They came.", "under_review", [(-2000, 1500, "dispute")], ["updated"]),
    ],
)
def test_evidence_decides_a_test_dispute(
    server: LocalStripe,
    api: stripe.StripeClient,
    capture: Callable[[str], str],
    text: str,
    status: str,
    after: list[tuple[int, int, str]],
    kinds: list[str],
) -> None:
    dispute = submit(api, the_dispute(api, capture(FRAUDULENT)), text)
    assert (dispute.status, moves(dispute)) == (status, after)
    assert dispute.evidence_details.submission_count == 1
    assert types(server, dispute.id)[2:] == [f"charge.dispute.{kind}" for kind in kinds]
    with pytest.raises(stripe.InvalidRequestError):
        submit(api, dispute, "more")


def test_evidence_can_be_staged_and_submitted_later(
    api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = submit(api, the_dispute(api, capture(FRAUDULENT)), "They came.", submit=False)
    assert (dispute.status, dispute.evidence_details.has_evidence) == ("needs_response", True)
    dispute = api.v1.disputes.update(dispute.id, {"submit": True})
    assert (dispute.status, dispute.evidence.uncategorized_text) == ("under_review", "They came.")


def test_fee_can_be_returned_when_a_dispute_is_won(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = the_dispute(api, capture(FRAUDULENT))
    server.control(decide_dispute={"dispute": dispute.id, "outcome": "won", "return_fee": True})
    won = api.v1.disputes.retrieve(dispute.id)
    assert moves(won)[1] == (2000, -1500, "dispute_reversal")


def test_dispute_that_nobody_answers_is_lost(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = the_dispute(api, capture(FRAUDULENT))
    server.control(advance=14 * DAY)
    assert api.v1.disputes.retrieve(dispute.id).status == "lost"
    assert types(server, dispute.id)[-1] == "charge.dispute.closed"


def test_closing_a_dispute_accepts_it(
    api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = api.v1.disputes.close(the_dispute(api, capture(NOT_RECEIVED)).id)
    assert (dispute.status, moves(dispute)) == ("lost", [(-2000, 1500, "dispute")])
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.disputes.close(dispute.id)


def test_inquiry_moves_no_money_and_can_be_refunded(
    api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    intent = capture(INQUIRY)
    inquiry = the_dispute(api, intent)
    assert (inquiry.status, moves(inquiry)) == ("warning_needs_response", [])
    assert inquiry.is_charge_refundable
    api.v1.refunds.create({"payment_intent": intent})
    assert the_dispute(api, intent).status == "warning_closed"


def test_inquiry_is_closed_after_120_days(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    inquiry = the_dispute(api, capture(INQUIRY))
    server.control(advance=119 * DAY)
    assert api.v1.disputes.retrieve(inquiry.id).status == "warning_needs_response"
    server.control(advance=DAY)
    assert api.v1.disputes.retrieve(inquiry.id).status == "warning_closed"


def test_inquiry_can_escalate(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    inquiry = the_dispute(api, capture(INQUIRY))
    dispute = submit(api, inquiry, "escalate_inquiry_evidence")
    assert (dispute.status, moves(dispute)) == ("needs_response", [(-2000, 1500, "dispute")])
    assert not dispute.is_charge_refundable
    assert types(server, dispute.id)[-2:] == [
        "charge.dispute.updated",
        "charge.dispute.funds_withdrawn",
    ]


def test_charge_can_be_disputed_twice(
    api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    disputes = api.v1.disputes.list({"payment_intent": capture(MULTIPLE)}).data
    assert [each.amount for each in disputes] == [1000, 1000]


def test_charge_can_be_disputed_by_command(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    intent = capture("4242424242424242")
    made = server.control(dispute={"payment_intent": intent, "reason": "duplicate", "amount": 700})
    dispute = api.v1.disputes.retrieve(made["dispute"])
    assert (dispute.reason, dispute.amount, moves(dispute)) == (
        "duplicate",
        700,
        [(-700, 1500, "dispute")],
    )


def test_early_fraud_warning_is_actionable_until_the_charge_is_refunded(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    intent = capture(WARNING)
    (warning,) = api.v1.radar.early_fraud_warnings.list({"payment_intent": intent}).data
    assert warning.actionable
    api.v1.refunds.create({"payment_intent": intent})
    assert not api.v1.radar.early_fraud_warnings.retrieve(warning.id).actionable
    assert types(server, warning.id) == [
        "radar.early_fraud_warning.created",
        "radar.early_fraud_warning.updated",
    ]


def test_dispute_ends_an_early_fraud_warning(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    intent = capture("4242424242424242")
    warned = server.control(warn_of_fraud={"payment_intent": intent})["warn_of_fraud"]
    server.control(dispute={"payment_intent": intent})
    assert not api.v1.radar.early_fraud_warnings.retrieve(warned).actionable


def test_evidence_file_is_uploaded_and_named_in_the_evidence(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = the_dispute(api, capture(NOT_RECEIVED))
    files = stripe.StripeClient(
        server.secret_key, base_addresses={"api": server.base_url, "files": server.base_url}
    )
    content = io.BytesIO(b"%PDF-1.7 evidence")
    content.name = "evidence.pdf"
    file = files.v1.files.create({"purpose": "dispute_evidence", "file": content})
    assert (file.filename, file.type, file.size) == ("evidence.pdf", "pdf", 17)
    done = api.v1.disputes.update(dispute.id, {"evidence": {"service_documentation": file.id}})
    assert (done.status, done.evidence.service_documentation) == ("under_review", file.id)
    other = the_dispute(api, capture(NOT_RECEIVED))
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.disputes.update(other.id, {"evidence": {"receipt": "file_unknown"}})
    text = io.BytesIO(b"evidence")
    text.name = "evidence.txt"
    with pytest.raises(stripe.InvalidRequestError):
        files.v1.files.create({"purpose": "dispute_evidence", "file": text})


def test_transfer_is_reversed_with_its_share_of_the_application_fee(
    api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    charge: Any = api.v1.charges.list({"payment_intent": capture("4242424242424242")}).data[0]
    reversal = api.v1.transfers.reversals.create(
        charge.transfer,
        {"amount": 500, "refund_application_fee": True, "metadata": {"dispute": "du_1"}},
    )
    assert (reversal.amount, reversal.transfer) == (500, charge.transfer)
    fee = api.v1.application_fees.retrieve(charge.application_fee)
    assert (fee.amount, fee.amount_refunded) == (100, 25)
    listed = api.v1.transfers.reversals.list(charge.transfer).data
    assert [each.metadata.to_dict() for each in listed if each.metadata] == [{"dispute": "du_1"}]
    api.v1.transfers.reversals.create(charge.transfer, {"refund_application_fee": True})
    assert api.v1.transfers.retrieve(charge.transfer).reversed
    assert api.v1.application_fees.retrieve(charge.application_fee).refunded
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.transfers.reversals.create(charge.transfer)


def test_platform_can_transfer_money_to_an_account(api: stripe.StripeClient, account: str) -> None:
    made = api.v1.transfers.create(
        {"amount": 900, "currency": "usd", "destination": account, "transfer_group": "du_1"}
    )
    listed = api.v1.transfers.list({"transfer_group": "du_1"}).data
    assert [(each.id, each.amount) for each in listed] == [(made.id, 900)]


def test_a_refund_that_a_dispute_overtakes_fails(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    intent = capture(INQUIRY)
    earlier = api.v1.refunds.create({"payment_intent": intent, "amount": 300})
    server.control(advance=3600)
    refund = api.v1.refunds.create({"payment_intent": intent, "amount": 500})
    submit(api, the_dispute(api, intent), "escalate_inquiry_evidence")
    failed = api.v1.refunds.retrieve(refund.id)
    assert (failed.status, failed.failure_reason) == (
        "failed",
        "charge_for_pending_refund_disputed",
    )
    assert api.v1.refunds.retrieve(earlier.id).status == "succeeded"
    assert types(server, refund.id)[-1] == "refund.failed"


def test_a_lost_dispute_can_still_be_won(
    server: LocalStripe, api: stripe.StripeClient, capture: Callable[[str], str]
) -> None:
    dispute = the_dispute(api, capture(FRAUDULENT))
    for outcome in ("lost", "won"):
        server.control(decide_dispute={"dispute": dispute.id, "outcome": outcome})
    won = api.v1.disputes.retrieve(dispute.id)
    assert (won.status, moves(won)) == (
        "won",
        [(-2000, 1500, "dispute"), (2000, 0, "dispute_reversal")],
    )
