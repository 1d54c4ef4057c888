"""Signing up for a subscription: paid, declined, left, repeated, and what staff see of it."""

from datetime import UTC, datetime
from typing import Any

import pytest
import stripe as stripe_api
from django.core import mail

from apps.accounts.models import User
from apps.activity.models import LoggedEvent
from apps.billing import tasks
from apps.billing.models import Subscription, SubscriptionSignUp
from apps.common import rls
from apps.restaurants.models import Restaurant
from tests.factories import UserFactory
from tests.preorders.world import ASKS_EVERY_TIME, DECLINED

pytestmark = pytest.mark.usefixtures("world")

PAY = "/api/create-subscription-payment-intent"
REGISTER = "/api/restaurant/register"
PRICE = {"amount": 2900, "currency": "usd"}
NORA = {"email": "nora@noras.test", "name": "Nora's", "acceptedTerms": True}
A_MONTH_LATER = datetime(2027, 4, 22, 16, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


def begin(client: Any, **more: Any) -> dict[str, Any]:
    answer = client.post(PAY, {**PRICE, **NORA, **more})
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def pay(world: Any, intent_id: str, number: str = "4242424242424242", **more: Any) -> Any:
    return world.stripe.control(pay={"intent": intent_id, "number": number, **more})["pay"]


def register(client: Any, intent_id: str, **more: Any) -> Any:
    return client.post(REGISTER, {**NORA, **more, "paymentIntentId": intent_id})


def payments() -> list[Any]:
    return list(stripe_api.PaymentIntent.list().data)


class TestPaying:
    def test_a_visitor_who_pays_has_a_restaurant_on_the_branded_plan(
        self, api: Any, world: Any
    ) -> None:
        visitor = api()
        started = begin(visitor)
        assert started["clientSecret"].startswith(started["paymentIntentId"] + "_secret_")
        assert not Restaurant.objects.filter(name="Nora's").exists()
        pay(world, started["paymentIntentId"])
        answer = register(visitor, started["paymentIntentId"])
        assert answer.status_code == 201
        shown = answer.json()
        assert shown["user"]["email"] == "nora@noras.test"
        assert (shown["restaurant"]["name"], shown["nextUrl"]) == ("Nora's", "/restaurant")
        restaurant = Restaurant.objects.get(name="Nora's")
        assert restaurant.subscription_tier == "branded"
        assert restaurant.billing_email == "nora@noras.test"
        assert restaurant.payment_customer_id.startswith("cus_")
        assert restaurant.last_billing_date is not None
        assert restaurant.last_billing_date.date() == world.now.date()
        assert restaurant.terms_agreed_at is not None
        assert visitor.get("/api/subscriptions/status").json()["status"] == "active"  # signed in

    def test_the_card_is_saved_and_charged_again_in_a_month(self, api: Any, world: Any) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        pay(world, intent_id)
        register(visitor, intent_id)
        world.work()
        row = Subscription.objects.get()
        there = stripe_api.Subscription.retrieve(str(row.subscription_id))
        assert there["items"].data[0].current_period_end == int(A_MONTH_LATER.timestamp())
        assert row.period_ends_at == A_MONTH_LATER
        assert [each.amount for each in payments()] == [2900]  # nothing more yet
        world.later(days=31, hours=2)
        world.later(hours=2)
        tasks.sync_subscription_task.delay(str(row.subscription_id))
        world.work()
        assert [each.amount for each in payments()] == [2900, 2900]
        row.refresh_from_db()
        assert (row.status, row.period_ends_at.month) == ("active", 5)
        billed = Restaurant.objects.get(name="Nora's").last_billing_date
        assert billed is not None
        assert billed.date() == world.now.date()

    def test_an_owner_subscribes_with_the_restaurant_there_is(
        self, api: Any, cast: Any, world: Any
    ) -> None:
        owner = api(cast.owner)
        intent_id = begin(owner)["paymentIntentId"]
        pay(world, intent_id)
        answer = register(owner, intent_id)
        assert answer.json()["restaurant"]["id"] == str(cast.restaurant.pk)
        cast.restaurant.refresh_from_db()
        assert cast.restaurant.subscription_tier == "branded"
        assert Restaurant.objects.count() == 2  # the cast's
        again = owner.post(PAY, PRICE)
        assert (again.status_code, again.json()["message"]) == (
            409,
            "Your restaurant already has a subscription. You can manage it in the settings.",
        )

    def test_a_manager_cannot_subscribe(self, api: Any, cast: Any, world: Any) -> None:
        assert api(cast.manager).post(PAY, PRICE).status_code == 403
        assert SubscriptionSignUp.objects.count() == 0

    def test_a_declined_card_registers_nothing_and_another_one_does(
        self, api: Any, world: Any
    ) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        assert pay(world, intent_id, DECLINED)["status"] == "requires_payment_method"
        refused = register(visitor, intent_id)
        assert (refused.status_code, refused.json()["message"]) == (
            409,
            "Your card hasn't been charged. Enter it again, or use another one.",
        )
        assert not Restaurant.objects.filter(name="Nora's").exists()
        assert begin(visitor)["paymentIntentId"] == intent_id  # the same payment goes on
        pay(world, intent_id)
        assert register(visitor, intent_id).status_code == 201

    def test_a_card_that_its_bank_asks_about_is_charged_after_the_answer(
        self, api: Any, world: Any
    ) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        pay(world, intent_id, ASKS_EVERY_TIME, authenticate="leave")
        assert register(visitor, intent_id).status_code == 409
        pay(world, intent_id, ASKS_EVERY_TIME, authenticate="ok")
        assert register(visitor, intent_id).status_code == 201


class TestTheServerDecides:
    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({"amount": 100}, "amount"),
            ({"amount": 2901}, "amount"),
            ({"currency": "eur"}, "currency"),
        ],
    )
    def test_another_amount_than_the_price_is_refused(
        self, api: Any, world: Any, sent: dict[str, Any], field: str
    ) -> None:
        answer = api().post(PAY, {**PRICE, **NORA, **sent})
        assert answer.status_code == 400
        assert answer.json()["code"] == "price_changed"
        assert answer.json()["errors"][0]["field"] == field
        assert payments() == []

    def test_there_is_nothing_to_pay_where_no_subscription_is_sold(
        self, api: Any, world: Any, settings: Any
    ) -> None:
        settings.BILLING_MODE = "revenue_share"
        answer = api().post(PAY, {**PRICE, **NORA})
        assert (answer.status_code, payments()) == (409, [])
        assert "no plan has a monthly fee" in answer.json()["message"]

    def test_a_known_email_is_refused_before_anything_is_charged(
        self, api: Any, cast: Any, world: Any
    ) -> None:
        answer = api().post(PAY, {**PRICE, **NORA, "email": cast.owner.email})
        assert (answer.status_code, answer.json()["code"]) == (409, "already_registered")
        assert payments() == []

    def test_what_is_missing_is_said(self, api: Any, world: Any) -> None:
        visitor = api()
        intent_id = visitor.post(PAY, PRICE).json()["paymentIntentId"]
        pay(world, intent_id)
        answer = visitor.post(REGISTER, {"paymentIntentId": intent_id})
        assert (answer.status_code, answer.json()["message"]) == (400, "Missing Information")
        assert [each["field"] for each in answer.json()["errors"]] == [
            "email", "name", "acceptedTerms",
        ]  # fmt: skip
        assert register(visitor, intent_id).status_code == 201

    def test_somebody_elses_payment_registers_nothing(
        self, api: Any, cast: Any, world: Any
    ) -> None:
        intent_id = begin(api())["paymentIntentId"]
        pay(world, intent_id)
        for other in (api(), api(cast.outsider)):
            assert register(other, intent_id, email="other@example.test").status_code == 404
        assert not Restaurant.objects.filter(name="Nora's").exists()

    def test_a_payment_of_something_else_registers_nothing(self, api: Any, world: Any) -> None:
        visitor = api()
        begin(visitor)
        other = stripe_api.PaymentIntent.create(
            amount=2900, currency="usd", payment_method="pm_card_visa", confirm=True,
            payment_method_types=["card"],
        )  # fmt: skip
        assert register(visitor, other.id).status_code == 404

    def test_a_payment_counts_once(self, api: Any, world: Any) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        pay(world, intent_id)
        assert register(visitor, intent_id).status_code == 201
        again = register(visitor, intent_id, name="Second", email="second@noras.test")
        assert again.json()["restaurant"]["name"] == "Nora's"
        assert Restaurant.objects.filter(name__in=["Nora's", "Second"]).count() == 1
        world.work()
        assert Subscription.objects.count() == 1

    def test_a_browser_is_not_signed_in_again_with_an_old_payment(
        self, api: Any, world: Any
    ) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        pay(world, intent_id)
        tasks.finish_sign_up_task.delay(str(SubscriptionSignUp.objects.get().pk))
        world.work()
        User.objects.filter(email="nora@noras.test").update(last_login=world.now)
        answer = register(visitor, intent_id)
        assert answer.status_code == 409
        assert answer.json()["message"] == (
            "Your restaurant is registered. Sign in to open its dashboard."
        )
        assert visitor.get("/api/subscriptions/status").status_code == 401


