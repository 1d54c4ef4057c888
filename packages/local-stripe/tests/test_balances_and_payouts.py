"""Balances, payouts, countries, and accounts that lose what they could do."""

from collections.abc import Callable
from typing import Any

import pytest
import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import open_account

DAY = 86_400
FEE = 300


def opened(
    server: LocalStripe, api: stripe.StripeClient, country: str = "US", interval: str = "manual"
) -> str:
    params: Any = {
        "type": "express",
        "country": country,
        "capabilities": {"card_payments": {"requested": True}, "transfers": {"requested": True}},
        "settings": {"payouts": {"schedule": {"interval": interval}}},
    }
    account = api.v1.accounts.create(params)
    server.control(onboard=account.id)
    return str(account.id)


def charge(
    api: stripe.StripeClient,
    account: str,
    amount: int = 2000,
    currency: str = "usd",
    on_behalf: bool = True,
) -> Any:
    params: Any = {
        "amount": amount,
        "currency": currency,
        "payment_method": "pm_card_visa",
        "payment_method_types": ["card"],
        "confirm": True,
        "transfer_data": {"destination": account},
        "application_fee_amount": FEE,
    }
    if on_behalf:
        params["on_behalf_of"] = account
    return api.v1.payment_intents.create(params)


def balance(api: stripe.StripeClient, account: str) -> tuple[int, int]:
    """Available and pending, in the account's own currency."""
    found = api.v1.balance.retrieve(options={"stripe_account": account})
    return found.available[0].amount, found.pending[0].amount


def pay_out(api: stripe.StripeClient, account: str, amount: int, **more: Any) -> Any:
    params: Any = {"amount": amount, "currency": "usd", **more}
    return api.v1.payouts.create(params, options={"stripe_account": account})


def events(server: LocalStripe, kind: str) -> list[str]:
    return [each["object"] for each in server.look()["events"] if each["type"] == kind]


def refused(call: Callable[[], Any]) -> stripe.InvalidRequestError:
    with pytest.raises(stripe.InvalidRequestError) as refusal:
        call()
    return refusal.value


# --- balances --------------------------------------------------------------------------------


