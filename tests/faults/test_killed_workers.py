"""A worker dies by SIGKILL right before or right after any call to Stripe; the next one finishes.

Each order of an offer is the last work of another worker, so that one test covers every moment.
"""

from datetime import timedelta
from decimal import Decimal
from itertools import count

import pytest

from apps.preorders import tasks
from apps.preorders.guest import changes
from apps.preorders.models import Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    OperationKind,
    OperationStage,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement import reconciliation, worker
from apps.preorders.settlement.steps import capture
from tests.factories import DishFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import CAPTURE_DECLINED, GOOD, OFF_SESSION_DECLINED


def around(*calls):
    return [f"{when} {call}" for call in calls for when in ("before", "after")]


def finish(world):
    """Run the next workers once the dead worker's lease is over: a sweep finds the work by its
    state."""
    world.later(seconds=100)
    tasks.run_due_operations_task.delay()
    tasks.send_pending_emails_task.delay()
    world.work()


def die_in_turn(world, mortals, orders, *kinds):
    """Have each order's operation done by a worker that dies one moment later than the one
    before."""
    world.tasks.waiting.clear()  # messages die with the workers that had them
    return [
        mortals.run(
            "run_operation", world.operation(order, *kinds).pk, now=world.now, moment=moment
        ).where
        for moment, order in enumerate(orders)
    ]


def authorized_orders(world, offer, how_many, card=GOOD):
    orders = [world.authorized_order(offer, card=card) for _ in range(how_many)]
    world.work()
    return orders


def closed(world, offer):
    """The offer is decided; nobody carries it out yet."""
    world.at(offer.deadline)
    world.close(offer)


def payment_statuses(world, orders):
    return {str(world.fresh(order).payment_status) for order in orders}


def week_long_offer(world, **facts):
    """Its holds end soon after its deadline, so they must be seen to before."""
    return world.offer(deadline=world.now + timedelta(days=6, hours=23), **facts)


def test_a_worker_killed_while_capturing_charges_each_order_once(world, mortals):
    moments = around("retrieve_intent", "capture")
    offer = world.offer(min_preorders=2)
    orders = authorized_orders(world, offer, len(moments))
    closed(world, offer)
    assert die_in_turn(world, mortals, orders) == moments
    finish(world)
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


def test_several_captures_of_one_message(world, mortals):
    """They are written down together at the end; whatever was charged before is found out."""
    moments = around("retrieve_intent", "capture") * 3
    offer = world.offer(min_preorders=2)
    messages = [authorized_orders(world, offer, 3) for _ in moments]
    closed(world, offer)
    world.tasks.waiting.clear()
    died = []
    for moment, orders in enumerate(messages):
        keys = " ".join(str(world.operation(order).pk) for order in orders)
        died.append(mortals.run("run_operations", keys, now=world.now, moment=moment).where)
    assert died == moments
    every = [order for orders in messages for order in orders]
    assert payment_statuses(world, every) == {PaymentStatus.AUTHORIZED}
    finish(world)
    assert payment_statuses(world, every) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


def test_a_worker_killed_while_releasing_releases_each_order_once(world, mortals):
    moments = around("retrieve_intent", "release")
    offer = world.offer(min_preorders=20)
    orders = authorized_orders(world, offer, len(moments))
    closed(world, offer)
    assert die_in_turn(world, mortals, orders) == moments
    finish(world)
    assert payment_statuses(world, orders) == {PaymentStatus.RELEASED}
    assert_ledger_balances(world, offer)


FAILING_CAPTURE = ("retrieve_intent", "capture", "retrieve_intent")
RETRY = ("retrieve_intent", "release", "intents_of_customer", "charge_off_session")


def nobody_lifted_the_pause(world):
    """All cards of the offer are declined, which pauses its captures. Make the operations so old
    that the pause is over."""
    PaymentOperation.objects.update(created_at=world.now - capture.PAUSE)


