"""One card for several specials: each item is held, fixed, and settled by itself (X22–X24)."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import stripe
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.billing import stripe_gateway
from apps.billing.gateway import IntentStatus
from apps.preorders import tasks
from apps.preorders.cart import confirmation
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.manage.activity import activity_of
from apps.preorders.manage.order_list import orders_for_restaurant
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.settlement import reconciliation
from tests.factories import RestaurantFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import (
    ASKS_EVERY_TIME,
    ASKS_ONCE,
    DANA,
    DECLINED,
    GOOD,
    OFF_SESSION_DECLINED,
)
from tests.refusals import without_codes

# The new restaurant's limit, portions, slots, what is sold, the order, the copy for display.
MOST_TO_RESERVE_AN_ITEM = 14
NAMES = ("Arancini", "Bucatini", "Cannoli")
BANK_ASKS = "Your bank wants to make sure it's you."


@pytest.fixture
def three(world):
    return [world.offer(name=name, min_preorders=1) for name in NAMES]


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def item_of(begun, name):
    return next(item for item in begun.items if item.offer.name == name)


def refuse(world, begun, name, kind):
    """Make the bank answer this to the hold of one item."""
    fault = {"kind": kind, "pre_order": str(item_of(begun, name).pk)}
    world.stripe.control(hold_fault=fault)


def at_once(state, *names):
    return dict.fromkeys(names or NAMES, state)


def payment_of(world, begun, name):
    return world.fresh(item_of(begun, name)).payment_status


def settle_all(world, offers):
    world.at(max(offer.deadline for offer in offers))
    for offer in offers:
        world.close(offer)
    world.work()


class TestConfirming:
    def test_holds_each_line_in_its_own_intent(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        assert world.confirm_cart(begun) == at_once("held")
        for item in begun.items:
            (intent,) = world.intents(item)
            assert (intent.status, intent.amount) == ("requires_capture", 2592)
            assert intent.transfer_data.destination == (world.restaurant.connect_account.account_id)
            order = world.fresh(item)
            assert order.payment_intent_id == intent.id
            assert (order.payment_customer_id, order.payment_method_id) == (
                intent.customer,
                intent.payment_method,
            )
            # Held without the guest: Visa gives under five days (design §3).
            assert timedelta(days=4) < order.capture_before - world.now < timedelta(days=5)
            assert world.emails(order) == ["received"]
        assert [world.fresh(offer).ordered_portions for offer in three] == [1, 1, 1]

    def test_a_cart_confirmed_three_times_holds_each_item_once(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        assert [world.confirm_cart(begun) for _ in range(3)] == [at_once("held")] * 3
        assert world.calls("POST /v1/payment_intents") == 3
        assert PaymentOperation.objects.count() == 3

    def test_a_cart_confirmed_before_the_card_is_entered_holds_nothing(self, world, three):
        begun = world.begin_cart(*three)
        assert world.confirm_cart(begun) == at_once("open")
        world.give_card(begun, DECLINED)
        assert world.confirm_cart(begun) == at_once("open")
        assert not PaymentOperation.objects.exists()
        world.give_card(begun, GOOD)
        assert world.confirm_cart(begun) == at_once("held")

    def test_a_card_that_asks_once_asks_at_the_browser_and_then_never(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun, ASKS_ONCE, authenticate="leave")
        assert world.confirm_cart(begun) == at_once("open")
        begun = world.begin_cart(*three, guest=GuestDetails("Eve", "eve@example.test", "1"))
        world.give_card(begun, ASKS_ONCE)
        assert world.confirm_cart(begun) == at_once("held")

    def test_a_single_items_state_follows_its_own_intent(self, world, three):
        begun = world.begin_cart(three[0])
        assert world.confirm_cart(begun) == {"Arancini": "open"}
        world.give_card(begun, DECLINED)
        assert world.confirm_cart(begun) == {"Arancini": "declined"}
        world.give_card(begun, ASKS_EVERY_TIME, authenticate="leave")
        assert world.confirm_cart(begun) == {"Arancini": "requires_action"}
        world.give_card(begun, GOOD)
        assert world.confirm_cart(begun) == {"Arancini": "held"}
        assert len(world.intents(begun.items[0])) == 1
        world.settle(three[0])
        assert payment_of(world, begun, "Arancini") == "captured"
        assert_ledger_balances(world, three[0])

    def test_tells_in_one_shape_how_each_line_came_out(self, world, three, guest):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Bucatini", "insufficient_funds")
        refuse(world, begun, "Cannoli", "authentication_required")
        world.give_card(begun)
        body = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", {})
        assert body.status_code == 200
        assert body.json()["status"] == "partly"
        said = {item["name"]: (item["status"], item["message"]) for item in body.json()["items"]}
        assert said == {
            "Arancini": ("held", "You're in. No charge yet."),
            "Bucatini": ("declined", "Your card doesn't have enough funds. Try another card."),
            "Cannoli": ("requires_action", BANK_ASKS),
        }
        first = body.json()["items"][0]
        assert set(first) == {
            *("preorderId", "offerId", "name", "quantity", "totalAmount", "currency"),
            *("status", "message", "served", "seatsSentence", "cardTerms", "imageUrl", "orderUrl"),
            *(
                "chargeTerms",
                "shareUrl",
                "shareText",
                "calendarUrl",
                "code",
                "serveDate",
                "isShort",
                "tax",
            ),
            *("seatsState", "orderedPortions", "minPreordersRequired"),
            *("inShort", "inShortUntil"),
        }
        drawn = (first["seatsState"], first["orderedPortions"], first["minPreordersRequired"])
        offer = world.fresh(three[0])
        assert drawn == ("on", offer.ordered_portions, offer.min_preorders)
        assert first["calendarUrl"] == f"{first['orderUrl']}/calendar.ics"
        assert first["isShort"] is False
        assert first["seatsSentence"] == "It's on"
        assert first["inShort"] == "It's on"
        assert datetime.fromisoformat(first["inShortUntil"]) == offer.deadline
        assert first["orderUrl"].startswith("http://luigis.localhost:8000/order/")
        assert body.json()["address"] == world.restaurant.address
        assert body.json()["directionsUrl"].startswith("https://www.google.com/maps/search/?")
        arancini = PreOrder.objects.get(pk=first["preorderId"])
        assert (first["code"], first["serveDate"]) == (arancini.code, "2027-03-24")
        assert Decimal(first["tax"]) == arancini.tax
        assert first["shareUrl"].endswith(f"/specials/{three[0].pk}?ref={arancini.share_code}")
        assert first["shareText"] == (
            "Arancini at Luigi's, Wed, Mar 24: $24.00 instead of $30.00. It's on. "
            "Order by Tue, Mar 23, 12:00 PM EDT"
        )
        assert DANA.email not in body.content.decode()
        assert DANA.name not in body.content.decode()
        assert guest.get(f"/api/checkouts/{begun.cart.pk}").json() == body.json()

    def test_says_which_special_is_still_short_of_its_minimum(self, world, guest):
        short, on = world.offer(min_preorders=3), world.offer(min_preorders=1)
        begun = world.begin_cart(short, on)
        world.give_card(begun)
        items = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", {}).json()["items"]
        said = {each["offerId"]: (each["isShort"], each["seatsSentence"]) for each in items}
        assert said == {
            str(short.pk): (True, "2 more and it's on"),
            str(on.pk): (False, "It's on"),
        }

    def test_does_not_keep_the_guest_waiting_for_a_slow_processor(self, world, three, monkeypatch):
        monkeypatch.setattr(confirmation, "MAX_WAIT", -1)
        monkeypatch.setattr(confirmation, "WORKER_GRACE", ())
        begun = world.begin_cart(*three)
        world.give_card(begun)
        assert world.confirm_cart(begun) == at_once("open")
        world.work()
        assert world.confirm_cart(begun) == at_once("held")
        assert world.calls("POST /v1/payment_intents") == 3

    def test_what_cannot_be_read_is_said_and_gone_on_with_later(self, world, three, guest):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/setup_intents"})
        answer = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", {})
        assert answer.status_code == 503
        assert world.confirm_cart(begun) == at_once("held")


class TestOneItemRefused:
    def test_a_declined_item_is_fixed_with_another_card_while_the_others_stay_held(
        self, world, three, guest
    ):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Bucatini", "generic_decline")
        world.give_card(begun)
        assert world.confirm_cart(begun) == at_once("held") | {"Bucatini": "declined"}
        assert world.fresh(three[1]).reserved_portions == 1
        item = item_of(begun, "Bucatini")
        path = f"/api/checkouts/{begun.cart.pk}/items/{item.pk}/retry"
        retry = guest.post(path).json()
        (intent,) = world.intents(item)
        assert retry == {"clientSecret": intent.client_secret, "savedCard": False}
        assert guest.post(path).json() == retry
        assert world.stripe.confirm(retry["clientSecret"], DECLINED)["error"]
        assert world.confirm_cart(begun)["Bucatini"] == "declined"
        world.stripe.confirm(retry["clientSecret"], GOOD)
        assert world.confirm_cart(begun) == at_once("held")
        settle_all(world, three)
        assert {payment_of(world, begun, name) for name in NAMES} == {"captured"}
        assert_ledger_balances(world, *three)

    def test_an_item_that_the_bank_wants_authenticated_needs_no_other_card(
        self, world, three, guest
    ):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Cannoli", "authentication_required")
        world.give_card(begun)
        assert world.confirm_cart(begun) == at_once("held") | {"Cannoli": "requires_action"}
        path = f"/api/checkouts/{begun.cart.pk}/items/{item_of(begun, 'Cannoli').pk}/retry"
        retry = guest.post(path).json()
        assert retry["savedCard"] is True
        left = world.stripe.confirm(retry["clientSecret"], None, authenticate="leave")
        assert left["status"] == "requires_action"
        assert world.confirm_cart(begun)["Cannoli"] == "requires_action"
        assert guest.post(path).json() == retry
        failed = world.stripe.confirm(retry["clientSecret"], None, authenticate="fail")
        assert failed["error"]
        assert guest.post(path).json() == retry
        world.stripe.confirm(retry["clientSecret"], None)
        assert world.confirm_cart(begun) == at_once("held")
        answer = guest.post(path)
        assert answer.status_code == 409

    def test_keeps_its_portions_until_its_checkout_ends_and_no_longer(self, world, three):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Bucatini", "generic_decline")
        world.give_card(begun)
        world.confirm_cart(begun)
        world.later(minutes=30)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        assert world.fresh(three[1]).reserved_portions == 1
        world.later(minutes=1)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        assert world.fresh(three[1]).reserved_portions == 0
        assert world.confirm_cart(begun) == at_once("held") | {"Bucatini": "ended"}
        (intent,) = world.intents(item_of(begun, "Bucatini"))
        assert intent.status == "canceled"

    def test_a_declined_item_and_one_to_authenticate_leave_the_third_its_deadline(
        self, world, three
    ):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Bucatini", "generic_decline")
        refuse(world, begun, "Cannoli", "authentication_required")
        world.give_card(begun)
        assert world.confirm_cart(begun) == {
            "Arancini": "held",
            "Bucatini": "declined",
            "Cannoli": "requires_action",
        }
        settle_all(world, three)
        for offer in three:
            world.at(max(world.now, offer.deadline + timedelta(minutes=10)))
            world.close(offer)
        world.work()
        assert {name: payment_of(world, begun, name) for name in NAMES} == {
            "Arancini": "captured",
            "Bucatini": "unpaid",
            "Cannoli": "unpaid",
        }
        assert [world.fresh(offer).status for offer in three] == ["succeeded", "failed", "failed"]
        assert_ledger_balances(world, *three)

    def test_every_line_declined_is_a_cart_still_open(self, world, three, guest):
        begun = world.begin_cart(*three)
        world.give_card(begun, OFF_SESSION_DECLINED)
        body = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", {}).json()
        assert body["status"] == "open"
        assert {item["status"] for item in body["items"]} == {"declined"}

    def test_a_refusal_that_is_not_the_banks_can_be_fixed_too(self, world, three, guest):
        """The card was taken off the customer between giving and holding."""
        begun = world.begin_cart(*three[:2])
        world.give_card(begun)
        setup = stripe.SetupIntent.retrieve(world.fresh(begun.cart).setup_intent_id)
        stripe.PaymentMethod.detach(str(setup.payment_method))
        assert world.confirm_cart(begun) == at_once("declined", "Arancini", "Bucatini")
        path = f"/api/checkouts/{begun.cart.pk}/items/{begun.items[0].pk}/retry"
        retry = guest.post(path).json()
        assert retry["savedCard"] is False
        world.stripe.confirm(retry["clientSecret"], GOOD)
        assert world.confirm_cart(begun)["Arancini"] == "held"

    @pytest.fixture
    def detached(self, world, three, guest):
        """A cart whose card was taken off, and where its first item is retried."""
        begun = world.begin_cart(*three[:2])
        world.give_card(begun)
        setup = stripe.SetupIntent.retrieve(world.fresh(begun.cart).setup_intent_id)
        stripe.PaymentMethod.detach(str(setup.payment_method))
        world.confirm_cart(begun)
        return begun, f"/api/checkouts/{begun.cart.pk}/items/{begun.items[0].pk}/retry"

    def test_an_error_that_stripe_repeats_does_not_end_the_retries(self, world, guest, detached):
        begun, path = detached
        fault = {"kind": "500", "method": "POST", "path_prefix": "/v1/payment_intents"}
        world.stripe.control(http_fault=fault)
        answer = guest.post(path)
        assert answer.status_code == 200, answer.json()
        world.stripe.confirm(answer.json()["clientSecret"], GOOD)
        assert world.confirm_cart(begun)["Arancini"] == "held"

    def test_two_tabs_that_retry_at_once_confirm_one_intent(
        self, world, api, guest, detached, monkeypatch
    ):
        _, path = detached
        create, answers = stripe_gateway.create_intent, []

        def while_another_tab_is_faster(*charge, **more):
            monkeypatch.setattr(stripe_gateway, "create_intent", create)
            answers.append(api(at=world.restaurant).post(path))
            return create(*charge, **more)

        monkeypatch.setattr(stripe_gateway, "create_intent", while_another_tab_is_faster)
        answers.append(guest.post(path))
        assert [each.status_code for each in answers] == [200, 200]
        assert len({each.json()["clientSecret"] for each in answers}) == 1


class TestRetrying:
    def test_an_item_cannot_be_retried_before_a_card_is_entered(self, world, three, guest):
        begun = world.begin_cart(*three)
        path = f"/api/checkouts/{begun.cart.pk}/items/{begun.items[0].pk}/retry"
        answer = guest.post(path)
        assert answer.status_code == 409
        assert answer.json()["message"] == "Add a card for your cart first."

    def test_an_item_of_another_cart_is_not_found(self, world, three, guest):
        mine = world.begin_cart(*three)
        other = world.begin_cart(*three, guest=GuestDetails("Eve", "eve@example.test", "1"))
        path = f"/api/checkouts/{mine.cart.pk}/items/{other.items[0].pk}/retry"
        assert guest.post(path).status_code == 404

    def test_an_item_cannot_be_retried_after_the_checkout_ended(self, world, three, guest):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Arancini", "generic_decline")
        world.give_card(begun)
        world.confirm_cart(begun)
        world.later(minutes=32)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        path = f"/api/checkouts/{begun.cart.pk}/items/{begun.items[0].pk}/retry"
        assert guest.post(path).status_code == 409


class TestTurningBack:
    def test_gives_every_portion_up_and_closes_the_way_in(self, world, three, guest):
        begun = world.begin_cart(*three)
        answer = guest.delete(f"/api/checkouts/{begun.cart.pk}")
        assert (answer.status_code, answer.content) == (204, b"")
        assert [world.fresh(offer).reserved_portions for offer in three] == [0, 0, 0]
        setup = stripe.SetupIntent.retrieve(world.fresh(begun.cart).setup_intent_id)
        assert setup.status == "canceled"
        assert guest.delete(f"/api/checkouts/{begun.cart.pk}").status_code == 204
        assert guest.get(f"/api/checkouts/{begun.cart.pk}").json()["status"] == "ended"

    def test_leaving_a_cart_of_one_item_cancels_its_intent(self, world, three, guest):
        begun = world.begin_cart(three[0])
        assert guest.delete(f"/api/checkouts/{begun.cart.pk}").status_code == 204
        (intent,) = world.intents(begun.items[0])
        assert intent.status == "canceled"
        assert world.fresh(three[0]).reserved_portions == 0

    def test_frees_nothing_while_stripe_cannot_say_whether_a_card_was_given(
        self, world, three, guest
    ):
        begun = world.begin_cart(three[0])
        world.stripe.control(
            http_fault={"kind": "500", "method": "GET", "path_prefix": "/v1/payment_intents"}
        )
        answer = guest.delete(f"/api/checkouts/{begun.cart.pk}")
        assert answer.status_code == 503
        assert answer.json()["message"] == (
            "We couldn't reach the payment provider. Your cart is safe. Try again in a moment."
        )
        assert world.fresh(three[0]).reserved_portions == 1
        assert payment_of(world, begun, "Arancini") == "unpaid"

    def test_when_the_card_is_held_already_is_told_so(self, world, three, guest):
        begun = world.begin_cart(three[0])
        world.give_card(begun)
        answer = guest.delete(f"/api/checkouts/{begun.cart.pk}")
        assert answer.status_code == 409
        body = answer.json()
        assert (body["status"], body["errors"]) == ("held", [])
        assert body["message"] == (
            "Part of this cart is already ordered and can't be changed here."
        )
        assert payment_of(world, begun, "Arancini") == "authorized"

    def test_leaving_a_partly_held_cart_keeps_what_is_held(self, world, three, guest):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Bucatini", "generic_decline")
        world.give_card(begun)
        world.confirm_cart(begun)
        answer = guest.delete(f"/api/checkouts/{begun.cart.pk}")
        assert answer.status_code == 409
        states = {item["name"]: item["status"] for item in answer.json()["items"]}
        assert states == at_once("held") | {"Bucatini": "ended"}
        assert world.fresh(three[1]).reserved_portions == 0

    def test_leaves_a_card_given_at_that_moment_untouched(self, world, three, guest):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        assert guest.delete(f"/api/checkouts/{begun.cart.pk}").status_code == 204
        tasks.authorize_cart_task.delay(str(begun.cart.pk))
        world.work()
        assert stripe.PaymentIntent.list().data == []


class TestWithoutAName:
    """A cart without a name (DECISIONS X24)."""

    def test_the_confirmation_asks_for_it_and_nothing_counts_before(self, world, three, guest):
        begun = world.begin_cart(*three, guest=None)
        world.give_card(begun)
        tasks.authorize_cart_task.delay(str(begun.cart.pk))
        world.work()
        answer = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", {})
        assert answer.status_code == 400
        assert without_codes(answer.json()) == {
            "message": "Name is required",
            "errors": [
                {"field": "guest.name", "message": "Name is required"},
                {"field": "guest.email", "message": "Valid email is required"},
            ],
        }
        assert stripe.PaymentIntent.list().data == []
        sent = {"guest": {"name": "Dana", "email": "dana@example.test", "phone": "1"}}
        answer = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", sent)
        assert answer.json()["status"] == "held"
        assert {world.fresh(item).customer_name for item in begun.items} == {"Dana"}

    def test_a_hold_that_is_there_counts_once_it_is_known(self, world, three, guest):
        begun = world.begin_cart(three[0], guest=None)
        world.give_card(begun)
        world.hear_of_intent(begun.items[0])
        order = world.fresh(begun.items[0])
        assert (order.status, order.payment_status) == ("pending", "unpaid")
        assert world.fresh(three[0]).ordered_portions == 0
        assert world.emails(order) == []
        assert guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", {}).status_code == 400
        world.later(minutes=5)
        assert reconciliation.reconcile(now=world.now) == 0
        assert world.confirm_cart(begun, DANA) == {"Arancini": "held"}
        assert world.emails(order) == ["received"]

    @pytest.mark.parametrize("end", ["checkout", "deadline"])
    def test_a_hold_that_stays_nobodys_is_released(self, world, end):
        life = timedelta(days=2) if end == "checkout" else timedelta(minutes=5)
        offer = world.offer(min_preorders=1, deadline=world.now + life)
        begun = world.begin_cart(offer, guest=None)
        world.give_card(begun)
        world.hear_of_intent(begun.items[0])
        if end == "checkout":
            world.later(minutes=32)
            tasks.end_abandoned_checkouts_task.delay()
        else:
            world.at(offer.deadline + timedelta(minutes=10))
            world.close(offer)
        world.work()
        order = world.fresh(begun.items[0])
        assert (order.status, order.payment_status) == ("cancelled", "released")
        assert world.emails(order) == []
        world.settle(offer)
        assert world.fresh(offer).status == "failed"
        assert_ledger_balances(world, offer)

    def test_an_incomplete_guest_is_refused(self, world, three, guest):
        begun = world.begin_cart(*three, guest=None)
        sent = {"guest": {"name": "", "email": "dana"}}
        answer = guest.post(f"/api/checkouts/{begun.cart.pk}/confirm", sent)
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [
            "guest.name",
            "guest.email",
        ]


class TestWhatTheRestaurantSees:
    def test_no_line_without_a_name(self, world, three):
        world.begin_cart(*three, guest=None)
        named = world.begin_cart(three[0])
        page = orders_for_restaurant(restaurant=world.restaurant, now=world.now)
        assert [order.pk for order in page.orders] == [named.items[0].pk]
        assert (page.totals.rows, page.totals.orders) == (1, 0)  # no card is held yet

    def test_the_restaurant_sees_that_a_card_was_not_held_and_why(self, world, three):
        begun = world.begin_cart(*three)
        refuse(world, begun, "Bucatini", "insufficient_funds")
        world.give_card(begun)
        world.confirm_cart(begun)
        body = {
            name: [each.text for each in activity_of(world.fresh(item_of(begun, name)))]
            for name in ("Arancini", "Bucatini")
        }
        assert "The card couldn't be held" in body["Bucatini"]
        assert "The card couldn't be held" not in body["Arancini"]


class TestWhenTheBrowserDies:
    """After confirmSetup the browser is gone: the webhook, the reconciler, the sweep, or the
    deadline continues."""

    def test_the_webhooks_task_holds_the_cards(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        tasks.authorize_cart_task.delay(str(begun.cart.pk))
        world.work()
        assert {payment_of(world, begun, name) for name in NAMES} == {"authorized"}

    def test_reconciliation_holds_the_items_when_the_browser_and_the_webhook_are_lost(
        self, world, three
    ):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.later(minutes=5)
        tasks.authorize_forgotten_carts_task.delay()
        world.work()
        assert {payment_of(world, begun, name) for name in NAMES} == {"authorized"}

    def test_the_sweep_does_before_it_would_end_the_checkout(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.later(minutes=32)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        assert {payment_of(world, begun, name) for name in NAMES} == {"authorized"}

    def test_the_deadline_does_within_its_grace(self, world):
        offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
        later = world.offer(min_preorders=1)
        begun = world.begin_cart(offer, later)
        world.at(offer.deadline + timedelta(minutes=3))
        world.give_card(begun)
        assert world.close(offer) == "closing"
        world.work()
        assert world.fresh(offer).status == "succeeded"
        assert world.fresh(later).ordered_portions == 1
        world.settle(later)
        assert_ledger_balances(world, offer, later)

    def test_a_card_given_after_the_grace_holds_only_what_is_still_open(self, world):
        offer = world.offer(name="Past", deadline=world.now + timedelta(minutes=5))
        later = world.offer(name="Open")
        begun = world.begin_cart(offer, later)
        world.at(offer.deadline + timedelta(minutes=10))
        world.give_card(begun)
        assert world.close(offer) == "failed"
        assert world.confirm_cart(begun) == {"Past": "ended", "Open": "held"}
        assert world.calls("POST /v1/payment_intents") == 1


class TestAsAnyOtherOrder:
    def test_an_abandoned_cart_gives_its_portions_back(self, world, three):
        begun = world.begin_cart(*three)
        world.later(minutes=32)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        assert [world.fresh(offer).reserved_portions for offer in three] == [0, 0, 0]
        setup = stripe.SetupIntent.retrieve(world.fresh(begun.cart).setup_intent_id)
        assert setup.status == "canceled"

    def test_a_line_called_off_is_not_held_afterwards(self, world, three):
        begun = world.begin_cart(*three)
        world.cancel(item_of(begun, "Bucatini"))
        world.give_card(begun)
        assert world.confirm_cart(begun) == at_once("held") | {"Bucatini": "ended"}
        assert world.calls("POST /v1/payment_intents") == 2

    def test_a_single_line_called_off_cannot_be_paid_any_more(self, world, three):
        begun = world.begin_cart(three[0])
        world.cancel(begun.items[0])
        (intent,) = world.intents(begun.items[0])
        assert intent.status == "canceled"

    def test_a_hold_that_would_die_is_renewed_like_others(self, world):
        deadline = world.now + timedelta(days=6)
        offers = [world.offer(min_preorders=2, deadline=deadline) for _ in range(2)]
        begun = world.begin_cart(*offers)
        world.give_card(begun)
        world.confirm_cart(begun)
        first = {world.fresh(item).payment_intent_id for item in begun.items}
        world.later(days=4)
        tasks.renew_authorizations_task.delay()
        world.work()
        renewed = [world.fresh(item) for item in begun.items]
        assert not first & {order.payment_intent_id for order in renewed}
        assert all(order.capture_before > deadline for order in renewed)
        for offer in offers:
            world.authorized_order(offer)
        settle_all(world, offers)
        assert {world.fresh(item).payment_status for item in begun.items} == {"captured"}
        assert_ledger_balances(world, *offers)

    def test_each_special_settles_by_itself(self, world):
        offers = [world.offer(min_preorders=1), world.offer(min_preorders=9)]
        begun = world.begin_cart(*offers)
        world.give_card(begun)
        world.confirm_cart(begun)
        settle_all(world, offers)
        assert [world.fresh(offer).status for offer in offers] == ["succeeded", "failed"]
        outcome = {item.offer_id: world.fresh(item).payment_status for item in begun.items}
        assert outcome == {offers[0].pk: "captured", offers[1].pk: "released"}
        assert_ledger_balances(world, *offers)
        world.refund(next(item for item in begun.items if item.offer_id == offers[0].pk), "5.00")
        world.work()
        assert_ledger_balances(world, *offers)

    def test_a_second_hold_takes_the_place_of_a_refused_one(self, world, three):
        """A lost answer hid the refusal from the worker; its webhook told us of the intent."""
        offers = three[:2]
        begun = world.begin_cart(*offers)
        world.stripe.control(hold_fault={"kind": "generic_decline", "times": 2})
        world.give_card(begun)
        world.stripe.control(
            http_fault={"kind": "lost_response", "path_prefix": "/v1/payment_intents"}
        )
        tasks.authorize_cart_task.delay(str(begun.cart.pk))
        world.work()
        operation = PaymentOperation.objects.get(state="pending")
        item = operation.pre_order
        world.hear_of_intent(item)
        refused = world.fresh(item).payment_intent_id
        PaymentOperation.objects.filter(pk=operation.pk).update(epoch=1)
        world.later(minutes=1)
        tasks.run_due_operations_task.delay()
        world.work()
        held = world.fresh(item)
        assert (held.payment_status, world.fresh(operation).state) == ("authorized", "done")
        assert held.payment_intent_id != refused
        settle_all(world, offers)
        for offer in offers:
            world.at(max(world.now, offer.deadline + timedelta(minutes=10)))
            world.close(offer)
        world.work()
        assert world.fresh(item).payment_status == "captured"
        assert_ledger_balances(world, *offers)

    @pytest.mark.parametrize("state", [IntentStatus.NEEDS_ACTION, IntentStatus.PROCESSING])
    def test_a_hold_that_isnt_there_yet_is_no_hold(self, world, three, monkeypatch, state):
        """Stripe answers, and the money isn't held: the guest is asked, and nothing counts."""

        def answered(*args, **facts):
            return replace(held(*args, **facts), state=state)

        begun = world.begin_cart(*three[:2])
        world.give_card(begun)
        held = stripe_gateway.charge_off_session
        monkeypatch.setattr(stripe_gateway, "charge_off_session", answered)
        tasks.authorize_cart_task.delay(str(begun.cart.pk))
        world.work()
        for operation in PaymentOperation.objects.filter(kind="authorize"):
            assert (operation.state, operation.reason_code) == ("failed", state)
        assert {world.fresh(offer).ordered_portions for offer in three[:2]} == {0}

    def test_the_plain_form_never_goes_on_with_a_carts_line(self, world, three):
        begun = world.begin_cart(three[0])
        facts = {"name": DANA.name, "email": DANA.email, "phone": DANA.phone}
        order = world.begin(three[0], **facts)
        assert order.pk != begun.items[0].pk
        assert order.checkout_url

    def test_what_is_left_of_a_guest_after_erasing_tells_nothing(self, world, three):
        begun = world.begin_cart(*three)
        assert world.fresh(begun.cart).fingerprint
        for item in begun.items:
            world.cancel(item)
        world.work()
        erase_guest(order=world.fresh(begun.items[0]), now=world.now)
        assert world.fresh(begun.cart).fingerprint == ""

    def test_the_guests_own_pages_hear_of_the_hold(self, world, three):
        begun = world.begin_cart(three[0])
        world.give_card(begun)
        world.hear(begun.items[0])
        assert payment_of(world, begun, "Arancini") == "authorized"


