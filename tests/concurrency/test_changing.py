"""A guest changes an order while its offer's deadline passes, or while others order."""

from apps.common.errors import Conflict
from apps.preorders.guest import changes
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import deadline
from tests.concurrency.test_canceling import problems
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import GOOD, OFF_SESSION_DECLINED
from tests.threads import at_once


def changing_to(order, quantity, now):
    return lambda: changes.change_quantity(order=order, quantity=quantity, now=now)


def test_the_deadline_and_six_changes(world, meet_before_the_lock):
    """Down or up, in time or not: the offer is judged on what its orders are then, and each is
    charged for exactly that."""
    offer = world.offer(min_preorders=2, max_preorders=30)
    orders = [world.authorized_order(offer, 2) for _ in range(6)]
    pressed = world.now
    world.at(offer.deadline)
    close = lambda: deadline.close_offer(offer.pk, now=world.now)  # noqa: E731
    presses = [changing_to(order, 1 + index % 2 * 2, pressed) for index, order in enumerate(orders)]
    meeting = meet_before_the_lock(7)
    answers = at_once(*presses, close)
    assert meeting.has_happened
    assert not problems(answers), answers
    world.work()
    done = world.fresh(offer)
    assert done.status == "succeeded"
    assert done.ordered_portions == sum(world.fresh(order).quantity for order in orders)
    assert_ledger_balances(world, offer)


def test_the_last_portion_goes_to_a_new_order_or_to_an_old_one(world):
    offer = world.offer(min_preorders=1, max_preorders=3)
    order = world.authorized_order(offer, 2)
    answers = at_once(
        changing_to(order, 3, world.now),
        *[lambda: world.begin(offer)] * 3,
    )
    assert not problems(answers), answers
    assert sum(isinstance(answer, Conflict) for answer in answers) == 3, answers
    world.work()
    assert world.fresh(offer).reserved_portions == 3


def test_six_presses_for_a_third_portion_place_one_new_hold(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 2)
    answers = at_once(*[changing_to(order, 3, world.now)] * 6)
    assert not problems(answers), answers
    world.work()
    assert world.fresh(order).quantity == 3
    assert PaymentOperation.objects.filter(kind=OperationKind.RENEW).count() == 1
    held = [each for each in world.intents(order) if each.status == "requires_capture"]
    assert [each.amount for each in held] == [int(world.fresh(order).total_amount * 100)]
    world.settle(world.fresh(offer))
    assert_ledger_balances(world, offer)


def test_keeping_an_order_while_its_bank_confirms_the_change_leaves_one_hold(
    world, meet_before_the_lock
):
    """Whichever is first, the order and its only hold are for the same portions."""
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
    changes.change_quantity(order=order, quantity=3, now=world.now)
    page = PaymentOperation.objects.get(pre_order=order, kind=OperationKind.RENEW).reference
    world.stripe.pay(page, number=GOOD)
    keep = lambda: changes.drop_change(order=order, shown=2, now=world.now)  # noqa: E731
    meeting = meet_before_the_lock(6)
    answers = at_once(*[keep] * 3, *[lambda: world.hear_of_intent(order)] * 3)
    assert meeting.has_happened
    assert not problems(answers), answers
    world.work()
    world.hear_of_intent(order)
    world.work()
    done = world.fresh(order)
    is_changed = any(isinstance(answer, Conflict) for answer in answers)
    assert done.quantity == (3 if is_changed else 2)
    held = [each for each in world.intents(order) if each.status == "requires_capture"]
    assert [each.amount for each in held] == [int(done.total_amount * 100)]
    assert world.fresh(offer).reserved_portions == done.quantity
    world.settle(world.fresh(offer))
    assert_ledger_balances(world, offer)
