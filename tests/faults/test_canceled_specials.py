"""The process that cancels a special dies around its decision; each order has one outcome."""

import pytest

from apps.preorders import tasks
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.settlement.offer_cancellation import cancel_offer
from tests.faults.ledger import assert_ledger_balances


def sweep(world):
    world.later(seconds=100)
    tasks.run_due_operations_task.delay()
    tasks.send_pending_emails_task.delay()
    tasks.end_abandoned_checkouts_task.delay()
    world.work()


def cancel(world, offer):
    return cancel_offer(
        restaurant=offer.restaurant,
        offer_id=offer.pk,
        reason="The fish did not arrive.",
        by="Maria",
        now=world.now,
    )


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2)


def test_a_special_whose_cancellation_dies_before_its_commit_goes_on(world, mortals, offer):
    orders = [world.authorized_order(offer) for _ in range(2)]
    world.work()
    death = mortals.run("cancel_offer", offer.pk, now=world.now, moment=1)
    assert death.where == "after the end of the decision"
    assert world.fresh(offer).status == "active"
    assert not PaymentOperation.objects.exists()
    assert not Email.objects.filter(kind="cancelled").exists()
    assert cancel(world, offer).orders == 2
    world.work()
    assert [world.emails(order).count("cancelled") for order in orders] == [1, 1]
    assert_ledger_balances(world, offer)


@pytest.mark.parametrize("moment", [2, 3], ids=["before the first message", "after it"])
def test_a_cancellation_that_dies_after_its_commit_is_finished_by_the_sweeps(
    world, mortals, offer, moment
):
    orders = [world.authorized_order(offer) for _ in range(3)]
    waiting = world.begin(offer)
    world.work()
    death = mortals.run("cancel_offer", offer.pk, now=world.now, moment=moment)
    assert death.killed
    assert world.fresh(offer).status == "deleted"
    assert {str(world.fresh(order).payment_status) for order in orders} == {"authorized"}
    for _ in range(3):
        sweep(world)
    assert {str(world.fresh(order).payment_status) for order in orders} == {"released"}
    # The message that closes the checkout page was lost too: a card entered there is released.
    world.pay(waiting)
    world.hear_of_intent(waiting)
    world.work()
    assert world.fresh(waiting).payment_status == "released"
    assert [world.emails(order).count("cancelled") for order in [*orders, waiting]] == [1] * 4
    # The owner, who got no answer, presses again.
    assert cancel(world, offer).orders == 4
    world.work()
    assert [world.emails(order).count("cancelled") for order in [*orders, waiting]] == [1] * 4
    assert_ledger_balances(world, offer)