def test_a_declined_capture_and_the_retry_that_goes_through(world, mortals):
    moments = around(*FAILING_CAPTURE, *RETRY)
    offer = world.offer(min_preorders=2)
    orders = authorized_orders(world, offer, len(moments), CAPTURE_DECLINED)
    closed(world, offer)
    nobody_lifted_the_pause(world)
    assert die_in_turn(world, mortals, orders) == moments
    finish(world)
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


def test_a_declined_retry_and_the_pay_link(world, mortals):
    moments = around(*FAILING_CAPTURE, *RETRY, "create_checkout")
    offer = world.offer(min_preorders=2)
    orders = authorized_orders(world, offer, len(moments), OFF_SESSION_DECLINED)
    for order in orders:
        fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
    closed(world, offer)
    nobody_lifted_the_pause(world)
    assert die_in_turn(world, mortals, orders) == moments
    finish(world)
    finish(world)
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURE_FAILED}
    assert {tuple(world.emails(order)) for order in orders} == {("payment_needed", "received")}

    # The payments' webhooks are lost; the worker that closes the page finds out.
    paying, lapsing = orders[:4], orders[4:6]
    for order in [*paying, *orders[6:]]:
        world.stripe.pay(world.operation(order).reference, number=GOOD)
    world.later(hours=24, minutes=5)
    assert die_in_turn(world, mortals, paying) == around("expire_checkout", "retrieve_intent")
    assert die_in_turn(world, mortals, lapsing) == around("expire_checkout")
    finish(world)
    assert payment_statuses(world, lapsing) == {PaymentStatus.RELEASED}
    assert payment_statuses(world, [*paying, *orders[6:]]) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


def test_refund_of_early_captures_when_the_offer_fails(world, mortals):
    look, refund = around("retrieve_with_refunds"), around("refund")
    moments = [*look, refund[0], *look, refund[1]]
    offer = week_long_offer(world, min_preorders=len(moments) + 1)
    orders = authorized_orders(world, offer, len(moments))
    (broken,) = authorized_orders(world, offer, 1, OFF_SESSION_DECLINED)
    world.stripe.control(
        capture_fault={"kind": "decline", "payment_intent": broken.payment_intent_id, "times": 9}
    )
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.delay()
    world.work()
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert payment_statuses(world, [broken]) == {PaymentStatus.CAPTURE_FAILED}
    closed(world, offer)
    assert world.fresh(offer).status == "failed"
    assert die_in_turn(world, mortals, orders, OperationKind.REFUND) == moments
    finish(world)
    assert payment_statuses(world, orders) == {PaymentStatus.REFUNDED}
    assert payment_statuses(world, [broken]) == {PaymentStatus.RELEASED}
    assert_ledger_balances(world, offer)


RENEWAL = ("retrieve_intent", "intents_of_customer", "charge_off_session")


def test_a_worker_killed_while_renewing_leaves_each_order_one_hold(world, mortals):
    moments = around(*RENEWAL)
    offer = week_long_offer(world, min_preorders=len(moments) + 1)
    orders = authorized_orders(world, offer, len(moments))
    first_holds = {order.payment_intent_id for order in orders}
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.apply(throw=True)
    assert die_in_turn(world, mortals, orders, OperationKind.RENEW) == moments
    finish(world)
    renewed = [world.fresh(order) for order in orders]
    assert not first_holds & {order.payment_intent_id for order in renewed}
    assert all(order.capture_before > offer.deadline for order in renewed)
    authorized_orders(world, offer, 1)
    world.settle(offer)
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


def test_larger_holds_for_more_portions(world, mortals, monkeypatch):
    moments = around(*RENEWAL)
    offer = world.offer(min_preorders=1)
    orders = authorized_orders(world, offer, len(moments))
    # The guest's own request died before it came to that: the sweep carries it out.
    monkeypatch.setattr(changes, "run_operation", lambda *_, **__: False)
    for order in orders:
        changes.change_quantity(order=order, quantity=order.quantity + 1, now=world.now)
    assert {world.fresh(order).quantity for order in orders} == {1}
    assert world.fresh(offer).reserved_portions == 2 * len(orders)
    assert die_in_turn(world, mortals, orders, OperationKind.RENEW) == moments
    finish(world)
    changed = [world.fresh(order) for order in orders]
    assert {order.quantity for order in changed} == {2}
    assert world.fresh(offer).ordered_portions == 2 * len(orders)
    world.settle(world.fresh(offer))
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)


