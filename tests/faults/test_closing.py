"""The deadline itself: eight closers at once, and a checkout still open when it passes."""

from datetime import timedelta

import pytest

from apps.preorders import tasks
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from apps.preorders.settlement import deadline
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.world import ASKS_EVERY_TIME
from tests.threads import at_once

GRACE = timedelta(minutes=10)


@pytest.mark.parametrize(
    ("minimum", "outcome"), [(6, PaymentStatus.CAPTURED), (7, PaymentStatus.RELEASED)]
)
def test_eight_closers_and_eight_workers_at_once_settle_each_order_once(world, minimum, outcome):
    offer = world.offer(min_preorders=minimum, deadline=world.now + timedelta(minutes=5))
    orders = [world.authorized_order(offer) for _ in range(4)]
    unheard = [world.begin(offer) for _ in range(2)]
    for order in unheard:
        world.pay(order)
    abandoned = world.begin(offer)
    world.at(offer.deadline + GRACE)
    answers = at_once(*[lambda: deadline.close_offer(offer.pk, now=world.now)] * 8)
    assert set(answers) <= {world.fresh(offer).status, "closing"}, answers
    assert PaymentOperation.objects.count() == 6

    operations = list(PaymentOperation.objects.values_list("pk", flat=True)) * 2
    assert not [
        problem
        for problem in at_once(
            *[lambda pk=pk: tasks.run_operations_task.run([pk]) for pk in operations]
        )
        if isinstance(problem, Exception)
    ]
    world.work()
    assert {world.fresh(order).payment_status for order in [*orders, *unheard]} == {outcome}
    assert world.fresh(abandoned).status == PreOrderStatus.CANCELLED
    assert_ledger_balances(world, offer)


def test_eight_closers_ask_about_each_checkout_once(world):
    """One pass of an offer at a time; the others don't wait for it."""
    offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
    for _ in range(3):
        world.begin(offer)
    world.at(offer.deadline)
    endpoint = "GET /v1/checkout/sessions/{id}"
    before = world.stripe.control()["calls"].get(endpoint, 0)
    world.stripe.control(latency={"path_prefix": "/v1/checkout", "seconds": 0.3})
    answers = at_once(*[lambda: deadline.close_offer(offer.pk, now=world.now)] * 8)
    world.stripe.control(latency={"path_prefix": "/v1/checkout", "seconds": 0})
    assert set(answers) == {"closing"}
    assert world.stripe.control()["calls"][endpoint] - before == 3


def offer_with_a_bank_asking(world, minimum=2):
    """One guest is in; another's bank wants 3-D Secure, and the deadline passes meanwhile."""
    offer = world.offer(min_preorders=minimum, deadline=world.now + timedelta(minutes=5))
    sure = world.authorized_order(offer)
    asked = world.begin(offer)
    world.pay(asked, ASKS_EVERY_TIME, authenticate="leave")
    world.at(offer.deadline)
    assert world.close(offer) == "closing"
    assert world.fresh(asked).payment_status == PaymentStatus.REQUIRES_ACTION
    return offer, sure, asked


def test_accepted_in_the_grace_counts(world):
    offer, sure, asked = offer_with_a_bank_asking(world)
    world.later(minutes=9)
    world.authenticate(asked)
    assert world.close(offer) == "succeeded"
    world.work()
    assert {world.fresh(order).payment_status for order in (sure, asked)} == {"captured"}
    assert_ledger_balances(world, offer)


def test_a_checkout_ends_when_stripe_does_not_answer_within_the_grace(world):
    offer, sure, asked = offer_with_a_bank_asking(world)
    world.later(minutes=9, seconds=50)
    assert world.close(offer) == "closing"
    world.later(seconds=10)
    assert world.close(offer) == "failed"
    world.work()
    assert world.fresh(asked).status == PreOrderStatus.CANCELLED
    world.authenticate(asked)  # too late: the page has ended
    assert [intent.status for intent in world.intents(asked)] == ["canceled"]
    tasks.apply_payment_intent_task.delay(world.fresh(asked).payment_intent_id)
    world.work()
    assert world.emails(asked) == []
    assert world.fresh(sure).payment_status == PaymentStatus.RELEASED
    assert_ledger_balances(world, offer)


def test_refused_by_the_bank_in_the_grace_leaves_the_page_open(world):
    offer, _, asked = offer_with_a_bank_asking(world)
    world.authenticate(asked, passed=False)
    world.later(minutes=1)
    assert world.close(offer) == "closing"
    assert world.fresh(asked).payment_status == PaymentStatus.UNPAID
    world.later(minutes=3)
    world.pay(asked)
    assert world.close(offer) == "succeeded"
    world.work()
    assert_ledger_balances(world, offer)


def test_accepted_after_the_grace_and_before_a_late_closer_is_released(world):
    """The closers were down. Stripe's clock decides what came too late, not ours."""
    offer, sure, asked = offer_with_a_bank_asking(world, minimum=1)
    world.later(minutes=10, seconds=5)
    world.authenticate(asked)
    world.later(minutes=30)
    assert world.close(offer) == "succeeded"
    world.work()
    assert world.fresh(sure).payment_status == PaymentStatus.CAPTURED
    asked = world.fresh(asked)
    assert (asked.status, asked.payment_status) == ("cancelled", "released")
    assert world.emails(asked) == ["released"]
    assert_ledger_balances(world, offer)


def test_accepted_in_the_grace_and_heard_of_an_hour_later_counts(world):
    """News may be late; the hold was not."""
    offer, sure, asked = offer_with_a_bank_asking(world)
    world.later(minutes=9)
    world.authenticate(asked)
    world.later(hours=1)
    assert world.close(offer) == "succeeded"
    world.work()
    assert {world.fresh(order).payment_status for order in (sure, asked)} == {"captured"}
    assert_ledger_balances(world, offer)


def test_nothing_is_decided_while_stripe_cannot_be_read(world):
    offer, _, asked = offer_with_a_bank_asking(world)
    world.authenticate(asked)
    world.later(minutes=11)
    fault = {"kind": "500", "path_prefix": "/v1/checkout/sessions", "times": 2}
    world.stripe.control(http_fault=fault)
    assert world.close(offer) == "closing"
    assert world.close(offer) == "closing"
    assert not PaymentOperation.objects.exists()
    assert world.close(offer) == "succeeded"
    world.work()
    assert_ledger_balances(world, offer)
