"""Random histories of orders, refunds, disputes, and faults end with our ledger equal to Stripe's.

Hypothesis draws the steps; the database, local Stripe, and the workers are real. Each history has a
restaurant of its own. The runs are the same every time (`derandomize`), and few, because each takes
seconds; `HISTORIES=500 pytest tests/faults/test_histories.py` looks further.
"""

import os
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apps.offers.models import SpecialOffer
from apps.preorders.models import Email, PaymentOperation, PreOrder
from tests.faults.history import PLENTY, History
from tests.faults.history_truth import assert_true_in_the_end

HISTORIES = int(os.environ.get("HISTORIES", "3"))
LONG = 24 * 25  # hours: beyond the serve date

numbers = st.integers(0, 3)
at_stripe = [
    st.tuples(st.just("fault"), numbers, st.integers(0, 4)),
    st.tuples(st.just("news"), st.integers(0, 999)),
    st.tuples(st.just("restrict"), numbers),
    st.just(("restore",)),
    st.tuples(st.just("fund"), st.sampled_from([0, 500, PLENTY])),
    st.tuples(st.just("wait"), st.sampled_from([1, 12, 50, 24 * 8])),
]
before = st.one_of(
    st.tuples(st.just("order"), st.integers(0, 5), st.integers(1, 3)),
    st.tuples(st.just("order"), st.integers(0, 5), st.integers(1, 3)),
    st.tuples(st.just("join"), numbers, st.integers(0, 5)),
    st.tuples(st.just("fill_cart"), st.integers(0, 5)),
    st.tuples(st.just("change"), numbers, st.integers(1, 4)),
    st.tuples(st.just("replace_hold"), numbers, st.integers(0, 5)),
    st.tuples(st.just("cancel"), numbers),
    st.tuples(st.just("extend"), st.sampled_from([1, 12, 36])),
    st.tuples(st.just("add_portions"), st.integers(0, 4)),
    st.tuples(st.just("lower_minimum"), st.integers(1, 3)),
    st.just(("go_ahead",)),
    # Of orders that were charged early.
    st.tuples(st.just("refund"), numbers, st.sampled_from([None, "5.00"])),
    st.tuples(st.just("fail_refund"), numbers),
    st.tuples(st.just("dispute"), numbers, numbers),
    *at_stripe,
)
after = st.one_of(
    st.tuples(st.just("refund"), numbers, st.sampled_from([None, "5.00", "0.01", "13.37"])),
    st.tuples(st.just("refund_in_the_dashboard"), numbers),
    st.tuples(st.just("fail_refund"), numbers),
    st.tuples(st.just("pick_up"), numbers),
    st.tuples(st.just("dispute"), numbers, numbers),
    st.tuples(st.just("dispute"), numbers, numbers),
    st.tuples(st.just("answer"), numbers),
    st.tuples(st.just("decide_dispute"), numbers, st.integers(0, 4)),
    st.tuples(st.just("decide_dispute"), numbers, st.integers(0, 4)),
    st.tuples(st.just("warn_of_fraud"), numbers),
    st.just(("call_off",)),
    st.just(("fail_payout",)),
    st.just(("work",)),
    st.tuples(st.just("wait"), st.sampled_from([LONG])),
    st.tuples(st.just("stand_still"), st.sampled_from([LONG])),
    *at_stripe,
)
histories = st.tuples(
    st.integers(1, 4),
    # Days until the deadline: within a hold's life, or beyond it, so that holds are renewed or
    # captured early.
    st.sampled_from([3, 12]),
    st.lists(before, min_size=2, max_size=6),
    st.lists(after, max_size=10),
)
ONE_OF_EACH = [("order", card, 1) for card in range(1, 6)]
REFUND_ALL = [("work",), *(("refund", number, None) for number in range(5))]
LOST_THEN_WON = [
    ("work",),
    ("dispute", 0, 0),
    ("news", 1),
    ("answer", 0),
    ("work",),
    ("decide_dispute", 0, 1),
    ("news", 2),
    ("decide_dispute", 0, 0),
    ("news", 3),
]
DISPUTED_AGAIN = [
    ("work",),
    ("dispute", 0, 0),
    ("news", 1),
    ("work",),
    ("decide_dispute", 0, 0),
    ("wait", 24 * 8),
    ("dispute", 0, 0),
    ("wait", 12),
    ("decide_dispute", 0, 0),
    ("wait", 24 * 8),
    ("dispute", 0, 0),
    # The news of it, and of the decision, is lost for weeks.
    ("stand_still", 24 * 25),
]
OVERTAKEN = [
    ("work",),
    ("refund", 0, None),
    ("work",),
    ("dispute", 0, 0),
    ("news", 1),
    ("work",),
    ("decide_dispute", 0, 0),
    ("wait", 24 * 8),
]
REFUNDED_INQUIRY = [
    ("work",),
    ("dispute", 0, 1),
    ("refund", 0, "5.00"),
    ("work",),
    ("warn_of_fraud", 1),
    ("decide_dispute", 0, 3),
    ("news", 4),
    ("refund", 1, None),
    ("fund", 0),
    ("work",),
    ("wait", 12),
]
RESTRICTED = [
    ("restrict", 0),
    ("work",),
    ("wait", 12),
    ("dispute", 0, 0),
    ("restore",),
    ("wait", 1),
    ("dispute", 1, 2),
    ("wait", LONG),
    ("fail_payout",),
    ("refund", 1, "13.37"),
    ("wait", 12),
]


