"""A card without room for two holds: the guest lets the old one go first (decision 50)."""

from datetime import timedelta

import pytest

from apps.billing import stripe_gateway
from apps.billing.gateway import Unreachable
from apps.common.errors import Conflict
from apps.preorders import tasks
from apps.preorders.core.links import order_path
from apps.preorders.guest import changes, replacement
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, OperationKind, PaymentStatus
from apps.preorders.settlement import payments
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.access import allow

SIXTY = "4000000000006009"  # has 60.00; a portion with tax is 25.92
RELEASE_CALL = "POST /v1/payment_intents/{id}/cancel"


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1, max_preorders=3)


@pytest.fixture
def full_card(world, offer):
    """An order of two portions on a card whose limit leaves no room for a hold of three beside
    it."""
    order = world.authorized_order(offer, 2, SIXTY)
    assert order.payment_status == PaymentStatus.AUTHORIZED
    return changes.change_quantity(order=order, quantity=3, now=world.now)


def held(world, order):
    """Cents on hold at Stripe for the order."""
    return [each.amount for each in world.intents(order) if each.status == "requires_capture"]


def give_card(world, order, card):
    page = replacement.page_for_new_hold(world.fresh(order), now=world.now)
    assert page
    return world.pay(world.fresh(order), card)


class TestLettingTheOldOneGoFirst:
    def test_makes_room_for_the_new_one(self, world, offer, full_card):
        """Two portions hold 51.84 of 60.00; the card has no 77.76 either, another one does."""
        world.stripe.control(card_limit={"number": SIXTY, "limit": 8000})
        assert replacement.can_release_first(full_card)
        order = replacement.release_first(order=full_card, now=world.now)
        assert (order.payment_status, order.quantity) == (PaymentStatus.UNPAID, 3)
        assert held(world, order) == []
        give_card(world, order, SIXTY)
        world.hear(order)
        order = world.fresh(order)
        assert (order.payment_status, order.quantity) == (PaymentStatus.AUTHORIZED, 3)
        assert held(world, order) == [7776]
        world.settle(offer)
        assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
        assert_ledger_balances(world, offer)

    def test_without_it_the_card_declines_the_second_hold(self, world, full_card):
        world.stripe.control(card_limit={"number": SIXTY, "limit": 8000})
        (waiting,) = full_card.operations.filter(kind=OperationKind.RENEW)
        session = next(each for each in world.sessions() if each.id == waiting.reference)
        outcome = world.stripe.pay(session.id, number=SIXTY)
        assert "insufficient funds" in str(outcome)
        assert held(world, full_card) == [5184]

    def test_keeps_the_portions_for_nobody_else_meanwhile(self, world, offer, full_card):
        replacement.release_first(order=full_card, now=world.now)
        fresh = world.fresh(offer)
        assert (fresh.reserved_portions, fresh.ordered_portions) == (3, 0)
        with pytest.raises(Conflict, match="Sold out"):
            world.begin(fresh)

    def test_renews_a_hold_that_would_end(self, world):
        offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=9)
        world.stripe.control(card_limit={"number": SIXTY, "limit": 4000})
        order = world.authorized_order(offer, 1, SIXTY)
        world.later(days=6, minutes=10)
        tasks.renew_authorizations_task.delay()
        world.work()
        assert "renew_authorization" in world.emails(order)
        assert replacement.can_release_first(order)
        replacement.release_first(order=order, now=world.now)
        give_card(world, order, SIXTY)
        world.hear(order)
        assert world.fresh(order).payment_status == PaymentStatus.AUTHORIZED
        assert held(world, order) == [2592]

    def test_twice_releases_once_and_opens_one_page(self, world, full_card):
        pages = len(world.sessions())
        for _ in range(2):
            order = replacement.release_first(order=full_card, now=world.now)
            replacement.page_for_new_hold(order, now=world.now)
        assert len(world.sessions()) == pages + 1
        assert world.calls(RELEASE_CALL) == 1

    def test_is_refused_while_no_new_hold_is_awaited(self, world, offer):
        order = world.authorized_order(offer)
        assert not replacement.can_release_first(order)
        with pytest.raises(Conflict, match="doesn't need a new hold"):
            replacement.release_first(order=order, now=world.now)
        assert held(world, order) == [2592]

    def test_is_refused_after_the_deadline(self, world, offer, full_card):
        world.at(offer.deadline)
        with pytest.raises(Conflict, match="deadline has passed"):
            replacement.release_first(order=full_card, now=world.now)
        assert held(world, full_card) == [5184]


