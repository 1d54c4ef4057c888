"""Subscriptions when an answer is lost, a customer is gone, or two tabs are open."""

from typing import Any

import pytest
import stripe as stripe_api
from django.core import mail

from apps.billing import stripe_gateway, tasks
from apps.billing.models import SubscriptionSignUp
from apps.restaurants.models import Restaurant
from apps.restaurants.services.closing import close_restaurant
from tests.billing.subscriber import Subscriber
from tests.factories import UserFactory

pytestmark = pytest.mark.usefixtures("world")

PAY = "/api/create-subscription-payment-intent"
RESUME = "/api/subscriptions/resume"
PRICE = {"amount": 2900, "currency": "usd"}
NORA = {"email": "nora@noras.test", "name": "Nora's", "acceptedTerms": True}


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


@pytest.fixture
def subscriber(api: Any, cast: Any, world: Any) -> Subscriber:
    return Subscriber(api, cast, world)


def subscribe_without_an_answer(subscriber: Subscriber) -> None:
    """Stripe creates the subscription, and nobody here hears of it."""
    subscriber.world.stripe.control(
        http_fault={"kind": "lost_response", "path_prefix": "/v1/subscriptions"}
    )
    with pytest.raises(Exception, match="onnection"):
        subscriber.subscribe()
    subscriber.world.tasks.waiting.clear()
    assert subscriber.row.subscription_id is None


def at_stripe() -> list[Any]:
    return list(stripe_api.Subscription.list(status="all").data)


def test_a_restaurant_closed_before_its_subscription_was_known_is_not_charged_again(
    subscriber: Subscriber, cast: Any
) -> None:
    subscribe_without_an_answer(subscriber)
    now = subscriber.world.now
    close_restaurant(restaurant=subscriber.restaurant, by=cast.owner, now=now)
    subscriber.look_after()
    assert [each.status for each in at_stripe()] == ["canceled"]
    assert subscriber.row.is_open is False
    subscriber.later(days=31)
    assert len(stripe_api.PaymentIntent.list().data) == 1


def test_a_subscription_is_found_after_stripe_forgot_the_key_it_was_created_with(
    subscriber: Subscriber,
) -> None:
    subscribe_without_an_answer(subscriber)
    subscriber.later(hours=25)
    subscriber.look_after()
    assert len(at_stripe()) == 1
    subscriber.later(days=31)
    subscriber.look_after()
    assert len(stripe_api.PaymentIntent.list().data) == 2


def test_an_owner_whose_customer_was_deleted_can_subscribe_again(subscriber: Subscriber) -> None:
    subscriber.subscribe()
    first = subscriber.row.sign_up.customer_id
    stripe_api.Customer.delete(first)
    subscriber.hear()
    assert subscriber.row.is_open is False
    subscriber.subscribe()
    row = subscriber.row
    assert (row.is_open, row.status) == (True, "active")
    assert row.sign_up.customer_id not in ("", first)
    assert row.restaurant.payment_customer_id == row.sign_up.customer_id


def test_what_the_portal_let_end_on_a_date_can_be_resumed(subscriber: Subscriber) -> None:
    subscriber.subscribe()
    row = subscriber.row
    stripe_api.Subscription.modify(
        str(row.subscription_id), cancel_at=int(row.period_ends_at.timestamp())
    )
    subscriber.hear()
    assert subscriber.row.ends_at_period_end is True
    assert subscriber.client.post(RESUME, {}).status_code == 200
    assert subscriber.row.ends_at_period_end is False
    subscriber.later(days=31)
    subscriber.hear()
    assert (subscriber.row.is_open, subscriber.row.status) == (True, "active")
    assert len(stripe_api.PaymentIntent.list().data) == 2


@pytest.mark.parametrize("path", ["/v1/customers", "/v1/payment_intents"])
def test_a_stored_error_of_stripe_does_not_keep_an_owner_from_subscribing(
    api: Any, cast: Any, world: Any, path: str
) -> None:
    """Stripe repeats its answer to the same key for a day."""
    world.stripe.control(http_fault={"kind": "500", "method": "POST", "path_prefix": path})
    owner = api(cast.owner)
    answers = [owner.post(PAY, {**PRICE, **NORA}) for _ in range(2)]
    assert answers[-1].status_code == 200, answers[-1].json()
    assert len({each.json().get("paymentIntentId") for each in answers}) == 1


def test_two_tabs_with_different_emails_show_one_payment(
    api: Any, cast: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who pays the one that isn't stored has paid for nothing."""
    tabs = [api(cast.owner) for _ in range(2)]
    create, shown = stripe_gateway.create_customer, []

    def while_another_tab_is_faster(**more: Any) -> str:
        monkeypatch.setattr(stripe_gateway, "create_customer", create)
        shown.append(tabs[1].post(PAY, {**PRICE, **NORA, "email": "other@noras.test"}))
        return create(**more)

    monkeypatch.setattr(stripe_gateway, "create_customer", while_another_tab_is_faster)
    shown.append(tabs[0].post(PAY, {**PRICE, **NORA}))
    assert [each.status_code for each in shown] == [200, 200]
    [payment] = {each.json()["paymentIntentId"] for each in shown}
    assert SubscriptionSignUp.objects.get().payment_intent_id == payment
    others = {each.status for each in stripe_api.PaymentIntent.list().data if each.id != payment}
    assert others == {"canceled"}


def test_somebody_who_pays_in_two_browsers_has_one_restaurant_and_one_subscription(
    api: Any, world: Any
) -> None:
    """Neither browser came back, so the webhooks register what was paid."""
    nora = UserFactory(email="nora@noras.test")
    for _ in range(2):
        begun = api(nora).post(PAY, {**PRICE, **NORA}).json()
        world.later(seconds=1)
        world.stripe.control(pay={"intent": begun["paymentIntentId"]})
    world.later(minutes=2)
    tasks.look_after_subscriptions_task.delay()
    world.work()
    assert Restaurant.objects.filter(name="Nora's").count() == 1
    assert len(at_stripe()) == 1
    problems = SubscriptionSignUp.objects.order_by("created_at").values_list("problem", flat=True)
    assert list(problems) == ["", "already_subscribed"]


def test_a_payment_for_a_restaurant_that_was_closed_meanwhile_is_staffs_to_refund(
    api: Any, cast: Any, world: Any
) -> None:
    begun = api(cast.owner).post(PAY, {**PRICE, **NORA}).json()
    close_restaurant(restaurant=cast.restaurant, by=cast.owner, now=world.now)
    world.stripe.control(pay={"intent": begun["paymentIntentId"]})
    world.later(minutes=2)
    tasks.look_after_subscriptions_task.delay()
    world.work()
    assert at_stripe() == []
    assert SubscriptionSignUp.objects.get().problem == "restaurant_closed"
    shown = api(cast.staff).get("/staff/payment-issues").content.decode()
    assert "the restaurant is closed. Refund it at Stripe." in shown
    [email] = [each for each in mail.outbox if each.to == [NORA["email"]]]
    assert email.subject == "We owe you $29.00"
    assert "but your restaurant is closed. Reply to this email and we'll refund it." in email.body
    assert "\nEmail us:\nmailto:" in email.body
    assert "Finish signing up" not in email.body