class TestAClosedTab:
    def test_the_webhook_registers_what_was_paid(self, api: Any, world: Any) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        pay(world, intent_id)
        tasks.finish_sign_up_task.delay(str(SubscriptionSignUp.objects.get().pk))
        world.work()
        restaurant = Restaurant.objects.get(name="Nora's")
        with rls.acting_as(rls.PLATFORM):
            assert LoggedEvent.objects.filter(
                restaurant_id=restaurant.pk, kind="subscription_started"
            ).exists()
        [email] = [each for each in mail.outbox if each.to == ["nora@noras.test"]]
        assert email.subject == "Nora's has a subscription"
        assert "Choose a password" in email.body
        assert "We charged your card $29.00 for the first month." in email.body
        # Back in the same browser, it is signed in to what was registered.
        assert register(visitor, intent_id).json()["restaurant"]["id"] == str(restaurant.pk)
        assert Restaurant.objects.filter(name="Nora's").count() == 1

    def test_the_job_registers_what_no_webhook_told_of(self, api: Any, world: Any) -> None:
        intent_id = begin(api())["paymentIntentId"]
        pay(world, intent_id)
        world.later(minutes=2)
        tasks.look_after_subscriptions_task.delay()
        world.work()
        assert Restaurant.objects.filter(name="Nora's").count() == 1

    def test_the_page_shows_a_paid_sign_up_to_finish(self, api: Any, cast: Any, world: Any) -> None:
        visitor = api()
        intent_id = begin(visitor)["paymentIntentId"]
        pay(world, intent_id)
        UserFactory(email="nora@noras.test")  # registered elsewhere meanwhile
        refused = register(visitor, intent_id)
        assert (refused.status_code, refused.json()["message"]) == (409, "Registration Error")
        assert "already has an account" in refused.json()["errors"][0]["message"]
        assert f'"paidIntentId": "{intent_id}"' in visitor.get("/subscribe").content.decode()
        assert Restaurant.objects.filter(name="Nora's").count() == 0

    def test_the_owner_of_a_paid_sign_up_is_emailed_and_staff_see_it(
        self, api: Any, cast: Any, world: Any
    ) -> None:
        intent_id = begin(api())["paymentIntentId"]
        pay(world, intent_id)
        nora = UserFactory(email="nora@noras.test")
        world.later(minutes=2)
        for _ in range(2):
            tasks.look_after_subscriptions_task.delay()
            world.work()
        [email] = [each for each in mail.outbox if each.to == ["nora@noras.test"]]
        assert email.subject == "Your payment went through, but your sign-up isn't finished"
        shown = api(cast.staff).get("/staff/payment-issues").content.decode()
        assert "Subscription paid, no restaurant: Nora&#x27;s" in shown
        # The link in the email works in another browser, once she is signed in there.
        link = next(word for word in email.body.split() if "/subscribe?signUp=" in word)
        elsewhere = api(nora)
        elsewhere.get(link[link.index("/subscribe") :])
        answer = register(elsewhere, intent_id)
        assert (answer.status_code, answer.json()["restaurant"]["name"]) == (201, "Nora's")
        shown = api(cast.staff).get("/staff/payment-issues").content.decode()
        assert "Subscription paid, no restaurant" not in shown

    def test_what_is_never_paid_is_forgotten_after_a_day(self, api: Any, world: Any) -> None:
        intent_id = begin(api())["paymentIntentId"]
        world.later(hours=23)
        tasks.look_after_subscriptions_task.delay()
        world.work()
        assert SubscriptionSignUp.objects.count() == 1
        world.later(hours=2)
        tasks.look_after_subscriptions_task.delay()
        world.work()
        assert SubscriptionSignUp.objects.count() == 0
        assert stripe_api.PaymentIntent.retrieve(intent_id).status == "canceled"


