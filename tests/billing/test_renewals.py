"""A subscription after its first month: renewed, unpaid, lapsed, paid again, canceled, ended."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
import stripe as stripe_api
from django.core import mail

from apps.billing.subscriptions import renewal
from apps.common.errors import Forbidden
from apps.restaurants.models import Restaurant
from apps.restaurants.services.closing import close_restaurant
from apps.restaurants.services.plans import choose_plan
from tests.billing.subscriber import OFF_SESSION_DECLINED, Subscriber
from tests.factories import SpecialOfferFactory
from tests.offers.bodies import create_body
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("world")

ONE_DAY = timedelta(days=1)
STATUS = "/api/subscriptions/status"
CANCEL, RESUME = "/api/subscriptions/cancel", "/api/subscriptions/resume"


@pytest.fixture(autouse=True)
def _sold(settings: Any) -> None:
    settings.BILLING_MODE = "subscription"


@pytest.fixture
def subscriber(api: Any, cast: Any, world: Any) -> Subscriber:
    return Subscriber(api, cast, world)


STARTED = "Luigi's has a subscription"
FAILED = "We couldn't charge $29.00 for your subscription"
REMINDER = "Pay $29.00 to keep publishing specials"
LAPSED = "You can't publish new specials right now"
PAID = "Your subscription is paid"
ENDED = "Your subscription has ended"


class TestRenewing:
    def test_a_subscriber_pays_no_share_and_the_free_plan_does(
        self, subscriber: Subscriber
    ) -> None:
        assert subscriber.publish() == 0  # one of the Free plan's first ones
        subscriber.subscribe()
        assert subscriber.publish() == 0
        subscriber.client.post(CANCEL, {})
        subscriber.later(days=31)
        subscriber.hear()
        Restaurant.objects.filter(pk=subscriber.restaurant.pk).update(subscription_tier="branded")
        assert subscriber.publish() == 5  # the Branded plan's

    def test_two_renewals_are_two_charges_and_nobody_is_bothered(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.subscribe()
        for month in (5, 6):
            subscriber.later(days=31)
            subscriber.hear()
            assert subscriber.row.period_ends_at.month == month
        amounts = [each.amount for each in stripe_api.PaymentIntent.list().data]
        assert amounts == [2900, 2900, 2900]
        assert subscriber.row.status == "active"
        assert subscriber.emails() == [STARTED]

    def test_the_job_finds_a_renewal_that_no_webhook_told_of(self, subscriber: Subscriber) -> None:
        subscriber.subscribe()
        subscriber.later(days=31)
        subscriber.look_after()
        assert subscriber.row.period_ends_at.month == 5

    def test_news_in_any_order_and_twice_comes_to_the_same(self, subscriber: Subscriber) -> None:
        subscriber.subscribe()
        subscriber.later(days=31)
        for _ in itertools.repeat(None, 4):
            subscriber.hear()
        assert subscriber.row.status == "active"
        assert subscriber.kinds() == ["subscription_started"]

    def test_what_was_read_earlier_does_not_replace_what_was_read_later(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.subscribe()
        row = subscriber.row
        earlier = subscriber.world.now - timedelta(minutes=1)
        stripe_api.Subscription.modify(str(row.subscription_id), cancel_at_period_end=True)
        renewal.sync_subscription(str(row.subscription_id), now=earlier)
        assert subscriber.row.ends_at_period_end is False

    def test_a_subscription_that_stripe_did_not_get_is_created_once(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.world.stripe.control(
            http_fault={"kind": "lost_response", "path_prefix": "/v1/subscriptions"}
        )
        with pytest.raises(Exception, match="onnection"):
            subscriber.subscribe()
        assert subscriber.row.subscription_id is None
        subscriber.world.tasks.waiting.clear()
        subscriber.look_after()
        assert subscriber.row.subscription_id is not None
        assert len(stripe_api.Subscription.list(status="all").data) == 1


class TestUnpaid:
    def test_a_failed_renewal_has_a_grace_and_lapses_and_is_paid_again(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.subscribe(OFF_SESSION_DECLINED)
        subscriber.later(days=31)
        subscriber.hear()
        row = subscriber.row
        assert (row.status, row.is_lapsed) == ("past_due", False)
        assert subscriber.emails() == [STARTED, FAILED]
        shown = subscriber.client.get(STATUS).json()
        assert (shown["status"], shown["isLapsed"]) == ("past_due", False)
        assert shown["payBy"] is not None
        subscriber.publish()  # in the grace

        subscriber.later(days=5)
        subscriber.look_after()
        assert subscriber.emails() == [STARTED, FAILED, REMINDER]
        subscriber.look_after()
        assert subscriber.emails() == [STARTED, FAILED, REMINDER]

        subscriber.later(days=2)
        subscriber.look_after()
        assert subscriber.row.is_lapsed
        assert subscriber.emails() == [STARTED, FAILED, REMINDER, LAPSED]
        with pytest.raises(Forbidden, match="can't publish new specials") as refusal:
            subscriber.publish()
        assert refusal.value.code == "subscription_lapsed"

        subscriber.pay_bill()
        subscriber.hear()
        row = subscriber.row
        assert (row.status, row.is_lapsed, row.unpaid_since) == ("active", False, None)
        assert subscriber.emails()[-1] == PAID
        subscriber.publish()
        assert subscriber.kinds() == [
            "subscription_started",
            "subscription_unpaid",
            "subscription_lapsed",
            "subscription_paid",
        ]

    def test_a_lapsed_restaurant_publishes_nothing_and_what_is_published_goes_on(
        self, subscriber: Subscriber, world: Any
    ) -> None:
        subscriber.subscribe(OFF_SESSION_DECLINED)
        subscriber.later(days=31)
        subscriber.hear()
        subscriber.later(days=7)
        offer = SpecialOfferFactory(restaurant=subscriber.restaurant, deadline=world.now + ONE_DAY)
        subscriber.look_after()
        serve = (world.now + 2 * ONE_DAY).date().isoformat()
        deadline = (world.now + ONE_DAY).isoformat()
        body = create_body(specialServeDate=serve, preorderExpiresAt=deadline)
        answer = subscriber.client.post("/api/dishes/special-offers", body)
        assert (answer.status_code, answer.json()["code"]) == (403, "subscription_lapsed")
        assert "Specials you've published stay open." in answer.json()["message"]
        offer.refresh_from_db()
        assert offer.status == "active"

    def test_an_unpaid_subscription_is_said_on_every_page_of_its_owner(
        self, subscriber: Subscriber, api: Any, cast: Any
    ) -> None:
        subscriber.subscribe(OFF_SESSION_DECLINED)
        page = "/restaurant/payouts"
        assert "subscription is unpaid" not in text_of(subscriber.client.get(page))
        subscriber.later(days=31)
        subscriber.hear()
        shown = text_of(subscriber.client.get(page))
        assert "Your subscription is unpaid. We couldn't charge your card $29.00. Pay by" in shown
        subscriber.later(days=8)
        subscriber.look_after()
        shown = text_of(subscriber.client.get(page))
        assert "You can't publish new specials until it's paid" in shown
        assert "unpaid" not in text_of(api(cast.manager).get("/restaurant"))

    def test_the_email_of_a_failed_renewal_leads_to_the_bill(self, subscriber: Subscriber) -> None:
        subscriber.subscribe(OFF_SESSION_DECLINED)
        subscriber.later(days=31)
        subscriber.hear()
        body = mail.outbox[-1].body
        assert "/i/in_" in body[body.index("Pay the bill:\n") : body.index("Update your card:\n")]

    @pytest.mark.parametrize("after", ["cancel", "unpaid", "past_due"])
    def test_whatever_stripe_does_in_the_end_the_restaurant_has_lapsed(
        self, subscriber: Subscriber, after: str
    ) -> None:
        subscriber.world.stripe.control(after_retries=after)
        subscriber.subscribe(OFF_SESSION_DECLINED)
        subscriber.later(days=31)
        subscriber.hear()
        for days in (3, 5, 7):
            subscriber.later(days=days)
            subscriber.look_after()
        assert subscriber.row.is_lapsed
        assert subscriber.row.is_open is (after != "cancel")
        assert subscriber.emails().count(LAPSED) == 1

    def test_a_lapsed_restaurant_can_change_to_the_free_plan(self, subscriber: Subscriber) -> None:
        subscriber.subscribe(OFF_SESSION_DECLINED)
        subscriber.later(days=31)
        subscriber.hear()
        subscriber.later(days=8)
        subscriber.look_after()
        now = subscriber.world.now
        choose_plan(restaurant=subscriber.restaurant, tier="free", now=now, by="Luigi")
        subscriber.publish()
        subscriber.look_after()
        assert subscriber.row.is_open is False
        there = stripe_api.Subscription.retrieve(str(subscriber.row.subscription_id))
        assert there.status == "canceled"


class TestEnding:
    def test_a_canceled_subscription_goes_on_until_its_month_is_over(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.subscribe()
        shown = subscriber.client.post(CANCEL).json()
        assert (shown["status"], shown["endsAtPeriodEnd"]) == ("active", True)
        assert subscriber.publish() == 0
        subscriber.later(days=31)
        subscriber.hear()
        assert subscriber.row.is_open is False
        assert len(stripe_api.PaymentIntent.list().data) == 1  # the first month's
        assert Restaurant.objects.get(pk=subscriber.restaurant.pk).subscription_tier == "free"
        assert subscriber.emails() == [STARTED, ENDED]
        assert subscriber.kinds() == [
            "subscription_started",
            "subscription_canceled",
            "subscription_ended",
        ]

    def test_a_canceled_subscription_can_be_resumed_and_renews(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.subscribe()
        for _ in range(2):
            subscriber.client.post(CANCEL)
        shown = subscriber.client.post(RESUME).json()
        assert shown["endsAtPeriodEnd"] is False
        subscriber.later(days=31)
        subscriber.hear()
        assert subscriber.row.status == "active"
        assert subscriber.kinds() == [
            "subscription_started",
            "subscription_canceled",
            "subscription_resumed",
        ]

    def test_what_was_canceled_in_the_portal_is_shown(self, subscriber: Subscriber) -> None:
        subscriber.subscribe()
        stripe_api.Subscription.modify(
            str(subscriber.row.subscription_id), cancel_at_period_end=True
        )
        assert subscriber.client.get(STATUS).json()["endsAtPeriodEnd"] is True

    def test_a_restaurant_can_subscribe_again(self, subscriber: Subscriber) -> None:
        subscriber.subscribe()
        subscriber.client.post(CANCEL)
        subscriber.later(days=31)
        subscriber.hear()
        first = subscriber.row.subscription_id
        subscriber.subscribe()
        row = subscriber.row
        assert (row.is_open, row.status) == (True, "active")
        assert row.subscription_id not in (None, first)
        customers = {each.customer for each in stripe_api.Subscription.list(status="all").data}
        assert len(customers) == 1

    def test_a_closed_restaurant_is_not_charged_again(
        self, subscriber: Subscriber, cast: Any
    ) -> None:
        subscriber.subscribe()
        now = subscriber.world.now
        close_restaurant(restaurant=subscriber.restaurant, by=cast.owner, now=now)
        subscriber.look_after()
        there = stripe_api.Subscription.retrieve(str(subscriber.row.subscription_id))
        assert there.status == "canceled"
        subscriber.later(days=31)
        assert len(stripe_api.PaymentIntent.list().data) == 1

    def test_who_chooses_the_free_plan_is_charged_no_further_month(
        self, subscriber: Subscriber
    ) -> None:
        subscriber.subscribe()
        now = subscriber.world.now
        choose_plan(restaurant=subscriber.restaurant, tier="free", now=now, by="Luigi")
        subscriber.look_after()
        assert subscriber.row.ends_at_period_end
        subscriber.later(days=31)
        subscriber.hear()
        assert subscriber.row.is_open is False
        assert len(stripe_api.PaymentIntent.list().data) == 1

    def test_neither_a_manager_nor_an_outsider_can_cancel_a_subscription(
        self, subscriber: Subscriber, api: Any, cast: Any
    ) -> None:
        subscriber.subscribe()
        assert api(cast.manager).post(CANCEL).status_code == 403
        assert api(cast.outsider).post(CANCEL).status_code == 409
        assert subscriber.row.ends_at_period_end is False

    def test_without_an_answer_from_stripe_nothing_changes(
        self, subscriber: Subscriber, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subscriber.subscribe()
        with monkeypatch.context() as patch:
            patch.setattr(stripe_api, "api_base", "http://127.0.0.1:9")
            assert subscriber.client.post(CANCEL).status_code == 503
        assert subscriber.row.ends_at_period_end is False
        assert subscriber.kinds() == ["subscription_started"]
