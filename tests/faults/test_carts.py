"""A cart's card is given once; whatever dies or is lost after that, each item is held once."""

from dataclasses import asdict

import pytest
import stripe

from apps.preorders import tasks
from apps.preorders.cart import confirmation
from apps.preorders.models import Cart, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, PaymentStatus
from apps.preorders.settlement import reconciliation
from tests.faults.ledger import assert_ledger_balances
from tests.faults.test_killed_workers import around, die_in_turn, finish, payment_statuses
from tests.faults.test_webhooks import DISORDER, arrive
from tests.preorders.world import DANA, GOOD, OFF_SESSION_DECLINED


def two_offers(world, **facts):
    return [world.offer(min_preorders=1, **facts) for _ in range(2)]


def given(world, offers, how_many, card=GOOD):
    """This many carts of the same specials, each of another guest, whose cards were given."""
    carts = []
    for _ in range(how_many):
        carts.append(world.begin_cart(*offers, guest=None))
        PreOrder.objects.filter(cart=carts[-1].cart).update(
            customer_name=f"Guest {len(carts)}", customer_email="d@example.test", customer_phone="1"
        )
        world.give_card(carts[-1], card)
    return carts


def lines_of(carts):
    return [item for begun in carts for item in begun.items]


def settle(world, offers):
    for offer in offers:
        world.settle(offer)
    for offer in offers:
        world.at(max(world.now, offer.deadline))
        world.later(minutes=10)
        world.close(offer)
    finish(world)


def assert_each_held_once(world, carts):
    items = lines_of(carts)
    assert payment_statuses(world, items) == {PaymentStatus.AUTHORIZED}
    assert [len(world.intents(item)) for item in items] == [1] * len(items)


def test_a_worker_killed_while_authorizing_items_leaves_each_held_once(world, mortals):
    moments = around("charge_off_session")
    offers = two_offers(world)
    carts = given(world, offers, 2)
    for begun in carts:
        tasks.authorize_cart_task.apply(args=(str(begun.cart.pk),), throw=True)
    items = lines_of(carts)
    assert die_in_turn(world, mortals, items[:2], OperationKind.AUTHORIZE) == moments
    # The next worker looks whether the dead one had asked, and dies around that too.
    second = [*around("intents_of_customer"), "before charge_off_session"]
    for moment, expected in enumerate(second):
        world.later(seconds=100)
        operation = world.operation(items[0], OperationKind.AUTHORIZE).pk
        death = mortals.run("run_operation", operation, now=world.now, moment=moment)
        assert death.where == expected
    finish(world)
    assert_each_held_once(world, carts)
    settle(world, offers)
    assert_ledger_balances(world, *offers)


def test_a_hold_that_is_refused(world, mortals):
    moments = around("charge_off_session", "retrieve_intent")
    offers = two_offers(world)
    carts = given(world, offers, 2, OFF_SESSION_DECLINED)
    for begun in carts:
        tasks.authorize_cart_task.apply(args=(str(begun.cart.pk),), throw=True)
    items = lines_of(carts)
    assert die_in_turn(world, mortals, items, OperationKind.AUTHORIZE) == moments
    finish(world)
    assert payment_statuses(world, items) == {PaymentStatus.UNPAID}
    assert set(PaymentOperation.objects.values_list("state", "reason_code")) == {
        ("failed", "card_declined")
    }
    assert [len(world.intents(item)) for item in items] == [1] * 4
    for begun in carts:
        assert set(world.confirm_cart(begun).values()) == {"declined"}
    # Fixed by their guests; only the reconciler learns of their confirmation.
    for begun, item in ((carts[0], carts[0].items[0]), (carts[1], carts[1].items[1])):
        retry = confirmation.retry_cart_item(
            cart_id=begun.cart.pk, order_id=item.pk, another_card=False, now=world.now
        )
        world.stripe.confirm(retry.client_secret, GOOD)
    world.later(minutes=5)
    tasks.reconcile_payments_task.delay()
    world.work()
    statuses = sorted(str(world.fresh(item).payment_status) for item in items)
    assert statuses == ["authorized", "authorized", "unpaid", "unpaid"]
    settle(world, offers)
    assert_ledger_balances(world, *offers)


