"""Whether Stripe limits how many requests run at once isn't documented in numbers: the program is
right with no limit, and with the lowest there can be. See tests/preorders/test_either_way.py."""

import pytest

from apps.preorders import tasks
from apps.preorders.models import PaymentOperation
from apps.preorders.settlement import worker
from tests.faults.ledger import assert_ledger_balances
from tests.threads import at_once

WORKERS = 4


@pytest.mark.parametrize("otherwise", [[], ["one_request_at_a_time"]])
def test_every_card_is_charged_once_with_and_without_a_limit_of_requests_at_once(
    world, impatient, otherwise
):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(WORKERS)]
    world.at(offer.deadline)
    world.close(offer)
    world.tasks.waiting.clear()
    operations = PaymentOperation.objects.values_list("pk", flat=True)
    world.stripe.control(otherwise=otherwise, latency={"seconds": 0.05})
    answers = at_once(*[lambda pk=pk: worker.run_operation(pk, now=world.now) for pk in operations])
    assert set(answers) == {True}
    world.stripe.control(latency={"seconds": 0})
    assert (world.stripe.control()["rate_limited"] > 0) is bool(otherwise)
    while any(world.fresh(each).payment_status != "captured" for each in orders):
        world.later(minutes=2)
        assert world.now < offer.deadline.replace(hour=23), "somebody is never charged"
        tasks.run_due_operations_task.delay()
        world.work()
    for order in orders:
        assert [each.status for each in world.intents(order)] == ["succeeded"]
        assert [each.amount_received for each in world.intents(order)] == [2592]
    assert_ledger_balances(world, offer, emails_sent=False)