def changing_orders(world, offer, how_many):
    """Orders of 2 portions whose change to 3 waits for the guest's bank."""
    orders = [world.authorized_order(offer, 2, OFF_SESSION_DECLINED) for _ in range(how_many)]
    world.work()
    for order in orders:
        changes.change_quantity(order=order, quantity=3, now=world.now)
    pages = [world.operation(order, OperationKind.RENEW).reference for order in orders]
    assert all(pages)
    return orders, pages


def die_dropping(world, mortals, orders):
    """Have each order's change dropped by a process that dies one moment later than the one
    before."""
    world.tasks.waiting.clear()
    return [
        mortals.run("drop_change", order.pk, now=world.now, moment=moment).where
        for moment, order in enumerate(orders)
    ]


def held_by(world, orders):
    """The intent and the cents of every hold that stands at Stripe, by order."""
    listed = world.intents_by_order()
    return [
        [
            (each.id, each.amount)
            for each in listed[str(order.pk)]
            if each.status == "requires_capture"
        ]
        for order in orders
    ]


def open_pages(world, pages):
    """Those on which a card can still be entered."""
    return {each.id for each in world.sessions() if each.id in pages and each.status == "open"}


def reconciled(world):
    """What the product does by itself after a death: a sweep, then the reconciler."""
    world.later(minutes=5)
    finish(world)
    reconciliation.reconcile(now=world.now)
    world.work()


def assert_unchanged_with_one_hold(world, offer, orders):
    """Each order is as it was before its change, and nothing was charged or said of the change."""
    now = [world.fresh(order) for order in orders]
    assert {(each.quantity, each.total_amount) for each in now} == {(2, Decimal("51.84"))}
    assert [each.payment_intent_id for each in now] == [each.payment_intent_id for each in orders]
    assert held_by(world, orders) == [[(each.payment_intent_id, 5184)] for each in orders]
    assert not PaymentOperation.objects.filter(pre_order__in=orders, state="pending")
    counted = world.fresh(offer)
    assert counted.ordered_portions == counted.reserved_portions == 2 * len(orders)
    assert {tuple(world.emails(order)) for order in orders} == {("received",)}
    assert world.calls("POST /v1/payment_intents/{id}/capture") == 0


def assert_charged_once(world, offer, orders):
    world.settle(world.fresh(offer))
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert world.calls("POST /v1/payment_intents/{id}/capture") == len(orders)
    assert world.calls("POST /v1/refunds") == 0
    assert_ledger_balances(world, offer)


UNCOMMITTED = around("recount")


def test_a_process_killed_while_dropping_a_change_leaves_the_order_its_hold(world, mortals):
    moments = [*UNCOMMITTED, *around("expire_checkout")]
    offer = world.offer(min_preorders=2)
    orders, pages = changing_orders(world, offer, len(moments))
    tried = world.calls("POST /v1/payment_intents")
    assert die_dropping(world, mortals, orders) == moments
    # What wasn't committed still waits for the bank; the guest presses the button again.
    waiting = [changes.unfinished_change(world.fresh(order)) is not None for order in orders]
    assert waiting == [moment in UNCOMMITTED for moment in moments]
    for order in orders[: len(UNCOMMITTED)]:
        changes.drop_change(order=order, shown=2, now=world.now)
    reconciled(world)
    assert_unchanged_with_one_hold(world, offer, orders)
    assert world.calls("POST /v1/payment_intents") == tried
    assert world.calls("POST /v1/payment_intents/{id}/cancel") == 0
    # The page that nobody closed expires by itself.
    left_open = pages[moments.index("before expire_checkout")]
    assert open_pages(world, pages) == {left_open}
    world.later(minutes=26)
    assert open_pages(world, pages) == set()
    assert_charged_once(world, offer, orders)