class TestWhenNoNewHoldIsPlaced:
    def test_the_order_ends_and_the_guest_is_told(self, world, offer, full_card):
        order = replacement.release_first(order=full_card, now=world.now)
        replacement.page_for_new_hold(order, now=world.now)
        world.later(minutes=32)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        order = world.fresh(order)
        assert order.status == "cancelled"
        assert world.fresh(offer).reserved_portions == 0
        assert Email.objects.filter(pre_order=order, kind=EmailKind.RELEASED).count() == 1
        world.later(minutes=32)
        tasks.end_abandoned_checkouts_task.delay()
        world.work()
        assert Email.objects.filter(pre_order=order, kind=EmailKind.RELEASED).count() == 1
        assert held(world, order) == []

    def test_the_deadline_ends_it_too(self, world, offer, full_card):
        world.at(offer.deadline - timedelta(minutes=5))
        order = replacement.release_first(order=full_card, now=world.now)
        replacement.page_for_new_hold(order, now=world.now)
        world.settle(offer)
        world.later(minutes=11)
        world.close(offer)
        world.work()
        assert world.fresh(offer).status == "failed"
        assert world.fresh(order).status == "cancelled"
        assert "released" in world.emails(order)

    def test_a_card_given_too_late_is_released(self, world, offer, full_card):
        order = replacement.release_first(order=full_card, now=world.now)
        replacement.page_for_new_hold(order, now=world.now)
        order = world.fresh(order)
        world.pay(order)
        PreOrder.objects.filter(pk=order.pk).update(status="cancelled")
        world.hear_of_intent(order)
        world.work()
        assert held(world, order) == []
        assert world.fresh(order).payment_status == PaymentStatus.RELEASED


class TestWhenSomethingBreaksInBetween:
    def test_old_news_of_the_released_hold_changes_nothing(self, world, full_card):
        old = full_card.payment_intent_id
        snapshot = stripe_gateway.retrieve_intent(old)  # read while it was held
        order = replacement.release_first(order=full_card, now=world.now)
        payments.apply_payment_intent(old, now=world.now)
        payments.sync_intent(snapshot, now=world.now)
        order = world.fresh(order)
        assert (order.status, order.payment_status) == ("pending", PaymentStatus.UNPAID)
        assert order.payment_intent_id is None

    def test_a_release_that_got_no_answer_is_done_by_the_sweep(self, world, full_card):
        world.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/payment_intents/"})
        order = replacement.release_first(order=full_card, now=world.now)
        assert held(world, order) == [5184]
        world.later(minutes=1)
        tasks.run_due_operations_task.delay()
        world.work()
        assert held(world, order) == []
        assert world.operation(order, OperationKind.RENEW).state == "done"

    def test_a_hold_that_stands_although_it_was_to_go_is_released_by_its_news(
        self, world, full_card
    ):
        old = full_card.payment_intent_id
        world.stripe.control(http_fault={"kind": "500", "path_prefix": "/v1/payment_intents/"})
        order = replacement.release_first(order=full_card, now=world.now)
        assert held(world, order) == [5184]
        payments.apply_payment_intent(old, now=world.now)
        assert held(world, order) == []
        assert world.fresh(order).payment_status == PaymentStatus.UNPAID

    def test_a_page_that_could_not_be_opened_is_opened_by_the_next_press(
        self, world, full_card, monkeypatch
    ):
        order = replacement.release_first(order=full_card, now=world.now)
        create = stripe_gateway.create_checkout

        def lost(*_, **__):
            raise Unreachable("no answer")

        monkeypatch.setattr(stripe_gateway, "create_checkout", lost)
        with pytest.raises(Unreachable):
            replacement.page_for_new_hold(order, now=world.now)
        assert world.fresh(order).status == "pending"
        monkeypatch.setattr(stripe_gateway, "create_checkout", create)
        world.later(minutes=20)
        assert replacement.page_for_new_hold(world.fresh(order), now=world.now)

    def test_a_card_given_on_the_first_page_after_all_is_the_new_hold(self, world, full_card):
        (waiting,) = full_card.operations.filter(kind=OperationKind.RENEW)
        world.stripe.pay(waiting.reference)
        order = replacement.release_first(order=full_card, now=world.now)
        (intent, *_) = [each for each in world.intents(order) if each.amount == 7776]
        payments.apply_payment_intent(intent.id, now=world.now)
        order = world.fresh(order)
        assert (order.payment_status, order.quantity) == (PaymentStatus.AUTHORIZED, 3)
        assert held(world, order) == [7776]


def test_the_page_offers_it_and_leads_to_the_card(world, offer, full_card, client):
    allow(client, full_card, now=world.now)
    path = order_path(full_card)
    page = client.get(path).content.decode()
    assert "Release old hold first" in page
    own = {"sec-fetch-site": "same-origin"}
    answer = client.post(path, {"action": "release_first"}, headers=own)
    assert answer.status_code == 302
    assert answer["Location"] == order_path(full_card, then="/card")
    card = client.get(answer["Location"])
    assert card["Location"] == world.fresh(full_card).checkout_url
    page = client.get(path).content.decode()
    assert "Add a card to keep your order" in page