# A deadline beyond the holds' life: holds are renewed or charged early, then changed, refunded, and
# called off.
CHARGED_EARLY = [
    ("order", 0, 2),
    ("order", 5, 1),
    ("join", 0, 0),
    ("fill_cart", 4),
    ("change", 1, 3),
    ("replace_hold", 1, 5),
    ("add_portions", 3),
    ("wait", 50),
    ("wait", 50),
    ("wait", 50),
    ("change", 0, 3),
    ("refund", 1, "5.00"),
    ("fail_refund", 1),
    ("add_portions", 0),
]


@pytest.mark.parametrize(
    "counting",
    [{"pending": True, "failed": False}, {"pending": False, "failed": True}],
    ids=["as assumed", "the other way"],
)
@example(history=(1, 3, ONE_OF_EACH, REFUND_ALL))
@example(
    history=(
        2,
        3,
        [*ONE_OF_EACH, ("change", 0, 3), ("change", 1, 2)],
        [
            ("work",),
            ("fault", 0, 0),
            ("refund", 2, "5.00"),
            ("work",),
            ("refund_in_the_dashboard", 2),
            ("refund", 1, None),
            ("pick_up", 1),
            ("wait", 12),
            ("refund", 0, "13.37"),
        ],
    )
)
@example(history=(3, 12, CHARGED_EARLY, [("work",), ("dispute", 1, 0), ("wait", 24 * 8)]))
@example(history=(2, 12, [*CHARGED_EARLY[:10], ("cancel", 1)], [("call_off",), ("work",)]))
@example(history=(1, 3, [*ONE_OF_EACH, ("extend", 36), ("join", 0, 1), ("cancel", 0)], REFUND_ALL))
@example(history=(1, 3, ONE_OF_EACH[:2], OVERTAKEN))
@example(history=(1, 3, ONE_OF_EACH[:2], REFUNDED_INQUIRY))
@example(history=(1, 3, ONE_OF_EACH[:2], RESTRICTED))
@settings(
    max_examples=HISTORIES,
    derandomize="HISTORIES" not in os.environ,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(history=histories)
def test_a_history_ends_with_the_ledger_equal_to_stripes(world, counting, history):
    tell(world, counting, history)


@pytest.mark.parametrize("later_steps", [LOST_THEN_WON, DISPUTED_AGAIN], ids=["lost, won", "again"])
def test_a_disputed_charge_without_refunds_ends_with_the_ledger_equal_to_stripes(
    world, later_steps
):
    """However Stripe counts refunds: there are none."""
    tell(world, {"pending": True, "failed": False}, (1, 3, ONE_OF_EACH[:2], later_steps))


def test_a_history_with_a_far_deadline_renews_charges_early_and_fills_carts(world):
    """What is refused is part of a history, so this sees that its longest example gets there."""
    tell(world, {"pending": True, "failed": False}, (3, 12, CHARGED_EARLY, []))
    sent = set(Email.objects.values_list("kind", flat=True))
    assert {"charged_early", "confirmed", "refunded"} <= sent
    kinds = set(PaymentOperation.objects.values_list("kind", flat=True))
    assert {"authorize", "renew", "capture", "refund"} <= kinds
    assert PreOrder.objects.exclude(friend_of=None).exists()


def tell(world, counting, history):
    minimum, days, steps, later_steps = history
    number = SpecialOffer.objects.count()
    world._restaurant = world.open_restaurant(name=f"No. {number}", subdomain=f"no{number}")
    world.stripe.control(refund_counting=counting, platform_funds=PLENTY)
    offer = world.offer(
        min_preorders=minimum,
        deadline=world.now + timedelta(days=days),
        serve_date=(world.now + timedelta(days=20)).date(),
    )
    other = world.offer(
        min_preorders=1, deadline=offer.deadline, serve_date=offer.serve_date, name="Risotto"
    )
    told = History(world, offer, other)
    for step in steps:
        told.take(step)
    told.decide()
    for step in later_steps:
        told.take(step)
    told.finish()
    assert_true_in_the_end(told)
