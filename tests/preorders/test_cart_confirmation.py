"""How long a cart's confirmation waits, and what a guest who tries one item again is told."""

from datetime import timedelta

import pytest
import stripe

from apps.preorders.cart import confirmation
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.settlement import cart_items, worker
from tests.factories import DishFactory

NAMES = ("Arancini", "Bucatini", "Cannoli")
ALREADY_IN = "You're already in with this order. You don't need to do anything."
CARD_MISSING = "Add a card for your cart first."
NEVER_HELD = "This order has ended. Your card wasn't held or charged."
OVER = "Orders for this special have closed. Your card wasn't held or charged."
NO_ANSWER = "We couldn't reach the payment provider. Your cart is safe. Try again in a moment."
WORKING = "We're waiting for your bank. Try again in a moment."


@pytest.fixture
def three(world):
    return [world.offer(name=name, min_preorders=1) for name in NAMES]


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


@pytest.fixture
def pauses(monkeypatch):
    """A list of the seconds that a confirmation would sleep; the test doesn't sleep."""
    slept: list[float] = []
    monkeypatch.setattr(confirmation, "sleep", slept.append)
    return slept


def claim_by_another(world, begun):
    """A worker has begun to hold each item, and hasn't said how it came out."""
    for pk in cart_items.authorize_items(begun.cart.pk, now=world.now):
        PaymentOperation.objects.filter(pk=pk).update(attempts=1, due_at=world.now + worker.LEASE)


class TestWaiting:
    def test_items_whose_turn_comes_after_eight_seconds_are_left_to_a_worker(
        self, world, three, pauses, monkeypatch
    ):
        seconds = iter([100.0, 108.0, 108.5])
        monkeypatch.setattr(confirmation, "monotonic", lambda: next(seconds))
        begun = world.begin_cart(*three)
        world.give_card(begun)
        assert sorted(world.confirm_cart(begun).values()) == ["held", "open", "open"]
        world.work()
        assert world.calls("POST /v1/payment_intents") == 3
        assert {order.payment_status for order in PreOrder.objects.all()} == {"authorized"}

    def test_nobody_waits_for_a_worker_when_all_is_held(self, world, three, pauses):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.confirm_cart(begun)
        assert pauses == []

    def test_a_guest_waits_a_few_seconds_for_a_worker_and_no_longer(self, world, three, pauses):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        claim_by_another(world, begun)
        assert set(world.confirm_cart(begun).values()) == {"open"}
        assert len(pauses) == 4
        assert sum(pauses) == pytest.approx(2.6)

    def test_a_guest_waits_no_longer_than_the_worker_takes(self, world, three, monkeypatch):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        claim_by_another(world, begun)
        pauses = []

        def the_worker_goes_on(seconds):
            pauses.append(seconds)
            if len(pauses) == 2:
                PaymentOperation.objects.update(due_at=world.now)
                for operation in PaymentOperation.objects.all():
                    worker.run_operation(operation.pk, now=world.now)

        monkeypatch.setattr(confirmation, "sleep", the_worker_goes_on)
        assert set(world.confirm_cart(begun).values()) == {"held"}
        assert len(pauses) == 2