def test_a_payment_is_pending_until_the_account_s_delay_is_over(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    charge(api, account)
    assert balance(api, account) == (0, 1700)
    server.control(advance=2 * DAY)
    assert balance(api, account) == (1700, 0)


def test_the_connected_account_s_transaction_shows_the_fee(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    intent = charge(api, account)
    found: Any = api.v1.charges.retrieve(intent.latest_charge, {"expand": ["transfer"]})
    paid = found.transfer.destination_payment
    listed = api.v1.balance_transactions.list(
        {"source": paid}, options={"stripe_account": account}
    ).data
    assert [(each.type, each.amount, each.fee, each.net, each.status) for each in listed] == [
        ("payment", 2000, FEE, 1700, "pending")
    ]


def test_a_refund_after_the_payout_leaves_the_account_negative(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    intent = charge(api, account)
    server.control(advance=2 * DAY)
    pay_out(api, account, 1700)
    api.v1.refunds.create(
        {
            "payment_intent": intent.id,
            "reverse_transfer": True,
            "refund_application_fee": True,
        }
    )
    assert balance(api, account) == (-1700, 0)


def test_a_payment_in_another_currency_arrives_converted(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api, country="GB")
    charge(api, account, currency="eur", on_behalf=False)
    found = api.v1.balance_transactions.list({}, options={"stripe_account": account}).data[0]
    assert (found.currency, found.exchange_rate) == ("gbp", 0.846154)
    assert (found.amount, found.fee, found.net) == (1692, 254, 1438)


def test_a_charge_on_behalf_of_an_account_settles_in_the_accounts_currency(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api, country="GB")
    intent = charge(api, account, currency="eur")
    made: Any = api.v1.charges.retrieve(
        str(intent.latest_charge),
        {"expand": ["transfer.destination_payment", "balance_transaction", "application_fee"]},
    )
    assert (made.amount, made.currency) == (2000, "eur")
    assert (made.balance_transaction.amount, made.balance_transaction.currency) == (1692, "gbp")
    assert (made.transfer.amount, made.transfer.currency) == (1692, "gbp")
    assert (made.application_fee.amount, made.application_fee.currency) == (300, "eur")
    api.v1.refunds.create({"payment_intent": intent.id, "amount": 1000, "reverse_transfer": True})
    assert api.v1.transfers.retrieve(made.transfer.id).amount_reversed == 846
    server.control(dispute={"payment_intent": intent.id, "amount": 500})
    dispute: Any = api.v1.disputes.list({"payment_intent": intent.id}).data[0]
    (taken,) = dispute.balance_transactions
    assert (dispute.amount, dispute.currency) == (500, "eur")
    # The dispute's own fee is a price of the currency it settles in.
    assert (taken.amount, taken.fee, taken.currency) == (-423, 1500, "gbp")


# --- payouts ---------------------------------------------------------------------------------


def test_a_payout_is_pending_and_arrives_two_days_later(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    charge(api, account)
    server.control(advance=2 * DAY)
    payout = pay_out(api, account, 1700, metadata={"ours": "7"})
    assert (payout.status, payout.automatic, payout.amount) == ("pending", False, 1700)
    assert balance(api, account) == (0, 0)
    server.control(advance=2 * DAY)
    options: Any = {"stripe_account": account}
    assert api.v1.payouts.retrieve(payout.id, options=options).status == "paid"
    assert events(server, "payout.created") == events(server, "payout.paid") == [payout.id]
    listed: Any = api.v1.payouts.list({}, options=options).data
    assert listed[0].metadata["ours"] == "7"


def test_more_than_is_available_is_refused(server: LocalStripe, api: stripe.StripeClient) -> None:
    account = opened(server, api)
    charge(api, account)
    refusal = refused(lambda: pay_out(api, account, 1700))
    assert refusal.code == "balance_insufficient"
    assert balance(api, account) == (0, 1700)


def test_a_paid_payout_can_still_fail_and_the_money_returns(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    charge(api, account)
    server.control(advance=2 * DAY)
    payout = pay_out(api, account, 1700)
    server.control(advance=2 * DAY)
    server.control(fail_payout={"payout": payout.id, "code": "account_closed"})
    failed = api.v1.payouts.retrieve(payout.id, options={"stripe_account": account})
    assert (failed.status, failed.failure_code) == ("failed", "account_closed")
    assert failed.failure_balance_transaction
    assert balance(api, account) == (1700, 0)
    assert events(server, "payout.failed") == [payout.id]


def test_a_pending_payout_can_be_canceled(server: LocalStripe, api: stripe.StripeClient) -> None:
    account = opened(server, api)
    charge(api, account)
    server.control(advance=2 * DAY)
    payout = pay_out(api, account, 700)
    canceled = api.v1.payouts.cancel(payout.id, options={"stripe_account": account})
    assert canceled.status == "canceled"
    assert balance(api, account) == (1700, 0)


def test_a_daily_schedule_pays_out_what_is_available_and_names_it(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api, interval="daily")
    charge(api, account)
    server.control(advance=2 * DAY)
    options: Any = {"stripe_account": account}
    [payout] = api.v1.payouts.list({}, options=options).data
    assert (payout.amount, payout.automatic) == (1700, True)
    listed = api.v1.balance_transactions.list({"payout": payout.id}, options=options).data
    assert [(each.type, each.net) for each in listed] == [("payment", 1700)]


def test_a_manual_schedule_pays_out_nothing_by_itself(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    charge(api, account)
    server.control(advance=30 * DAY)
    assert api.v1.payouts.list({}, options={"stripe_account": account}).data == []


def test_the_schedule_can_be_changed_and_the_least_delay_is_the_country_s(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api, country="PT", interval="daily")
    read: Any = api.v1.accounts.retrieve(account)
    schedule = read.settings.payouts.schedule
    assert (schedule.interval, schedule.delay_days) == ("daily", 3)
    api.v1.accounts.update(account, {"settings": {"payouts": {"schedule": {"interval": "manual"}}}})
    read = api.v1.accounts.retrieve(account)
    schedule = read.settings.payouts.schedule
    assert (schedule.interval, schedule.delay_days) == ("manual", 3)
    wrong: Any = {"settings": {"payouts": {"schedule": {"delay_days": 1}}}}
    assert refused(lambda: api.v1.accounts.update(account, wrong)).param


# --- countries -------------------------------------------------------------------------------


@pytest.mark.parametrize(("country", "currency"), [("PT", "eur"), ("CA", "cad"), ("JP", "jpy")])
def test_an_account_settles_in_its_country_s_currency(
    server: LocalStripe, api: stripe.StripeClient, country: str, currency: str
) -> None:
    account = api.v1.accounts.retrieve(opened(server, api, country=country))
    assert (account.country, account.default_currency) == (country, currency)


@pytest.mark.parametrize(
    ("country", "code"), [("AR", "country_unsupported"), ("USA", "country_code_invalid")]
)
def test_an_account_elsewhere_is_refused(
    server: LocalStripe, api: stripe.StripeClient, country: str, code: str
) -> None:
    params: Any = {"type": "express", "country": country}
    assert refused(lambda: api.v1.accounts.create(params)).code == code


# --- restrictions ----------------------------------------------------------------------------


def test_a_restricted_account_cannot_be_charged_for_captured_for_or_paid_out(
    server: LocalStripe, api: stripe.StripeClient, hold: Callable[..., str], account: str
) -> None:
    charge(api, account)
    server.control(advance=3 * DAY)
    authorized = hold()
    server.control(restrict={"account": account})
    found: Any = api.v1.accounts.retrieve(account)
    assert not found.charges_enabled
    assert not found.payouts_enabled
    assert found.requirements.disabled_reason == "requirements.past_due"
    assert found.requirements.past_due == ["individual.verification.document"]
    refusal = refused(lambda: api.v1.payment_intents.capture(authorized))
    assert refusal.code == "insufficient_capabilities_for_transfer"
    assert api.v1.payment_intents.retrieve(authorized).status == "requires_capture"
    assert refused(lambda: charge(api, account)).code == "insufficient_capabilities_for_transfer"
    assert refused(lambda: pay_out(api, account, 100)).code == "payouts_not_allowed"
    assert events(server, "account.updated")[-1] == account
    assert events(server, "capability.updated") == ["card_payments", "transfers"]
    server.control(onboard=account)
    assert api.v1.payment_intents.capture(authorized).status == "succeeded"


def test_one_capability_can_be_lost_alone(server: LocalStripe, api: stripe.StripeClient) -> None:
    account = open_account(server, api)
    server.control(
        restrict={
            "account": account,
            "reason": "under_review",
            "capabilities": ["transfers"],
            "payouts": False,
        }
    )
    found: Any = api.v1.accounts.retrieve(account)
    assert (found.charges_enabled, found.payouts_enabled) == (True, True)
    listed = api.v1.accounts.capabilities.list(account).data
    assert {each.id: each.status for each in listed} == {
        "card_payments": "active",
        "transfers": "inactive",
    }


def test_a_rejected_account_says_why(server: LocalStripe, api: stripe.StripeClient) -> None:
    account = open_account(server, api)
    rejected: Any = api.v1.accounts.reject(account, {"reason": "fraud"})
    assert rejected.requirements.disabled_reason == "rejected.fraud"
    assert not rejected.charges_enabled
    assert not rejected.payouts_enabled


@pytest.mark.parametrize("country", ["MX", "JP", "AE"])
def test_a_transfer_reaches_no_account_beyond_its_regions(
    server: LocalStripe, api: stripe.StripeClient, country: str
) -> None:
    account = opened(server, api, country=country)
    charge(api, account)  # on its behalf
    params: Any = {"amount": 900, "currency": "usd", "destination": account}
    assert refused(lambda: api.v1.transfers.create(params)).code == "transfers_not_allowed"
    near = opened(server, api, country="PT")
    params = {**params, "destination": near}
    assert api.v1.transfers.create(params).amount == 900


def test_another_bank_account_is_an_event_of_its_account(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    account = opened(server, api)
    first = server.control(change_bank={"account": account, "last4": "1111"})["change_bank"]
    second = server.control(change_bank={"account": account, "last4": "2222"})["change_bank"]
    sent = api.v1.events.list(options={"stripe_account": account}).data
    told = [
        (each.type.removeprefix("account.external_account."), each.data.object["id"], each.account)
        for each in reversed(list(sent))
        if each.type.startswith("account.external_account.")
    ]
    assert told == [
        ("created", first, account),
        ("deleted", first, account),
        ("created", second, account),
    ]
