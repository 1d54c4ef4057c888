"""The events that restaurants' programs get about orders, payments, specials, disputes, and
payouts."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from apps.billing import payouts
from apps.billing.gateway import PayoutSnapshot, PayoutStatus
from apps.billing.models import Payout
from apps.common import rls
from apps.integrations.models import WebhookDelivery, WebhookEvent
from apps.offers.services import delete_offer, edit_offer, publish_offer
from apps.preorders.guest import changes
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.manage import fulfillment
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.special.rescue import LowerMinimum, rescue_offer
from tests.integrations.conftest import deliveries
from tests.preorders.disputes import charged, disputed
from tests.preorders.world import CAPTURE_DECLINED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]


TERMS = {
    "name": "Osso buco",
    "description": "",
    "regular_price": Decimal("30.00"),
    "special_price": Decimal("24.00"),
    "image_url": "",
    "serve_date": date(2027, 3, 24),
    "deadline": datetime(2027, 3, 23, 22, tzinfo=UTC),
    "min_preorders": 4,
    "max_preorders": None,
    "max_per_order": 4,
}


@pytest.fixture
def endpoint(world, endpoint_at):
    return endpoint_at(world.restaurant, "http://127.0.0.1:9/")[0]


def told():
    """Type and data of every event, oldest first."""
    return [(each.event.type, json.loads(each.event.body)["data"]) for each in deliveries()]


def types():
    return [kind for kind, _ in told()]


def forget():
    with rls.acting_as(rls.PLATFORM):
        WebhookEvent.objects.all().delete()


class TestOrders:
    def test_an_order_that_goes_ahead(self, world, endpoint):
        offer = world.offer(min_preorders=2, special_price=Decimal("20.00"))
        order = world.authorized_order(offer, 2)
        assert types() == ["order.placed"]
        assert told()[0][1] == {
            "id": str(order.pk),
            "specialId": str(offer.pk),
            "status": "pending",
            "paymentStatus": "authorized",
            "source": "web",
            "quantity": 2,
            "subtotal": "40.00",
            "tax": f"{order.tax:.2f}",
            "total": f"{order.total_amount:.2f}",
            "currency": "usd",
        }
        forget()
        world.settle(offer)
        assert types() == ["special.succeeded", "payment.captured", "order.confirmed"]
        special, payment, confirmed = (data for _, data in told())
        assert (special["status"], special["wasSuccessful"]) == ("expired", True)
        assert payment == {
            "orderId": str(order.pk),
            "specialId": str(offer.pk),
            "status": "captured",
            "amount": f"{order.total_amount:.2f}",
            "currency": "usd",
        }
        assert confirmed["status"] == "confirmed"

    def test_a_special_that_does_not_go_ahead(self, world, endpoint):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 1)
        forget()
        world.settle(offer)
        assert types() == ["special.failed", "payment.released", "order.canceled"]

    def test_a_checkout_without_a_card_was_never_an_order(self, world, endpoint):
        offer = world.offer(min_preorders=1)
        world.begin(offer, 1)
        world.settle(offer)
        assert types() == ["special.failed"]

    def test_a_charge_that_fails(self, world, endpoint):
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer, 1, card=CAPTURE_DECLINED)
        forget()
        world.settle(offer)
        assert types() == [
            *("special.succeeded", "payment.failed", "payment.captured", "order.confirmed")
        ]

    def test_an_order_is_changed_and_canceled_by_its_guest(self, world, endpoint):
        offer = world.offer(min_preorders=5)
        order = world.authorized_order(offer, 3)
        forget()
        with rls.acting_as(rls.PLATFORM):
            changes.change_quantity(order=order, quantity=2, now=world.now)
        assert [(kind, data["quantity"]) for kind, data in told()] == [("order.changed", 2)]
        forget()
        with rls.acting_as(rls.PLATFORM):
            cancel_own_order(order=order, now=world.now)
        world.work()
        assert types() == ["order.canceled", "payment.released"]

    def test_a_pickup_and_a_no_show_are_sent(self, world, endpoint):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, 1)
        world.settle(offer)
        forget()
        facts = {"restaurant": world.restaurant, "order_id": order.pk, "by": "Olga"}
        with rls.acting_as(world.restaurant):
            fulfillment.mark_picked_up(**facts, now=world.now)
        assert types() == ["order.picked_up"]

    def test_a_partial_refund_says_how_much(self, world, endpoint):
        offer = world.offer(min_preorders=1, special_price=Decimal("20.00"))
        order = world.authorized_order(offer, 2)
        world.settle(offer)
        forget()
        world.refund(order, "5.00")
        world.work()
        world.hear_of_intent(order)
        ((kind, data),) = told()
        assert (kind, data["orderId"]) == ("payment.refunded", str(order.pk))
        assert (data["amount"], data["currency"], data["status"]) == ("5.00", "usd", "captured")

    def test_an_events_body_has_nothing_about_the_guest(self, world, endpoint):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, 1)
        world.settle(offer)
        bodies = " ".join(each.event.body for each in deliveries())
        assert str(order.pk) in bodies
        for each in (order.customer_name, "@", order.customer_phone, "pi_", "cus_", "checkout"):
            assert each not in bodies

    def test_without_a_webhook_nothing_is_written(self, world):
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer, 1)
        world.settle(offer)
        with rls.acting_as(rls.PLATFORM):
            assert WebhookEvent.objects.count() == WebhookDelivery.objects.count() == 0


class TestSpecials:
    def test_canceling_a_special_is_sent_with_its_orders(self, world, endpoint):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 1)
        forget()
        with rls.acting_as(world.restaurant):
            cancel_offer(
                restaurant=world.restaurant,
                offer_id=offer.pk,
                reason="The oven broke",
                by="Olga",
                now=world.now,
            )
        world.work()
        assert types() == ["special.canceled", "order.canceled", "payment.released"]

    def test_publishing_editing_rescuing_and_deleting_a_special_are_sent(self, world, endpoint):
        restaurant = world.restaurant
        with rls.acting_as(restaurant):
            offer = publish_offer(restaurant=restaurant, terms=TERMS, now=world.now)
            edit_offer(
                restaurant=restaurant,
                offer_id=offer.pk,
                changes={"name": "Osso buco alla milanese"},
                now=world.now,
            )
            rescue_offer(
                restaurant=restaurant,
                offer_id=offer.pk,
                action=LowerMinimum(2),
                by="Olga",
                now=world.now,
            )
            delete_offer(restaurant=restaurant, offer_id=offer.pk, now=world.now)
        assert types() == [
            *("special.published", "special.changed", "special.changed", "special.canceled")
        ]
        assert [data["name"] for _, data in told()][1] == "Osso buco alla milanese"
        assert [data["minimum"] for _, data in told()] == [4, 4, 2, 2]
        assert [data["status"] for _, data in told()] == ["active", "active", "active", "deleted"]


def test_a_dispute_is_opened(world, endpoint):
    order = charged(world)
    forget()
    disputed(world, order)
    opened = [data for kind, data in told() if kind == "dispute.opened"]
    (data,) = opened
    assert (data["orderId"], data["reason"], data["currency"]) == (
        str(order.pk),
        "fraudulent",
        "usd",
    )


def test_a_payout_is_sent_and_paid(cast, clock, endpoint_at):
    endpoint_at(cast.restaurant, "http://127.0.0.1:9/")
    with rls.acting_as(rls.PLATFORM):
        payout = Payout.objects.create(
            restaurant=cast.restaurant,
            amount=Decimal("47.44"),
            currency="usd",
            status="pending",
            created_at=clock.now,
        )
        for status in (PayoutStatus.SENT, PayoutStatus.SENT, PayoutStatus.PAID):
            payouts._apply(
                payout,
                PayoutSnapshot(
                    payout_id="po_1",
                    status=status,
                    amount=Decimal("47.44"),
                    currency="usd",
                    arrives_on=clock.now.date() + timedelta(days=2),
                    failure_code="",
                ),
                now=clock.now,
            )
    assert types() == ["payout.sent", "payout.paid"]
    assert told()[1][1] == {
        "id": str(payout.pk),
        "status": "paid",
        "amount": "47.44",
        "currency": "usd",
        "arrivesOn": "2027-03-24",
        "failureCode": "",
    }
