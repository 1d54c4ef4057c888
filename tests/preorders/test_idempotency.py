"""Idempotency-Key: a request that creates something or moves money takes effect once, however often
it is sent."""

from datetime import timedelta
from functools import partial

import pytest

from apps.common import clock as program_clock
from apps.preorders.cart import services as cart_services
from apps.preorders.models import Cart, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import EmailKind, OperationKind
from apps.privacy import retention
from apps.restaurants import idempotency
from apps.restaurants.models import IdempotencyKey
from tests.contract.test_every_operation import OPERATIONS
from tests.factories import MembershipFactory, UserFactory
from tests.preorders.test_cart import PATH as CART
from tests.preorders.test_cart import body as cart_body
from tests.preorders.test_cart import item

pytestmark = pytest.mark.django_db
KEY = "9c4e0a7d2b6f4c1e8a3d5b7f9e1c2a4d"
CREATE_OR_MOVE_MONEY = {
    "post /api/pre-orders",
    "post /api/create-multi-offer-payment-intent",
    "post /api/checkouts/{checkoutId}/items/{orderId}/retry",
    "post /api/dishes/special-offers",
    "post /api/orders/bulk",
    "post /api/orders/phone",
    "post /api/orders/{orderId}/cancel",
    "post /api/orders/{orderId}/refund",
    "post /api/specials/{offerId}/cancel",
    "post /api/specials/{offerId}/rescue",
}
WRITE_TO_GUESTS = {"post /api/specials/{offerId}/messages"}


def test_every_call_that_creates_or_moves_money_or_writes_to_guests_takes_a_key():
    takes = {
        f"{method} {path}"
        for method, path, operation in OPERATIONS
        if any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))
    }
    assert takes == CREATE_OR_MOVE_MONEY | WRITE_TO_GUESTS


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1)


@pytest.fixture
def order(world, offer):
    held = world.authorized_order(offer, 2)
    world.settle(offer)
    return world.fresh(held)


@pytest.fixture
def owner(api, world):
    user = UserFactory()
    MembershipFactory(user=user, restaurant=world.restaurant, role="owner")
    return api(user)


def refund(client, order, amount="10.00", *, key=KEY):
    sent = {"amount": amount, "reason": "Cold soup"}
    path = f"/api/orders/{order.pk}/refund"
    return client.post(path, sent, headers={"Idempotency-Key": key})


def refunds(order):
    return PaymentOperation.objects.filter(pre_order=order, kind=OperationKind.REFUND)


def carry_out(world):
    world.work()
    world.later(minutes=2)


class TestAPartialRefund:
    def test_repeated_after_it_was_carried_out_is_one_refund_with_the_first_answer(
        self, world, owner, order
    ):
        first = refund(owner, order)
        assert first.status_code == 200, first.content
        carry_out(world)
        again = refund(owner, order)
        assert (again.status_code, again.json()) == (200, first.json())
        assert again.headers["Idempotent-Replayed"] == "true"
        assert "Idempotent-Replayed" not in first.headers
        assert refunds(order).count() == 1

    def test_under_another_key_is_another_refund(self, world, owner, order):
        refund(owner, order)
        carry_out(world)
        assert refund(owner, order, key="another").status_code == 200
        assert refunds(order).count() == 2

    def test_of_another_amount_under_the_same_key_is_refused(self, world, owner, order):
        refund(owner, order)
        carry_out(world)
        refused = refund(owner, order, "11.00")
        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
        assert refunds(order).count() == 1

    def test_that_was_refused_can_be_corrected_under_its_key(self, owner, order):
        assert refund(owner, order, "1000.00").status_code == 400
        assert not IdempotencyKey.objects.exists()
        assert refund(owner, order).status_code == 200

    def test_whose_process_died_before_it_answered_is_not_made_twice(
        self, world, owner, order, monkeypatch
    ):
        """Committed, and its answer not stored: what a killed process leaves behind."""
        with monkeypatch.context() as dying:
            dying.setattr(idempotency.Attempt, "store", die)
            dying.setattr(idempotency.Attempt, "release", lambda attempt: None)
            with pytest.raises(Died):
                refund(owner, order)
        carry_out(world)
        again = refund(owner, order)
        assert again.status_code == 200
        assert refunds(order).count() == 1
        assert refund(owner, order).headers["Idempotent-Replayed"] == "true"

    def test_whose_process_died_before_it_did_anything_is_made(
        self, world, owner, order, monkeypatch
    ):
        with monkeypatch.context() as dying:
            dying.setattr("apps.preorders.manage.api.payments.refund_order", die)
            dying.setattr(idempotency.Attempt, "release", lambda attempt: None)
            with pytest.raises(Died):
                refund(owner, order)
        waiting = refund(owner, order)
        assert (waiting.status_code, waiting.json()["code"]) == (409, "request_in_progress")
        assert waiting.headers["Retry-After"] == "2"
        world.later(seconds=91)
        assert refund(owner, order).status_code == 200
        assert refunds(order).count() == 1

    def test_that_outlived_its_claim_is_undone_when_another_was_first(self, world, owner, order):
        now = program_clock.now()
        claim = partial(
            idempotency.claim_key, restaurant=world.restaurant, caller="", key=KEY, fingerprint="f"
        )
        slow = claim(now=now)
        quick = claim(now=now + timedelta(seconds=91))
        quick.record(order.pk)
        with pytest.raises(idempotency.StillRunning):
            slow.record(order.pk)

    def test_keys_are_a_callers_own(self, api, world, owner, order):
        refund(owner, order, "1.00")
        carry_out(world)
        user = UserFactory()
        MembershipFactory(user=user, restaurant=world.restaurant, role="owner")
        assert refund(api(user), order, "2.00").status_code == 200
        assert refunds(order).count() == 2

    def test_answers_are_forgotten_after_a_day(self, world, owner, order):
        refund(owner, order)
        now = program_clock.now()
        data = "Answers to requests with an idempotency key"
        rule = next(each for each in retention.RULES if each.data == data)
        assert not rule.find(now + timedelta(hours=23)).exists()
        assert rule.find(now + timedelta(hours=25)).count() == 1


