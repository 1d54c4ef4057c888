"""Random histories of orders, refunds, disputes and faults end with our ledger equal to Stripe's.

Hypothesis draws the steps; the database, local Stripe and the workers are real. Each history has a
restaurant of its own. The runs are the same every time (`derandomize`), and few, to stay below a
minute; `HISTORIES=500 pytest tests/faults/test_histories.py` looks further.
"""

import os
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apps.offers.models import SpecialOffer
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
    st.tuples(st.just("wait"), st.sampled_from([1, 12, 24 * 8])),
]
before = st.one_of(
    st.tuples(st.just("order"), st.integers(0, 5), st.integers(1, 3)),
    st.tuples(st.just("order"), st.integers(0, 5), st.integers(1, 3)),
    st.tuples(st.just("change"), numbers, st.integers(1, 4)),
    st.tuples(st.just("cancel"), numbers),
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
    st.tuples(st.just("decide_dispute"), numbers, numbers),
    st.tuples(st.just("decide_dispute"), numbers, numbers),
    st.tuples(st.just("warn_of_fraud"), numbers),
    st.just(("fail_payout",)),
    st.just(("work",)),
    st.tuples(st.just("wait"), st.sampled_from([LONG])),
    st.tuples(st.just("stand_still"), st.sampled_from([LONG])),
    *at_stripe,
)
histories = st.tuples(
    st.integers(1, 4), st.lists(before, min_size=2, max_size=6), st.lists(after, max_size=10)
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
    # Nobody hears of it or of the decision for weeks.
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


@pytest.mark.parametrize(
    "counting",
    [{"pending": True, "failed": False}, {"pending": False, "failed": True}],
    ids=["as assumed", "the other way"],
)
@example(history=(1, ONE_OF_EACH, REFUND_ALL))
@example(
    history=(
        2,
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
@example(history=(1, ONE_OF_EACH[:2], OVERTAKEN))
@example(history=(1, ONE_OF_EACH[:2], REFUNDED_INQUIRY))
@example(history=(1, ONE_OF_EACH[:2], RESTRICTED))
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
    tell(world, {"pending": True, "failed": False}, (1, ONE_OF_EACH[:2], later_steps))


def tell(world, counting, history):
    minimum, steps, later_steps = history
    number = SpecialOffer.objects.count()
    world._restaurant = world.open_restaurant(name=f"No. {number}", subdomain=f"no{number}")
    world.stripe.control(refund_counting=counting, platform_funds=PLENTY)
    offer = world.offer(
        min_preorders=minimum,
        deadline=world.now + timedelta(days=3),
        serve_date=(world.now + timedelta(days=20)).date(),
    )
    told = History(world, offer)
    for step in steps:
        told.take(step)
    told.decide()
    for step in later_steps:
        told.take(step)
    told.finish()
    assert_true_in_the_end(told)