def test_a_process_killed_while_dropping_a_change_that_is_held_releases_it_once(world, mortals):
    """The bank placed the larger hold before the guest's press, and its webhook was lost."""
    moments = [*UNCOMMITTED, *around("expire_checkout", "retrieve_intent", "release")]
    offer = world.offer(min_preorders=2)
    orders, pages = changing_orders(world, offer, len(moments))
    for page in pages:
        world.stripe.pay(page, number=GOOD)
    larger = [max(holds, key=lambda hold: hold[1]) for holds in held_by(world, orders)]
    assert {cents for _, cents in larger} == {7776}
    assert die_dropping(world, mortals, orders) == moments
    for order in orders[: len(UNCOMMITTED)]:
        changes.drop_change(order=order, shown=2, now=world.now)
    reconciled(world)
    assert_unchanged_with_one_hold(world, offer, orders)
    by_id = {each.id: each for order in orders for each in world.intents(order)}
    assert {by_id[intent].status for intent, _ in larger} == {"canceled"}
    assert world.calls("POST /v1/payment_intents/{id}/cancel") == len(orders)
    assert_charged_once(world, offer, orders)


def test_a_hold_placed_on_the_page_that_a_dead_process_left_open_is_released(world, mortals):
    """It died after the order was kept and before the page was closed."""
    offer = world.offer(min_preorders=2)
    [order], [page] = changing_orders(world, offer, 1)
    death = mortals.run("drop_change", order.pk, now=world.now, moment=len(UNCOMMITTED))
    assert death.where == "before expire_checkout"
    world.stripe.pay(page, number=GOOD)
    [holds] = held_by(world, [order])
    assert sorted(cents for _, cents in holds) == [5184, 7776]
    reconciled(world)
    assert_unchanged_with_one_hold(world, offer, [order])
    assert world.calls("POST /v1/payment_intents/{id}/cancel") == 1
    assert_charged_once(world, offer, [order])


def test_giving_back_the_hold_that_was_renewed(world, mortals):
    moments = around("retrieve_intent", "release")
    offer = week_long_offer(world, min_preorders=20)
    orders = authorized_orders(world, offer, len(moments))
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.apply(throw=True)
    for order in orders:
        worker.run_operation(world.operation(order, OperationKind.RENEW).pk, now=world.now)
    stages = {world.operation(order, OperationKind.RENEW).stage for order in orders}
    assert stages == {OperationStage.CLEAN_UP}
    assert die_in_turn(world, mortals, orders, OperationKind.RENEW) == moments
    finish(world)
    world.settle(offer)
    assert payment_statuses(world, orders) == {PaymentStatus.RELEASED}
    assert_ledger_balances(world, offer)


def test_a_worker_killed_while_opening_a_renewal_link_leaves_one_hold(world, mortals):
    moments = around(*RENEWAL, "create_checkout")
    offer = week_long_offer(world, min_preorders=20)
    orders = authorized_orders(world, offer, len(moments), OFF_SESSION_DECLINED)
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.apply(throw=True)
    assert die_in_turn(world, mortals, orders, OperationKind.RENEW) == moments
    finish(world)
    finish(world)
    assert {tuple(world.emails(order)) for order in orders} == {("received", "renew_authorization")}

    renewing, leaving = orders[:4], orders[4:6]
    for order in renewing:
        world.stripe.pay(world.operation(order, OperationKind.RENEW).reference, number=GOOD)
    ends = max(world.operation(order, OperationKind.RENEW).due_at for order in orders)
    world.at(ends + timedelta(seconds=1))
    heard = around("expire_checkout", "retrieve_intent")
    assert die_in_turn(world, mortals, renewing, OperationKind.RENEW) == heard
    assert die_in_turn(world, mortals, leaving, OperationKind.RENEW) == around("expire_checkout")
    finish(world)
    old = {order.payment_intent_id for order in renewing}
    assert not old & {world.fresh(order).payment_intent_id for order in renewing}
    world.settle(offer)
    assert payment_statuses(world, orders) == {PaymentStatus.RELEASED}
    finish(world)
    reconciliation.reconcile(now=world.now)
    world.work()
    assert_ledger_balances(world, offer)