def test_a_process_killed_while_confirming_leaves_each_item_held_once(world, mortals):
    """The web process dies; a worker or a scheduled task goes on from wherever it was."""
    moments = around("retrieve_setup", "charge_off_session", "charge_off_session")
    offers = two_offers(world)
    carts = given(world, offers, len(moments))
    world.tasks.waiting.clear()
    reached = [
        mortals.run("confirm_cart", begun.cart.pk, now=world.now, moment=moment).where
        for moment, begun in enumerate(carts)
    ]
    assert reached == moments
    world.later(minutes=5)
    tasks.authorize_forgotten_carts_task.delay()
    tasks.reconcile_payments_task.delay()
    finish(world)
    assert_each_held_once(world, carts)
    settle(world, offers)
    assert_ledger_balances(world, *offers)


@pytest.mark.parametrize("moment", [0, 1])
def test_a_worker_killed_at_the_news_of_the_card_leaves_each_item_held_once(world, mortals, moment):
    offers = two_offers(world)
    carts = given(world, offers, 1)
    death = mortals.run("take_up_cart", carts[0].cart.pk, now=world.now, moment=moment)
    assert death.where == around("retrieve_setup")[moment]
    world.later(minutes=32)
    tasks.end_abandoned_checkouts_task.delay()
    finish(world)
    assert_each_held_once(world, carts)


@pytest.mark.parametrize("items", [1, 2])
@pytest.mark.parametrize("moment", range(4))
def test_a_process_killed_while_starting_a_cart_leaves_nothing_reserved(
    world, mortals, items, moment
):
    offers = two_offers(world, max_preorders=1)[:items]
    create = "create_intent" if items == 1 else "create_setup"
    death = mortals.run(
        "begin_cart",
        ",".join(str(offer.pk) for offer in offers),
        now=world.now,
        moment=moment,
        guest=asdict(DANA),
    )
    assert death.where == around("create_customer", create)[moment]
    # The guest presses again and gets what was reserved for them.
    again = world.begin_cart(*offers)
    assert Cart.objects.count() == 1
    assert PreOrder.objects.count() == items
    assert len(stripe.Customer.list().data) == 1
    made = stripe.PaymentIntent.list().data + stripe.SetupIntent.list().data
    assert [intent.client_secret for intent in made] == [again.client_secret]
    world.give_card(again)
    assert set(world.confirm_cart(again).values()) == {"held"}
    settle(world, offers)
    assert_ledger_balances(world, *offers)


@pytest.mark.parametrize("kind", ["lost_response", "500", "429"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_failing_answers_leave_each_item_held_once(world, kind, times):
    offers = two_offers(world)
    (begun,) = given(world, offers, 1)
    world.stripe.control(
        http_fault={
            "kind": kind,
            "method": "POST",
            "path_prefix": "/v1/payment_intents",
            "times": times,
        }
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confirmation, "WORKER_GRACE", ())
        world.confirm_cart(begun)
    for _ in range(4):
        finish(world)
    assert_each_held_once(world, [begun])
    settle(world, offers)
    assert_ledger_balances(world, *offers)


@pytest.mark.usefixtures("webhooks")
class TestWebhooks:
    @pytest.mark.parametrize("disorder", DISORDER)
    def test_alone_hold_every_line_once(self, world, disorder):
        world.stripe.control(webhooks=DISORDER[disorder])
        offers = two_offers(world)
        carts = given(world, offers, 2)
        arrive(world)
        arrive(world)
        assert_each_held_once(world, carts)
        settle(world, offers)
        arrive(world)
        assert_ledger_balances(world, *offers)

    def test_late_webhooks_change_nothing(self, world):
        world.stripe.control(webhooks={"mode": "hold"})
        offers = two_offers(world)
        carts = given(world, offers, 1)
        assert set(world.confirm_cart(carts[0]).values()) == {"held"}
        settle(world, offers)
        world.later(hours=1)
        world.stripe.control(flush="shuffle")
        arrive(world)
        assert payment_statuses(world, lines_of(carts)) == {PaymentStatus.CAPTURED}
        assert reconciliation.reconcile(now=world.now) == 0
        assert_ledger_balances(world, *offers)

    def test_webhooks_and_a_confirmation_at_once_hold_each_item_once(self, world):
        offers = two_offers(world)
        carts = given(world, offers, 1)
        world.stripe.wait_delivered()
        assert set(world.confirm_cart(carts[0]).values()) == {"held"}
        arrive(world)
        assert_each_held_once(world, carts)