class Died(BaseException):
    """The process was killed here."""


def die(*args, **kwargs):
    raise Died


class TestACartWithoutAGuest:
    def send(self, client, offer, key=KEY):
        sent = cart_body(item(offer), guest=...)
        return client.post(CART, sent, headers={"Idempotency-Key": key})

    def test_repeated_reserves_its_portions_once(self, api, world, offer):
        guest = api(at=world.restaurant)
        first, again = self.send(guest, offer), self.send(guest, offer)
        assert (first.status_code, again.status_code) == (201, 201)
        assert again.json() == first.json()
        assert Cart.objects.count() == PreOrder.objects.count() == 1
        assert world.fresh(offer).reserved_portions == 1

    def test_whose_process_died_continues_with_its_cart(self, api, world, offer, monkeypatch):
        guest = api(at=world.restaurant)
        with monkeypatch.context() as dying:
            dying.setattr(cart_services, "client_secret_of", die)
            dying.setattr(idempotency.Attempt, "release", lambda attempt: None)
            with pytest.raises(Died):
                self.send(guest, offer)
        world.later(seconds=91)
        assert self.send(guest, offer).status_code == 201
        assert Cart.objects.count() == 1
        assert world.fresh(offer).reserved_portions == 1

    def test_under_another_key_is_another_cart(self, api, world, offer):
        guest = api(at=world.restaurant)
        self.send(guest, offer)
        self.send(guest, offer, key="another")
        assert Cart.objects.count() == 2


class TestAMessageToGuests:
    def send(self, owner, offer, key=KEY):
        path = f"/api/specials/{offer.pk}/messages"
        sent = {"text": "We moved to 6:30."}
        return owner.post(path, sent, headers={"Idempotency-Key": key})

    def emails(self):
        return Email.objects.filter(kind=EmailKind.GUEST_MESSAGE).count()

    def test_repeated_is_sent_once_with_the_first_answer(self, owner, order):
        first, again = self.send(owner, order.offer), self.send(owner, order.offer)
        assert (first.status_code, first.json()["guests"]) == (201, 1)
        assert (again.status_code, again.json()) == (201, first.json())
        assert self.emails() == 1

    def test_under_another_key_is_another_message(self, owner, order):
        self.send(owner, order.offer)
        assert self.send(owner, order.offer, key="another").status_code == 201
        assert self.emails() == 2

    def test_whose_process_died_before_it_answered_is_not_sent_twice(
        self, world, owner, order, monkeypatch
    ):
        with monkeypatch.context() as dying:
            dying.setattr(idempotency.Attempt, "store", die)
            dying.setattr(idempotency.Attempt, "release", lambda attempt: None)
            with pytest.raises(Died):
                self.send(owner, order.offer)
        world.later(seconds=91)
        again = self.send(owner, order.offer)
        assert (again.status_code, again.json()["guests"]) == (201, 1)
        assert self.emails() == 1


def test_a_phone_order_repeated_minutes_later_is_one_order(world, owner, offer):
    sent = {
        "offerId": str(offer.pk),
        "quantity": 2,
        "customerName": "Dana Guest",
        "customerPhone": "212 555 0199",
    }
    press = partial(owner.post, "/api/orders/phone", sent, headers={"Idempotency-Key": KEY})
    first = press()
    assert first.status_code == 201, first.content
    world.later(minutes=3)  # beyond what counts as a double press without a key
    assert press().json() == first.json()
    assert PreOrder.objects.count() == 1