class TestTryingAgain:
    """`POST /api/checkouts/{id}/items/{id}/retry`, when there is nothing to try."""

    def refusal(self, guest, begun, position=0):
        path = f"/api/checkouts/{begun.cart.pk}/items/{begun.items[position].pk}/retry"
        answer = guest.post(path)
        assert answer.status_code == 409
        return answer.json()["code"], answer.json()["message"]

    @pytest.mark.parametrize("how_many", [1, 3])
    def test_an_item_that_is_held_is_an_order_already(self, world, three, guest, how_many):
        begun = world.begin_cart(*three[:how_many])
        world.give_card(begun)
        world.confirm_cart(begun)
        assert self.refusal(guest, begun) == ("already_ordered", ALREADY_IN)

    def test_a_single_items_hold_that_nobody_told_us_of_is_an_order_already(
        self, world, three, guest
    ):
        begun = world.begin_cart(three[0])
        world.give_card(begun)
        assert self.refusal(guest, begun) == ("already_ordered", ALREADY_IN)
        assert world.fresh(begun.items[0]).payment_status == "authorized"

    def test_a_single_item_whose_intent_has_ended_is_closed(self, world, three, guest):
        begun = world.begin_cart(three[0])
        stripe.PaymentIntent.cancel(str(world.fresh(begun.items[0]).payment_intent_id))
        assert self.refusal(guest, begun) == ("orders_closed", NEVER_HELD)
        assert world.fresh(begun.items[0]).status == "cancelled"

    def test_an_item_is_closed_when_its_grace_is_over(self, world, three, guest):
        begun = world.begin_cart(three[0])
        world.at(three[0].deadline + timedelta(minutes=11))
        assert self.refusal(guest, begun) == ("orders_closed", OVER)
        assert world.fresh(begun.items[0]).status == "pending"

    def test_a_canceled_item_is_closed(self, world, three, guest):
        begun = world.begin_cart(*three)
        guest.delete(f"/api/checkouts/{begun.cart.pk}")
        assert self.refusal(guest, begun) == ("orders_closed", NEVER_HELD)

    def test_a_held_item_that_was_canceled_does_not_deny_the_hold(self, world, three, guest):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.confirm_cart(begun)
        world.cancel(world.fresh(begun.items[0]))
        world.work()
        ended = "This order has ended. You pay nothing."
        assert self.refusal(guest, begun) == ("orders_closed", ended)

    @pytest.mark.parametrize("how_many", [1, 3])
    def test_without_a_guests_name_a_card_is_still_to_be_given(self, world, three, guest, how_many):
        begun = world.begin_cart(*three[:how_many], guest=None)
        assert self.refusal(guest, begun)[1] == CARD_MISSING

    def test_an_item_that_a_worker_is_holding_waits_for_the_bank(self, world, three, guest):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        claim_by_another(world, begun)
        assert self.refusal(guest, begun)[1] == WORKING

    def test_when_stripe_does_not_answer_the_guest_can_try_later(self, world, three, guest):
        begun = world.begin_cart(three[0])
        world.stripe.control(
            http_fault={"kind": "500", "method": "GET", "path_prefix": "/v1/payment_intents"}
        )
        path = f"/api/checkouts/{begun.cart.pk}/items/{begun.items[0].pk}/retry"
        answer = guest.post(path)
        assert (answer.status_code, answer.json()["message"]) == (503, NO_ANSWER)
        assert guest.post(path).json()["clientSecret"] == begun.client_secret


def test_leaving_a_cart_keeps_the_items_that_a_worker_is_holding(world, three, guest):
    begun = world.begin_cart(*three)
    world.give_card(begun)
    claim_by_another(world, begun)
    PaymentOperation.objects.filter(pre_order=begun.items[0]).delete()
    answer = guest.delete(f"/api/checkouts/{begun.cart.pk}")
    assert answer.status_code == 409
    statuses = [world.fresh(item).status for item in begun.items]
    assert statuses == ["cancelled", "pending", "pending"]
    assert [world.fresh(offer).reserved_portions for offer in three] == [0, 1, 1]


def test_an_item_of_a_cart_never_shows_its_guests_first_name_to_friends(world):
    (order,) = world.begin_cart(world.offer()).items
    assert world.fresh(order).shows_first_name is False


def test_an_item_agrees_to_the_alternative_only_when_it_says_so(world):
    offer = world.offer()
    offer.has_alternative = True
    offer.alternative_dish = DishFactory(restaurant=offer.restaurant, price="15.00")
    offer.save()
    (order,) = world.begin_cart(offer).items
    assert order.alternative_price is None
