"""Balances, transfers and their reversals, and payouts: who has which money, and what happens if it
doesn't suffice."""

from typing import Any

import pytest
import stripe

from tests.conformance.payments import AMOUNT, charge, charge_of, destination

DAY = 24 * 3600
FEE = 210  # cents
AVAILABLE_AT_ONCE = "pm_card_bypassPending"
NO_CLOCK = "a sandbox's clock can't be moved: test clocks are for billing only"
NO_EMPTYING = "a sandbox's balance can't be emptied on demand"
NO_BANK = "an Express account's bank is entered by its owner, so no test can choose one that fails"


def available(api: Any, account: str | None = None) -> int:
    options: Any = {"stripe_account": account} if account else {}
    parts = api.v1.balance.retrieve(options=options).available
    return sum(each.amount for each in parts if each.currency == "usd")


def transfer(api: Any, account: str, amount: int, **more: Any) -> Any:
    return api.v1.transfers.create(
        {"amount": amount, "currency": "usd", "destination": account, **more}
    )


def test_a_charge_that_skips_the_wait_is_available_at_once(api):
    before = available(api)
    latest: Any = charge_of(api, charge(api, AVAILABLE_AT_ONCE), "balance_transaction")
    assert latest.balance_transaction.status == "available"
    assert available(api) == before + latest.balance_transaction.net


@pytest.mark.local_only(because=NO_CLOCK)
def test_a_payment_is_pending_until_the_schedule_makes_it_available(api, server, account):
    charge(api, **destination(account, FEE))
    assert available(api, account) == 0
    server.control(advance=2 * DAY)
    assert available(api, account) == AMOUNT - FEE


@pytest.mark.local_only(because=NO_CLOCK)
def test_the_platform_keeps_the_fee_of_a_destination_charge(api, server, account):
    before = available(api)
    latest: Any = charge_of(
        api, charge(api, **destination(account, FEE)), "balance_transaction", "transfer"
    )
    assert available(api) == before
    server.control(advance=2 * DAY)
    assert available(api) == before + FEE - latest.balance_transaction.fee


def test_a_transfer_of_more_than_the_platform_has_is_refused(api, account):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        transfer(api, account, max(available(api), 0) + 100_000)
    assert refused.value.code == "balance_insufficient"


def test_a_transfer_out_of_a_charge_needs_no_balance(api, account):
    latest = charge_of(api, charge(api))
    made = transfer(api, account, AMOUNT, source_transaction=latest.id)
    assert (made.amount, made.source_transaction) == (AMOUNT, latest.id)


def test_a_transfer_is_reversed_in_parts_and_no_further(api, account):
    latest = charge_of(api, charge(api, **destination(account, FEE)), "transfer")
    for amount in (500, AMOUNT - 500):
        api.v1.transfers.reversals.create(latest.transfer.id, {"amount": amount})
    assert api.v1.transfers.retrieve(latest.transfer.id).reversed
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.transfers.reversals.create(latest.transfer.id, {"amount": 1})


@pytest.mark.local_only(because=NO_EMPTYING)
def test_reversing_a_transfer_of_a_group_needs_the_account_s_balance(api, server, account):
    charge(api, AVAILABLE_AT_ONCE)
    made = transfer(api, account, 900, transfer_group="du_1")
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.transfers.reversals.create(made.id, {"amount": 900})  # it is pending there
    assert refused.value.code == "balance_insufficient"
    server.control(advance=2 * DAY)
    assert api.v1.transfers.reversals.create(made.id, {"amount": 900}).amount == 900


@pytest.mark.local_only(because=NO_EMPTYING)
def test_a_refund_that_the_balance_does_not_cover_is_pending_until_it_does(api, server, account):
    intent = charge(api, **destination(account, FEE))
    server.control(platform_funds=0)
    refund = api.v1.refunds.create(
        {"payment_intent": intent.id, "reverse_transfer": True, "refund_application_fee": True}
    )
    assert (refund.status, refund.pending_reason) == ("pending", "insufficient_funds")
    server.control(advance=12 * 3600)
    assert api.v1.refunds.retrieve(refund.id).status == "pending"
    server.control(platform_funds=FEE)
    sent = api.v1.refunds.retrieve(refund.id)
    assert (sent.status, sent.pending_reason) == ("succeeded", None)
    assert available(api) == 0


@pytest.mark.local_only(because=NO_EMPTYING)
def test_a_refund_that_waits_for_the_balance_can_fail(api, server):
    intent = charge(api)
    server.control(platform_funds=0)
    refund = api.v1.refunds.create({"payment_intent": intent.id})
    server.control(fail_refund={"refund": refund.id, "reason": "insufficient_funds"})
    failed = api.v1.refunds.retrieve(refund.id)
    assert (failed.status, failed.failure_reason) == ("failed", "insufficient_funds")


