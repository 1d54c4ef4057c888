"""Random histories of orders, changes, refunds and faults end with our ledger equal to Stripe's.

Hypothesis draws the steps; the database, local Stripe and the workers are real. Each history has a
restaurant of its own. The runs are the same every time (`derandomize`), and few, to stay below a
minute; `HISTORIES=500 pytest tests/faults/test_histories.py` looks further.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
import stripe as stripe_api
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from apps.billing.gateway import GatewayError
from apps.billing.models import Discrepancy, MonthlyBillingCycle, PaymentHistory
from apps.common.errors import DomainError
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED
from apps.preorders import tasks
from apps.preorders.guest.changes import change_quantity
from apps.preorders.manage import fulfillment
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationStatus, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.world import (
    CAPTURE_DECLINED,
    GOOD,
    OFF_SESSION_DECLINED,
    REFUND_FAILS,
    REFUND_PENDING,
    World,
)

CARDS = (GOOD, GOOD, REFUND_PENDING, REFUND_FAILS, CAPTURE_DECLINED, OFF_SESSION_DECLINED)
FAULTS = ("lost_response", "500", "429")
PATHS = ("/v1/refunds", "/v1/payment_intents", "/v1/checkout")
HISTORIES = int(os.environ.get("HISTORIES", "3"))
SWEEPS = (
    tasks.close_due_offers_task,
    tasks.run_due_operations_task,
    tasks.end_abandoned_checkouts_task,
    tasks.renew_authorizations_task,
    tasks.reconcile_payments_task,
)


@dataclass
class History:
    """One restaurant with one special, and the guests who ordered it."""

    world: World
    offer: SpecialOffer
    orders: list[PreOrder] = field(default_factory=list)

    def take(self, step: tuple[Any, ...]) -> None:
        """Do one step; what the program refuses, or Stripe doesn't answer, is part of the story."""
        name, *details = step
        with suppress(DomainError, GatewayError):
            getattr(self, name)(*details)

    def _order(self, number: int) -> PreOrder | None:
        return self.world.fresh(self.orders[number % len(self.orders)]) if self.orders else None

    def order(self, card: int, quantity: int) -> None:
        order = self.world.begin(self.offer, quantity)
        self.orders.append(order)
        self.world.pay(order, CARDS[card % len(CARDS)])
        self.world.hear(order)

    def change(self, number: int, quantity: int) -> None:
        if order := self._order(number):
            change_quantity(order=order, quantity=quantity, now=self.world.now)

    def cancel(self, number: int) -> None:
        if order := self._order(number):
            self.world.cancel(order)

    def refund(self, number: int, amount: str | None) -> None:
        if order := self._order(number):
            self.world.refund(order, amount)

    def refund_in_the_dashboard(self, number: int) -> None:
        order = self._order(number)
        if order and order.payment_status == PaymentStatus.CAPTURED:
            with suppress(stripe_api.StripeError):
                stripe_api.Refund.create(
                    payment_intent=str(order.payment_intent_id),
                    amount=700,
                    reverse_transfer=True,
                    refund_application_fee=True,
                )

    def pick_up(self, number: int) -> None:
        if order := self._order(number):
            fulfillment.mark_picked_up(
                restaurant=self.offer.restaurant, order_id=order.pk, by="Maria", now=self.world.now
            )

    def fault(self, kind: int, path: int) -> None:
        self.world.stripe.control(
            http_fault={
                "kind": FAULTS[kind % len(FAULTS)],
                "method": "POST",
                "path_prefix": PATHS[path % len(PATHS)],
                "times": 1,
            }
        )

    def work(self) -> None:
        self.world.work()

    def decide(self) -> None:
        self.world.at(max(self.world.now, self.offer.deadline + timedelta(minutes=11)))
        self.world.close(self.offer)

    def wait(self, hours: int) -> None:
        self.sweep(hours=hours)

    def sweep(self, **parts: float) -> None:
        self.world.later(**parts)
        for task in SWEEPS:
            task.delay()
        self.world.work()

    def finish(self) -> None:
        """Stripe is well again, and time passes until nothing is left to do."""
        self.decide()
        for parts in [{"minutes": 20}] * 3 + [{"hours": 7}] * 5 + [{"minutes": 20}] * 2:
            self.sweep(**parts)


# --- what must be true in the end -----------------------------------------------------------------
def cents(amount: Any) -> int:
    return Money.of(amount or 0).cents


def theirs_of(world: World, order: PreOrder) -> dict[str, dict[str, int]]:
    """What Stripe says about every charged intent of the order, in cents."""
    found = {}
    for intent in world.intents(order):
        assert intent.status in ("succeeded", "canceled", "requires_payment_method"), intent.status
        if intent.status != "succeeded":
            continue
        charge: Any = stripe_api.Charge.retrieve(
            intent.latest_charge.id, expand=["transfer", "application_fee"]
        )
        refunds = stripe_api.Refund.list(payment_intent=intent.id, limit=100).data
        sums = {
            state: sum(each.amount for each in refunds if each.status == state)
            for state in ("succeeded", "failed", "pending")
        }
        assert not sums["pending"]
        found[intent.id] = {
            "captured": charge.amount_captured,
            "refunded": sums["succeeded"],
            "returned": sums["failed"],
            "reversed": charge.transfer.amount_reversed,
            "fee": charge.application_fee.amount - charge.application_fee.amount_refunded,
        }
    return found