def test_closing_is_resumed_wherever_a_worker_dies_with_checkouts_open(world, mortals):
    offer = world.offer(min_preorders=2, deadline=world.now + timedelta(minutes=5))
    paid = [world.begin(offer) for _ in range(2)]
    for order in paid:
        world.pay(order)
    abandoned = [world.begin(offer) for _ in range(2)]
    world.at(offer.deadline + timedelta(minutes=10))
    hear_out = around("retrieve_checkout", "expire_checkout", "retrieve_intent")
    reached = []
    for moment in count():
        death = mortals.run("close_offer", offer.pk, now=world.now, moment=moment)
        if not death.killed:
            break
        reached.append(death.where)
        assert len(reached) < 30, "no closer gets to the end"
    assert set(reached) == set(hear_out)
    finish(world)
    tasks.send_pending_emails_task.apply(throw=True)
    world.work()
    assert payment_statuses(world, paid) == {PaymentStatus.CAPTURED}
    assert {world.fresh(order).status for order in abandoned} == {PreOrderStatus.CANCELLED}
    assert_ledger_balances(world, offer)


def test_a_worker_killed_while_sending_an_email_sends_the_same_message_again(
    world, mortals, tmp_path, settings
):
    """Whether it went out cannot be known, so it is handed over again as the same message."""
    settings.EMAIL_BACKEND = "apps.common.email_backends.FolderBackend"
    settings.EMAIL_FOLDER = tmp_path
    orders = [world.authorized_order(world.offer()) for _ in range(2)]
    emails = [Email.objects.get(pre_order=order) for order in orders]
    world.tasks._commit_hooks()
    world.tasks.waiting.clear()
    for moment, email in enumerate(emails):
        death = mortals.run(
            "send_email", email.pk, now=world.now, moment=moment, email_folder=tmp_path
        )
        assert death.where == around("send")[moment]
    assert len(list(tmp_path.iterdir())) == 1
    world.later(minutes=3)
    tasks.send_pending_emails_task.delay()
    world.work()
    assert {file.stem for file in tmp_path.iterdir()} == {str(email.pk) for email in emails}
    assert not Email.objects.filter(sent_at=None)


@pytest.mark.parametrize("moment", [0, 1])
def test_a_process_killed_while_opening_a_checkout_leaves_one_page(world, mortals, moment):
    offer = world.offer(min_preorders=1, max_preorders=1)
    guest = {"name": "Dana", "email": "dana@example.test", "phone": "1"}
    death = mortals.run("begin_order", offer.pk, now=world.now, moment=moment, guest=guest)
    assert death.where == around("create_checkout")[moment]
    # The guest presses the button again and gets the portion that was reserved for them.
    again = world.begin(offer, name="Dana", email="dana@example.test", phone="1")
    assert PreOrder.objects.filter(offer=offer).count() == 1
    assert len(world.sessions()) == 1
    world.pay(again)
    world.hear(again)
    world.settle(offer)
    assert_ledger_balances(world, offer)


def test_a_worker_killed_while_charging_the_alternative_charges_each_order_once(world, mortals):
    """The capture of less than was held, with the worker dying around each call."""
    moments = around("retrieve_intent", "capture")
    dish = DishFactory(restaurant=world.restaurant, price=Decimal("15.00"))
    offer = world.offer(min_preorders=20, has_alternative=True, alternative_dish=dish)
    orders = [world.authorized_order(offer, consent=True) for _ in moments]
    world.work()
    closed(world, offer)
    assert die_in_turn(world, mortals, orders) == moments
    finish(world)
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert {str(world.fresh(order).total_amount) for order in orders} == {"16.20"}
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("dollars", ["12.96", None])
def test_a_worker_killed_while_refunding_refunds_each_order_once(world, mortals, dollars):
    look, refund = around("retrieve_with_refunds"), around("refund")
    moments = [*look, refund[0], *look, refund[1]]  # it looks at what it did
    offer = world.offer(min_preorders=2)
    orders = authorized_orders(world, offer, len(moments))
    world.settle(offer)
    for order in orders:
        world.refund(order, dollars)
    assert die_in_turn(world, mortals, orders, OperationKind.REFUND) == moments
    finish(world)
    expected = Decimal(dollars or "25.92")
    assert {world.fresh(order).refunded_amount for order in orders} == {expected}
    assert world.calls("POST /v1/refunds") == len(orders)
    assert_ledger_balances(world, offer)