class TestWhose:
    def test_a_checkout_is_found_on_its_restaurants_host_and_the_platforms_alone(
        self, world, three, api
    ):
        begun = world.begin_cart(*three)
        path = f"/api/checkouts/{begun.cart.pk}"
        other = RestaurantFactory()
        item = begun.items[0].pk
        for method, at in (
            ("get", path),
            ("delete", path),
            ("post", f"{path}/confirm"),
            ("post", f"{path}/items/{item}/retry"),
        ):
            assert getattr(api(at=other), method)(at).status_code == 404
            assert getattr(api(), method)(f"{at}?rid={other.pk}").status_code == 404
        assert [world.fresh(offer).reserved_portions for offer in three] == [1, 1, 1]
        assert api(at=world.restaurant).get(path).status_code == 200
        assert api().get(path).status_code == 200

    def test_an_unknown_checkout_is_not_found(self, guest):
        path = "/api/checkouts/00000000-0000-4000-8000-000000000000"
        assert guest.get(path).status_code == 404
        assert guest.delete(path).status_code == 404
        assert guest.post(f"{path}/confirm", {}).status_code == 404
        assert guest.post(f"{path}/items/{path[-36:]}/retry").status_code == 404
        assert guest.get("/api/checkouts/mine").status_code == 404


class TestStatements:
    """The number of a cart's statements grows by what each item needs, not faster."""

    def counted(self, action):
        with CaptureQueriesContext(connection) as asked:
            action()
        return len(asked)

    def test_starting_a_cart_sends_a_fixed_number_of_statements_per_item(self, world):
        world.begin_cart(world.offer())  # fills the caches
        carts = [[world.offer(max_preorders=9) for _ in range(n)] for n in (2, 4, 6)]
        first, second, third = [
            self.counted(lambda offers=offers: world.begin_cart(*offers)) for offers in carts
        ]
        assert second - first == third - second
        assert (second - first) / 2 <= MOST_TO_RESERVE_AN_ITEM

    def test_reading_a_checkout_sends_as_many_statements_for_any_number_of_items(
        self, world, guest
    ):
        paths = []
        for n in (1, 2, 6):
            begun = world.begin_cart(*[world.offer() for _ in range(n)])
            world.give_card(begun)
            world.confirm_cart(begun)
            paths.append(f"/api/checkouts/{begun.cart.pk}")
        guest.get(paths[0])  # reads what later ones find in the cache
        few, many = [self.counted(lambda path=path: guest.get(path)) for path in paths[1:]]
        assert few == many