def ours_of(order: PreOrder) -> dict[str, int]:
    entries = PaymentHistory.objects.filter(
        pre_order=order, payment_intent_id=order.payment_intent_id
    )
    sums = dict.fromkeys(("capture", "refund", "refund_returned", "fee", "transfer"), 0)
    fee = 0
    for entry in entries:
        if entry.transaction_type in sums:
            sums[entry.transaction_type] += cents(entry.amount)
        sign = -1 if entry.transaction_type == "refund" else 1
        fee += sign * cents(entry.platform_fee_amount + entry.processing_fee_amount)
    assert sums["transfer"] == sums["capture"] - _collected(entries)
    return {
        "captured": sums["capture"],
        "refunded": sums["refund"] - sums["refund_returned"],
        "returned": sums["refund_returned"],
        "reversed": sums["refund"],
        "fee": fee + sums["fee"],
    }


def _collected(entries: Any) -> int:
    captures = [each for each in entries if each.transaction_type == "capture"]
    fees = [each for each in entries if each.transaction_type == "fee"]
    return sum(cents(each.platform_fee_amount) for each in captures) + sum(
        cents(each.amount) for each in fees
    )


def assert_true_in_the_end(history: History) -> None:
    world = history.world
    orders = list(PreOrder.objects.filter(offer=history.offer))
    left = PaymentOperation.objects.filter(pre_order__in=orders, state=OperationStatus.PENDING)
    assert not left, [f"{row} {row.stage} {row.error}" for row in left]
    assert world.fresh(history.offer).status in DECIDED
    for order in orders:
        theirs = theirs_of(world, order)
        own = theirs.pop(str(order.payment_intent_id), None)
        ours = ours_of(order)
        assert ours == (own or dict.fromkeys(ours, 0)), f"{order} is {order.payment_status}"
        assert cents(order.refunded_amount) == ours["refunded"]
        assert cents(order.returned_amount) == ours["returned"]
        for stray in theirs.values():
            assert stray["captured"] == stray["refunded"] + stray["returned"], "a second charge"
        sent_back = ours["captured"] - ours["refunded"] - ours["returned"] == 0
        if order.status in (PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED):
            assert order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)
        if order.status == PreOrderStatus.CONFIRMED:
            assert ours["captured"]
            assert not sent_back, f"{order}: the money and the meal"
        if order.payment_status == PaymentStatus.CAPTURED and sent_back:
            assert ours["returned"], f"{order}: charged, but nothing is left of the charge"
        if ours["returned"]:
            owed = Discrepancy.objects.filter(pre_order=order, kind="refund_returned")
            assert owed.filter(resolved_at=None).exists(), "nobody was told"
    months = MonthlyBillingCycle.objects.filter(restaurant=history.offer.restaurant)
    left_over = sum(ours_of(order)["captured"] - ours_of(order)["reversed"] for order in orders)
    assert sum(cents(month.total_revenue) for month in months) == left_over
    assert reconcile(now=world.later(minutes=5)) == 0
    open_ones = Discrepancy.objects.filter(
        pre_order__in=orders, kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None
    )
    assert not open_ones, list(open_ones.values_list("description", flat=True))


# --- the histories --------------------------------------------------------------------------------
numbers = st.integers(0, 3)
before = st.one_of(
    st.tuples(st.just("order"), st.integers(0, 5), st.integers(1, 3)),
    st.tuples(st.just("order"), st.integers(0, 5), st.integers(1, 3)),
    st.tuples(st.just("change"), numbers, st.integers(1, 4)),
    st.tuples(st.just("cancel"), numbers),
    st.tuples(st.just("fault"), numbers, numbers),
    st.tuples(st.just("wait"), st.sampled_from([1, 12])),
)
after = st.one_of(
    st.tuples(st.just("refund"), numbers, st.sampled_from([None, "5.00", "0.01", "13.37"])),
    st.tuples(st.just("refund_in_the_dashboard"), numbers),
    st.tuples(st.just("pick_up"), numbers),
    st.tuples(st.just("fault"), numbers, numbers),
    st.just(("work",)),
    st.tuples(st.just("wait"), st.sampled_from([1, 12])),
)
histories = st.tuples(
    st.integers(1, 4), st.lists(before, min_size=2, max_size=6), st.lists(after, max_size=6)
)
ONE_OF_EACH = [("order", card, 1) for card in range(1, 6)]
REFUND_ALL = [("work",), *(("refund", number, None) for number in range(5))]


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
@settings(
    max_examples=HISTORIES,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(history=histories)
def test_a_history_ends_with_the_ledger_equal_to_stripes(world, counting, history):
    minimum, steps, later_steps = history
    number = SpecialOffer.objects.count()
    world._restaurant = world.open_restaurant(name=f"No. {number}", subdomain=f"no{number}")
    world.stripe.control(refund_counting=counting)
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