@pytest.mark.local_only(because=NO_EMPTYING)
def test_a_refund_that_no_balance_covers_can_be_refused(api, server, account):
    """The platform's first, then the connected account's, which was paid out."""
    intent = charge(api, **destination(account, FEE))
    refund = {"payment_intent": intent.id, "reverse_transfer": True, "refund_application_fee": True}
    server.control(refuse_uncovered=True, platform_funds=0)
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.refunds.create(refund)
    assert refused.value.code == "balance_insufficient"
    server.control(advance=2 * DAY, platform_funds=100_000)
    api.v1.payouts.create(
        {"amount": AMOUNT - FEE, "currency": "usd"}, options={"stripe_account": account}
    )
    transferred = charge_of(api, intent, "transfer").transfer.id
    for take_back in (
        lambda: api.v1.refunds.create(refund),
        lambda: api.v1.transfers.reversals.create(transferred, {"amount": 1}),
    ):
        with pytest.raises(stripe.InvalidRequestError) as refused:
            take_back()
        assert refused.value.code == "balance_insufficient"
    assert available(api, account) == 0
    assert api.v1.refunds.list({"payment_intent": intent.id}).data == []
    server.control(refuse_uncovered=False)
    assert api.v1.refunds.create(refund).status == "succeeded"


@pytest.mark.local_only(because=NO_CLOCK)
def test_a_refund_after_the_payout_leaves_the_account_negative(api, server, account):
    intent = charge(api, **destination(account, FEE))
    server.control(advance=2 * DAY)
    api.v1.payouts.create(
        {"amount": AMOUNT - FEE, "currency": "usd"}, options={"stripe_account": account}
    )
    api.v1.refunds.create(
        {"payment_intent": intent.id, "reverse_transfer": True, "refund_application_fee": True}
    )
    assert available(api, account) == FEE - AMOUNT


def test_a_payout_of_more_than_the_account_has_is_refused(api, account):
    options: Any = {"stripe_account": account}
    amount = max(available(api, account), 0) + 100_000
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payouts.create({"amount": amount, "currency": "usd"}, options=options)
    assert refused.value.code == "balance_insufficient"


@pytest.mark.local_only(because=NO_BANK)
@pytest.mark.parametrize("code", ["account_closed", "no_account", "could_not_process"])
def test_a_payout_that_fails_returns_the_money_and_says_why(api, server, account, code):
    options: Any = {"stripe_account": account}
    charge(api, AVAILABLE_AT_ONCE, **destination(account, FEE))
    payout = api.v1.payouts.create({"amount": 1000, "currency": "usd"}, options=options)
    assert available(api, account) == AMOUNT - FEE - 1000
    server.control(fail_payout={"payout": payout.id, "code": code})
    failed = api.v1.payouts.retrieve(payout.id, options=options)
    assert (failed.status, failed.failure_code) == ("failed", code)
    assert failed.failure_balance_transaction
    assert available(api, account) == AMOUNT - FEE
    events = api.v1.events.list({"types": ["payout.failed"]}, options=options).data
    assert [event.data.object["id"] for event in events] == [payout.id]


def test_the_platform_s_transactions_are_listed_newest_first_with_their_sources(api, account):
    """What the reconciler reads; a sandbox lists what others do too, so it looks for its own."""
    latest: Any = charge_of(api, charge(api, **destination(account, FEE)), "balance_transaction")
    made = latest.balance_transaction
    window: Any = {"created": {"gte": made.created - 60}, "expand": ["data.source"], "limit": 100}
    page = api.v1.balance_transactions.list(window)
    times = [each.created for each in page.data]
    assert times == sorted(times, reverse=True)
    found = {each.type: each for each in page.data if _belongs(each.source, latest)}
    assert set(found) == {"charge", "transfer", "application_fee"}
    source: Any = found["charge"].source
    assert (found["charge"].id, source.payment_intent) == (made.id, latest.payment_intent)
    assert (source.amount_captured, source.application_fee_amount) == (AMOUNT, FEE)
    moved: Any = found["transfer"].source
    assert (moved.amount, moved.destination) == (AMOUNT, account)
    assert found["transfer"].net == -AMOUNT
    assert found["application_fee"].net == FEE


def _belongs(source: Any, latest: Any) -> bool:
    names = ("id", "source_transaction", "originating_transaction")
    return latest.id in [getattr(source, name, None) for name in names]


def test_the_list_of_transactions_continues_after_the_last_one_read(api):
    for _ in range(2):
        charge(api)
    first = api.v1.balance_transactions.list({"limit": 1})
    assert first.has_more
    after = api.v1.balance_transactions.list({"limit": 1, "starting_after": first.data[0].id})
    assert after.data[0].id != first.data[0].id
    assert after.data[0].created <= first.data[0].created


def test_a_charge_s_transaction_is_created_when_it_is_captured(api, account):
    """The charge itself is as old as its authorization."""
    latest: Any = charge_of(api, charge(api, **destination(account, FEE)), "balance_transaction")
    assert latest.balance_transaction.created >= latest.created
