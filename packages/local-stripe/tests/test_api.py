"""Rules for every request: keys, idempotency, parameters, lists, and expansion."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import client_for, close, session_params

INTENT: Any = {"amount": 1500, "currency": "usd", "capture_method": "manual"}


@pytest.mark.parametrize("key", ["sk_live_1234567890", "rk_live_1234567890", "whatever"])
def test_a_key_that_is_not_a_test_key_is_refused(server: LocalStripe, key: str) -> None:
    answer = httpx.get(f"{server.base_url}/v1/account", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 401
    assert "sk_test_" in answer.json()["error"]["message"]


def test_a_publishable_key_cannot_call_the_api(server: LocalStripe) -> None:
    answer = httpx.get(
        f"{server.base_url}/v1/account",
        headers={"Authorization": f"Bearer {server.publishable_key}"},
    )
    assert answer.status_code == 401


def test_basic_authentication_works_as_well(server: LocalStripe) -> None:
    answer = httpx.get(f"{server.base_url}/v1/account", auth=(server.secret_key, ""))
    assert answer.status_code == 200
    assert answer.headers["request-id"].startswith("req_")


def test_another_host_name_is_turned_away(server: LocalStripe) -> None:
    answer = httpx.get(f"{server.base_url}/_control", headers={"Host": "evil.example"})
    assert answer.status_code == 421


def test_the_same_key_gives_the_same_answer(api: stripe.StripeClient) -> None:
    first = api.v1.payment_intents.create(INTENT, {"idempotency_key": "k1"})
    second = api.v1.payment_intents.create(INTENT, {"idempotency_key": "k1"})
    assert first.id == second.id
    assert len(api.v1.payment_intents.list().data) == 1


def test_the_same_key_with_other_parameters_is_refused(api: stripe.StripeClient) -> None:
    api.v1.payment_intents.create(INTENT, {"idempotency_key": "k1"})
    with pytest.raises(stripe.IdempotencyError):
        api.v1.payment_intents.create(INTENT | {"amount": 1600}, {"idempotency_key": "k1"})


def test_a_key_is_forgotten_after_a_day(server: LocalStripe, api: stripe.StripeClient) -> None:
    first = api.v1.payment_intents.create(INTENT, {"idempotency_key": "k1"})
    server.control(advance=24 * 3600 + 1)
    assert api.v1.payment_intents.create(INTENT, {"idempotency_key": "k1"}).id != first.id


def test_a_server_error_is_replayed_for_its_key_and_not_for_another(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    server.control(http_fault={"kind": "500", "method": "POST", "path_prefix": "/v1/customers"})
    for _ in range(2):
        with pytest.raises(stripe.APIError):
            api.v1.customers.create({}, {"idempotency_key": "k1"})
    assert api.v1.customers.create({}, {"idempotency_key": "k2"}).id


def test_a_refusal_of_parameters_is_not_stored_for_its_key(api: stripe.StripeClient) -> None:
    wrong: Any = {**INTENT, "capture_method": "by hand"}
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.payment_intents.create(wrong, {"idempotency_key": "k1"})
    assert api.v1.payment_intents.create(INTENT, {"idempotency_key": "k1"}).id


def test_a_key_in_use_is_refused_until_its_call_is_over(server: LocalStripe) -> None:
    server.control(latency={"path_prefix": "/v1/customers", "seconds": 0.3})
    headers = {"Authorization": f"Bearer {server.secret_key}", "Idempotency-Key": "k1"}

    def create(_: int) -> int:
        return httpx.post(f"{server.base_url}/v1/customers", headers=headers).status_code

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(create, range(2))) == [200, 409]


@pytest.mark.parametrize(
    ("changes", "code", "param"),
    [
        ({"capture_methd": "manual"}, "parameter_unknown", "capture_methd"),
        ({"transfer_data": {"destinaton": "a"}}, "parameter_unknown", "transfer_data[destinaton]"),
        ({"amount": "15.00"}, "parameter_invalid_integer", "amount"),
        ({"capture_method": "manually"}, None, "capture_method"),
        ({"description": ""}, "parameter_invalid_empty", "description"),
        ({"amount": 10}, "amount_too_small", "amount"),
    ],
)
def test_a_slip_in_the_parameters_is_caught(
    api: stripe.StripeClient, changes: Any, code: str | None, param: str
) -> None:
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.create(INTENT | changes)
    assert (refused.value.code, refused.value.param) == (code, param)


def test_a_missing_parameter_is_named(api: stripe.StripeClient) -> None:
    params: Any = {"currency": "usd"}
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.payment_intents.create(params)
    assert (refused.value.code, refused.value.param) == ("parameter_missing", "amount")


def test_an_unknown_address_and_an_unknown_id_are_not_found(api: stripe.StripeClient) -> None:
    for look in (
        lambda: api.v1.payment_intents.retrieve("pi_nothing"),
        lambda: api.raw_request("get", "/v1/unheard_of"),
    ):
        with pytest.raises(stripe.InvalidRequestError) as refused:
            look()
        assert refused.value.http_status == 404


def test_metadata_is_merged_and_an_empty_text_removes_a_key(api: stripe.StripeClient) -> None:
    params: Any = {**INTENT, "metadata": {"a": "1", "b": "2"}}
    intent = api.v1.payment_intents.create(params)
    changed = api.v1.payment_intents.update(intent.id, {"metadata": {"b": "", "c": "3"}})
    assert changed.metadata.to_dict() == {"a": "1", "c": "3"}


def test_listings_go_from_new_to_old_in_pages(api: stripe.StripeClient) -> None:
    made = [api.v1.customers.create({"name": str(n)}).id for n in range(5)]
    newest_first = made[::-1]
    page = api.v1.customers.list({"limit": 2})
    assert [c.id for c in page.data] == newest_first[:2]
    assert page.has_more
    everyone = [c.id for c in page.auto_paging_iter()]
    assert everyone == newest_first
    before = api.v1.customers.list({"limit": 2, "ending_before": newest_first[3]})
    assert [c.id for c in before.data] == newest_first[1:3]


def test_listings_filter_by_their_owner_and_time(
    server: LocalStripe, api: stripe.StripeClient, hold: Callable[..., str]
) -> None:
    first = hold()
    server.control(advance=1000)
    second = hold()
    charges = api.v1.charges.list({"payment_intent": second})
    assert [charge.payment_intent for charge in charges.data] == [second]
    since = api.v1.payment_intents.retrieve(second).created
    late = api.v1.payment_intents.list({"created": {"gte": since}})
    assert [intent.id for intent in late.data] == [second]
    sessions = api.v1.checkout.sessions.list({"payment_intent": first})
    assert [session.payment_intent for session in sessions.data] == [first]


def test_ids_are_expanded_along_a_path(
    api: stripe.StripeClient, hold: Callable[..., str], account: str
) -> None:
    intent_id = hold()
    api.v1.payment_intents.capture(intent_id)
    paths = ["latest_charge.balance_transaction", "transfer_data.destination"]
    intent: Any = api.v1.payment_intents.retrieve(intent_id, {"expand": paths})
    assert intent.latest_charge.balance_transaction.amount == 2000
    assert intent.transfer_data.destination.email == "owner@example.com"
    listed: Any = api.v1.payment_intents.list({"expand": ["data.latest_charge"]})
    assert listed.data[0].latest_charge.captured is True


def test_an_object_that_cannot_be_expanded_is_refused(api: stripe.StripeClient) -> None:
    intent = api.v1.payment_intents.create(INTENT)
    with pytest.raises(stripe.InvalidRequestError, match="cannot be expanded"):
        api.v1.payment_intents.retrieve(intent.id, {"expand": ["amount"]})


def test_objects_belong_to_their_account(
    server: LocalStripe, api: stripe.StripeClient, account: str
) -> None:
    theirs: Any = {"stripe_account": account}
    customer = api.v1.customers.create({"name": "Ann"}, theirs)
    assert api.v1.customers.retrieve(customer.id, {}, theirs).id == customer.id
    with pytest.raises(stripe.InvalidRequestError):
        api.v1.customers.retrieve(customer.id)
    with pytest.raises(stripe.PermissionError):
        api.v1.customers.list({}, {"stripe_account": "acct_unknown0000000"})


def test_a_restricted_test_key_works(server: LocalStripe, account: str) -> None:
    client = client_for(server, "rk_test_" + "a" * 24)
    params: Any = session_params(account)
    assert client.v1.checkout.sessions.create(params).url
    close(client)


def test_what_a_mirror_of_stripe_asks_for_is_expanded(
    api: stripe.StripeClient, hold: Callable[..., str]
) -> None:
    hold(customer_creation="always")
    paths = ["total_details.breakdown", "line_items.data.discounts", "line_items.data.taxes"]
    listed = api.v1.checkout.sessions.list().data[0]
    session: Any = api.v1.checkout.sessions.retrieve(listed.id, {"expand": paths})
    assert session.total_details.breakdown.taxes == []
    assert session.line_items.data[0].discounts == []
    customer: Any = api.v1.customers.retrieve(session.customer, {"expand": ["sources"]})
    assert customer.sources.data == []
    price = api.v1.prices.create(
        {"currency": "usd", "unit_amount": 100, "product_data": {"name": "x"}}
    )
    assert api.v1.prices.retrieve(price.id, {"expand": ["currency_options"]}).id == price.id
