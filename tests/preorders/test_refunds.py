"""A charge is refunded in whole or in part (DECISIONS X5, X19)."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import stripe as stripe_api
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.billing.models import PaymentHistory
from apps.common.errors import Conflict, Invalid
from apps.common.money import Money
from apps.preorders import tasks
from apps.preorders.emails import rendering
from apps.preorders.manage.ledger import ledger_for_restaurant
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement import worker
from apps.preorders.settlement.payments import apply_payment_intent
from apps.preorders.settlement.reconciliation import reconcile
from apps.preorders.settlement.refunds import refund_effect
from tests.faults.ledger import assert_ledger_balances

REFUND = OperationKind.REFUND


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, revenue_share_rate=Decimal("3.00"))


@pytest.fixture
def order(world, offer):
    """An order of two portions for 51.84, charged, with fees of 1.56 and 2.84."""
    order = world.authorized_order(offer, 2)
    world.settle(offer)
    return world.fresh(order)


def refunded(world, order, *parts):
    for dollars in parts:
        world.refund(order, dollars)
        world.work()
        world.later(minutes=1)
    return world.fresh(order)


def refund_parts(order):
    rows = PaymentHistory.objects.filter(pre_order=order, transaction_type="refund").order_by("pk")
    return [
        (str(row.amount), str(row.platform_fee_amount), str(row.processing_fee_amount))
        for row in rows
    ]


def email(order, number):
    row = Email.objects.get(pre_order=order, kind="refunded", number=number)
    return rendering.render_order_email(row)


def test_a_part_leaves_the_order_active(world, offer, order):
    order = refunded(world, order, "12.96")
    assert (order.status, order.payment_status) == ("confirmed", "captured")
    assert order.refunded_amount == Decimal("12.96")
    assert refund_parts(order) == [("12.96", "0.39", "0.71")]  # a quarter of 4.40 is 1.10
    assert email(order, 1).subject == f"Refunded for {offer.name}: $12.96"
    body = email(order, 1).body
    assert f"{offer.name}, 2 portions, $51.84 with tax\n" in body
    assert "Of what you paid, $38.88 isn't refunded." in body
    assert "Your order stands." in body
    assert_ledger_balances(world, offer)


def test_parts_add_up_to_the_whole_and_end_the_order(world, offer, order):
    order = refunded(world, order, "0.01", "17.28", "17.28", "17.27")
    assert (order.status, order.payment_status) == ("cancelled", "refunded")
    assert order.refunded_amount == Decimal("51.84")
    assert sum(Decimal(part[1]) for part in refund_parts(order)) == Decimal("1.56")
    assert sum(Decimal(part[2]) for part in refund_parts(order)) == Decimal("2.84")
    assert Email.objects.filter(pre_order=order, kind="refunded").count() == 4
    assert "With that, all you paid goes back to the same card." in email(order, 4).body
    assert_ledger_balances(world, offer)


def test_a_refund_of_everything_cancels_the_order(world, offer, order):
    order = refunded(world, order, None)
    assert (order.status, order.payment_status) == ("cancelled", "refunded")
    assert refund_parts(order) == [("51.84", "1.56", "2.84")]
    body = email(order, 1).body
    assert "All you paid goes back to the same card." in body
    assert "Your order stands" not in body
    assert_ledger_balances(world, offer)


def test_a_refund_of_the_rest_after_a_part_ends_the_order(world, offer, order):
    order = refunded(world, order, "20.00", None)
    assert order.payment_status == "refunded"
    assert [part[0] for part in refund_parts(order)] == ["20.00", "31.84"]
    assert_ledger_balances(world, offer)


def test_a_meal_picked_up_stays_picked_up(world, offer, order):
    type(order).objects.filter(pk=order.pk).update(status="fulfilled")
    order = refunded(world, order, None)
    assert (order.status, order.payment_status) == ("fulfilled", "refunded")
    assert "canceled" not in email(order, 1).body
    assert_ledger_balances(world, offer)


def test_the_ledgers_totals_subtract_a_refund_and_its_fees(world, offer, order):
    refunded(world, order, "12.96")
    totals = ledger_for_restaurant(restaurant=world.restaurant).totals
    assert str(totals.captured) == "51.84"
    assert str(totals.refunded) == "12.96"
    assert (str(totals.platform_fees), str(totals.processing_fees)) == ("1.17", "2.13")
    assert str(totals.payout) == "35.58"


@pytest.mark.parametrize("before", [(), ("12.96",)])
@pytest.mark.parametrize("dollars", ["0.01", "12.95", "17.28", None])
def test_a_previewed_refund_is_what_is_recorded(world, order, before, dollars):
    order = refunded(world, order, *before)
    effect = refund_effect(order=order, amount=Money.of(dollars) if dollars else None)
    refunded(world, order, dollars)
    reported = (effect.back, effect.fees.revenue_share, effect.fees.processing)
    assert tuple(str(part.amount) for part in reported) == refund_parts(order)[-1]
    assert effect.less_payout == effect.back - effect.fees.application_fee


@pytest.mark.parametrize(
    ("dollars", "says"),
    [
        ("0.00", "Refund at least 1 cent."),
        ("-5.00", "Refund at least 1 cent."),
        ("51.85", "You can refund at most $51.84, the remaining amount."),
    ],
)
def test_an_amount_that_cannot_be(world, order, dollars, says):
    with pytest.raises(Invalid, match=re.escape(says)):
        world.refund(order, dollars)
    assert not PaymentOperation.objects.filter(kind=REFUND).exists()


def test_never_more_than_is_left(world, offer, order):
    refunded(world, order, "50.00")
    with pytest.raises(Invalid, match=r"You can refund at most \$1.84"):
        world.refund(order, "1.85")
    assert_ledger_balances(world, offer)


def test_a_second_refund_waits_for_the_first(world, order):
    world.refund(order, "5.00")
    with pytest.raises(Conflict, match=r"A refund of \$5.00 is in progress"):
        world.refund(order, "1.00")


def test_a_button_pressed_twice_refunds_once(world, offer, order):
    world.refund(order, "5.00")
    world.work()
    with pytest.raises(Conflict, match=r"You refunded \$5.00 for the same reason moments ago"):
        world.refund(order, "5.00")
    world.later(seconds=31)
    assert refunded(world, order, "5.00").refunded_amount == Decimal("10.00")
    assert_ledger_balances(world, offer)


def test_who_asked_and_why_is_stored(world, order):
    world.refund(order, "5.00", reason="  One portion\n was cold ")
    operation = world.operation(order, REFUND)
    assert (operation.reason, operation.actor) == ("One portion was cold", "Maria")
    assert (operation.amount, operation.refund_up_to) == (Decimal("5.00"), Decimal("5.00"))


def test_a_reason_too_long_is_refused_whole(world, order):
    with pytest.raises(Invalid, match="at most 120 characters"):
        world.refund(order, "5.00", reason="x" * 121)


def test_what_was_not_charged_is_not_refunded(world, offer):
    held, begun = world.authorized_order(offer), world.begin(offer)
    with pytest.raises(Conflict, match="This card is on hold, not charged"):
        world.refund(held)
    with pytest.raises(Conflict, match="This order has no card yet"):
        world.refund(begun)
    world.cancel(held)
    world.work()
    with pytest.raises(Conflict, match="never charged"):
        world.refund(held)
    assert not PaymentOperation.objects.filter(kind=REFUND).exists()


class TestInTheProcessorsOwnPages:
    def by_hand(self, order, cents):
        return stripe_api.Refund.create(
            payment_intent=order.payment_intent_id,
            amount=cents,
            reverse_transfer=True,
            refund_application_fee=True,
        )

    def test_a_refund_made_at_stripe_is_recorded_once(self, world, offer, order):
        self.by_hand(order, 1000)
        for _ in range(3):
            apply_payment_intent(order.payment_intent_id, now=world.now)
        world.work()
        order = world.fresh(order)
        assert order.refunded_amount == Decimal("10.00")
        assert [part[0] for part in refund_parts(order)] == ["10.00"]
        assert_ledger_balances(world, offer)

    def test_the_reconciler_finds_what_nobody_told(self, world, offer, order):
        world.later(minutes=2)
        self.by_hand(order, 1000)
        assert reconcile(now=world.now) == 1
        assert world.fresh(order).refunded_amount == Decimal("10.00")
        world.work()
        assert_ledger_balances(world, offer)

    def test_an_outdated_reading_after_a_newer_one_adds_no_entry(self, world, offer, order):
        from apps.billing import stripe_gateway
        from apps.preorders.settlement.payments import sync_intent

        self.by_hand(order, 1000)
        old = stripe_gateway.retrieve_with_refunds(order.payment_intent_id)
        self.by_hand(order, 500)
        apply_payment_intent(order.payment_intent_id, now=world.now)
        sync_intent(old, now=world.now)
        world.work()
        assert world.fresh(order).refunded_amount == Decimal("15.00")
        assert [part[0] for part in refund_parts(order)] == ["10.00", "5.00"]

    def test_a_refund_made_at_stripe_during_ours_is_taken_into_account(self, world, offer, order):
        world.refund(order, "15.00")
        self.by_hand(order, 1000)
        world.work()
        order = world.fresh(order)
        assert order.refunded_amount == Decimal("15.00")
        assert world.operation(order, REFUND).state == "done"
        assert_ledger_balances(world, offer)

    def test_the_same_amount_made_there_ends_ours_without_another(self, world, offer, order):
        world.refund(order, "15.00")
        self.by_hand(order, 1500)
        world.work()
        assert world.calls("POST /v1/refunds") == 1
        assert world.fresh(order).refunded_amount == Decimal("15.00")
        assert world.operation(order, REFUND).state == "done"
        assert_ledger_balances(world, offer)

    def test_all_of_it_made_there_ends_ours(self, world, offer, order):
        world.refund(order, "15.00")
        self.by_hand(order, 5184)
        world.work()
        order = world.fresh(order)
        assert order.payment_status == "refunded"
        assert world.operation(order, REFUND).state == "done"
        assert_ledger_balances(world, offer)


class TestAnAnswerThatIsLost:
    @pytest.mark.parametrize("kind", ["lost_response", "500"])
    def test_a_refund_whose_answer_is_lost_is_made_once(self, world, offer, order, kind):
        world.stripe.control(
            http_fault={"kind": kind, "method": "POST", "path_prefix": "/v1/refunds"}
        )
        world.refund(order, "15.00")
        world.work()
        assert world.operation(order, REFUND).state == "pending"
        world.later(minutes=2)
        tasks.run_due_operations_task.delay()
        world.work()
        assert world.fresh(order).refunded_amount == Decimal("15.00")
        assert len(stripe_api.Refund.list(payment_intent=order.payment_intent_id).data) == 1
        assert_ledger_balances(world, offer)

    def test_a_second_worker_at_the_same_moment_refunds_nothing(self, world, offer, order):
        world.refund(order, "15.00")
        operation = world.operation(order, REFUND)
        assert worker.run_operation(operation.pk, now=world.now)
        assert not worker.run_operation(operation.pk, now=world.now)
        assert world.calls("POST /v1/refunds") == 1


@settings(
    deadline=None, max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(parts=st.lists(st.integers(1, 2591), min_size=1, max_size=4))
def test_any_parts_leave_both_ledger_equal(world, parts):
    offer = world.offer(min_preorders=1, revenue_share_rate=Decimal("3.00"))
    order = world.authorized_order(offer)
    world.at(max(world.now, offer.deadline))
    world.close(offer)
    world.work()
    left = Money(2592)
    for cents in parts:
        if Money(cents) <= left:
            left -= Money(cents)
            refunded(world, order, str(Money(cents).amount))
    assert world.fresh(order).refunded_amount == (Money(2592) - left).amount
    lines = PaymentHistory.objects.filter(pre_order=order, transaction_type="refund")
    charges: list[Any] = stripe_api.Charge.list(
        payment_intent=world.fresh(order).payment_intent_id, expand=["data.application_fee"]
    ).data
    (charge,) = charges
    fees = sum(
        (line.platform_fee_amount + line.processing_fee_amount for line in lines), Decimal(0)
    )
    assert Money.of(fees).cents == charge.application_fee.amount_refunded


def test_a_part_under_way_when_all_is_to_go_back(world):
    """Charged early (X12), a part asked back, and then the offer falls below its minimum."""
    offer = world.offer(min_preorders=2, deadline=world.now + timedelta(days=6, hours=23))
    early, leaving = world.authorized_order(offer), world.authorized_order(offer)
    type(early).objects.filter(pk=leaving.pk).update(capture_before=offer.deadline + timedelta(9))
    world.later(days=6, minutes=10)
    tasks.renew_authorizations_task.delay()
    world.work()
    world.cancel(leaving)
    world.refund(early, "5.00")
    world.at(offer.deadline)
    assert world.close(offer) == "failed"
    operation = world.operation(early, REFUND)
    assert (operation.amount, operation.refund_up_to) == (None, None)
    world.work()
    early = world.fresh(early)
    assert (early.status, early.payment_status) == ("cancelled", "refunded")
    assert_ledger_balances(world, offer)