def test_a_held_order_called_off(world, mortals):
    moments = around("retrieve_intent", "release")
    offer = world.offer(min_preorders=1)
    orders = authorized_orders(world, offer, len(moments))
    staying = world.authorized_order(offer)
    for order in orders:
        world.cancel(order)
    assert die_in_turn(world, mortals, orders, OperationKind.RELEASE) == moments
    finish(world)
    tasks.send_pending_emails_task.delay()
    world.work()
    assert payment_statuses(world, orders) == {PaymentStatus.RELEASED}
    world.settle(offer)
    assert world.fresh(staying).payment_status == PaymentStatus.CAPTURED
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("moment", range(4))
def test_calling_off_what_was_paid_a_moment_ago(world, mortals, moment):
    """The hold is there, and nobody has told us of it when the order is called off."""
    offer = world.offer(min_preorders=1)
    order = world.begin(offer)
    world.pay(order)
    death = mortals.run("cancel_order", order.pk, now=world.now, moment=moment)
    assert death.where == around("expire_checkout", "retrieve_intent")[moment]
    assert world.fresh(order).status == PreOrderStatus.CANCELLED
    world.later(minutes=5)
    reconciliation.reconcile(now=world.now)
    finish(world)
    assert payment_statuses(world, [order]) == {PaymentStatus.RELEASED}
    world.settle(offer)
    assert_ledger_balances(world, offer, emails_sent=False)


@pytest.mark.parametrize("moment", [0, 1])
def test_a_phone_order_whose_worker_died_is_taken_once(world, mortals, moment):
    offer = world.offer(min_preorders=1, max_preorders=1)
    guest = {"name": "Carla", "email": "carla@example.test", "phone": "1"}
    job = {"now": world.now, "guest": guest}
    death = mortals.run("begin_phone_order", offer.pk, moment=moment, **job)
    assert death.where == around("create_checkout")[moment]
    # Taken again, it is the same order, and the email is sent with its link.
    mortals.run("begin_phone_order", offer.pk, moment=99, **job)
    order = PreOrder.objects.get(offer=offer)
    assert len(world.sessions()) == 1
    assert world.emails(order) == ["pay_link"]
    world.pay(order)
    world.hear(order)
    world.settle(offer)
    assert world.fresh(order).payment_status == PaymentStatus.CAPTURED


def test_giving_back_a_hold_that_comes_too_late(world, mortals):
    """A renewal link used after the offer was decided: that hold is nobody's."""
    moments = around("retrieve_intent", "release")
    offer = week_long_offer(world, min_preorders=2)
    orders = authorized_orders(world, offer, 1, OFF_SESSION_DECLINED)
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.apply(throw=True)
    world.work()
    link = world.operation(orders[0], OperationKind.RENEW).reference
    orders += authorized_orders(world, offer, 1)
    world.settle(offer)
    world.stripe.pay(link, number=GOOD)
    late = world.intents(orders[0])[0].id
    reached = [
        mortals.run("apply_payment_intent", late, now=world.now, moment=moment).where
        for moment in range(len(moments))
    ]
    assert reached[:3] == moments[:3]
    world.later(minutes=5)
    reconciliation.reconcile(now=world.now)
    assert payment_statuses(world, orders) == {PaymentStatus.CAPTURED}
    assert_ledger_balances(world, offer)
    assert not PaymentOperation.objects.filter(kind=OperationKind.REFUND).exists()