def test_a_payment_that_was_refunded_registers_nothing(api: Any, world: Any) -> None:
    visitor = api()
    intent_id = begin(visitor)["paymentIntentId"]
    pay(world, intent_id)
    stripe_api.Refund.create(payment_intent=intent_id)
    answer = register(visitor, intent_id)
    assert (answer.status_code, answer.json()["message"]) == (409, "Registration Error")
    assert not Restaurant.objects.filter(name="Nora's").exists()
    assert begin(visitor)["paymentIntentId"] != intent_id


def test_stripe_out_of_reach_is_said_and_nothing_is_lost(
    api: Any, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = api()
    intent_id = begin(visitor)["paymentIntentId"]
    pay(world, intent_id)
    with monkeypatch.context() as patch:
        patch.setattr(stripe_api, "api_base", "http://127.0.0.1:9")
        assert register(visitor, intent_id).status_code == 503
        other = api().post(PAY, {**PRICE, **NORA, "email": "other@example.test"})
        assert other.status_code == 503
        assert other.json()["message"] == (
            "Failed to initialize payment system. You haven't been charged. Try again."
        )
    assert register(visitor, intent_id).status_code == 201


def test_a_price_that_changed_is_charged_as_it_is_now(api: Any, world: Any, settings: Any) -> None:
    visitor = api()
    old = begin(visitor)["paymentIntentId"]
    settings.SUBSCRIPTION_PRICE_CENTS = 3900
    assert visitor.post(PAY, {**PRICE, **NORA}).status_code == 400
    new = begin(visitor, amount=3900)["paymentIntentId"]
    assert stripe_api.PaymentIntent.retrieve(old).status == "canceled"
    assert stripe_api.PaymentIntent.retrieve(new).amount == 3900


def test_where_none_is_sold_the_page_leads_to_the_plans(api: Any, cast: Any, settings: Any) -> None:
    settings.BILLING_MODE = "revenue_share"
    answer = api(cast.owner).get("/subscribe")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/tier-selection")


def test_the_page_and_the_terms_state_the_price_of_the_settings(
    api: Any, world: Any, settings: Any
) -> None:
    settings.SUBSCRIPTION_PRICE_CENTS = 4200
    assert '"price": "$42.00"' in api().get("/subscribe").content.decode()
    assert "$42.00 a month" in " ".join(api().get("/terms").content.decode().split())
    settings.BILLING_MODE = "revenue_share"
    assert "There is no monthly fee." in api().get("/terms").content.decode()


def test_a_subscriber_who_opens_the_page_sees_the_subscription(
    api: Any, cast: Any, world: Any
) -> None:
    owner = api(cast.owner)
    intent_id = begin(owner)["paymentIntentId"]
    pay(world, intent_id)
    register(owner, intent_id)
    answer = owner.get("/subscribe")
    assert answer.headers["Location"] == "/restaurant/settings?section=subscription"
