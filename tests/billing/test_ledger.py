"""The ledger: append-only, each movement once, in the month it happened (design §4)."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from apps.billing import ledger
from apps.billing.fees import Fees
from apps.billing.models import MonthlyBillingCycle, PaymentHistory, PlatformFee
from apps.common.money import Money
from apps.restaurants.models import Restaurant
from apps.restaurants.tiers import tier_rate
from tests.conftest import NOON
from tests.factories import PreOrderFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
FEES = Fees(revenue_share=Money(78), processing=Money(157))


@pytest.fixture
def order():
    return PreOrderFactory()


def ref(order):
    return ledger.OrderRef(order.restaurant, order.pk, order.offer_id, order.payment_intent_id)


def capture(order, now=NOON):
    charge = ledger.CaptureRecord(ref(order), Money(2592), FEES, Decimal("3.00"), "tr_1")
    ledger.record_captures([charge], now=now)


def refund(order, now=NOON):
    ledger.record_refund(ref(order), Money(2592), FEES, reference="2592", now=now)


def lines():
    rows = PaymentHistory.objects.order_by("pk")
    return [(row.transaction_type, str(row.amount)) for row in rows]


def month(order, **which):
    cycle = MonthlyBillingCycle.objects.get(restaurant=order.restaurant, **which)
    return str(cycle.total_revenue), str(cycle.platform_fees)


def test_a_charge_is_three_lines_a_fee_and_the_months_sums(order):
    capture(order)
    assert lines() == [("capture", "25.92"), ("fee", "1.57"), ("transfer", "23.57")]
    fee = PlatformFee.objects.get()
    assert (fee.order_amount, fee.platform_fee_amount) == (Decimal("25.92"), Decimal("0.78"))
    assert fee.fee_percentage == Decimal("3.00")
    assert month(order) == ("25.92", "0.78")
    order.restaurant.refresh_from_db()
    assert order.restaurant.total_revenue_shared == Decimal("0.78")


def test_the_same_news_twice_is_recorded_once(order):
    for _ in range(2):
        ledger.record_authorization(ref(order), Money(2592), now=NOON)
        capture(order)
        refund(order)
    assert [kind for kind, _ in lines()] == [
        "authorization",
        "capture",
        "fee",
        "transfer",
        "refund",
    ]
    assert month(order) == ("0.00", "0.00")
    assert PlatformFee.objects.count() == 1


def test_a_released_hold_moves_no_money(order):
    ledger.record_authorization(ref(order), Money(2592), now=NOON)
    ledger.record_release(ref(order), Money(2592), now=NOON)
    assert lines() == [("authorization", "25.92"), ("release", "25.92")]
    assert not MonthlyBillingCycle.objects.exists()


def test_the_month_is_the_restaurants_own(order):
    """An hour past midnight on April 1st in London is still March in New York."""
    capture(order, now=datetime(2027, 4, 1, 1, tzinfo=UTC))
    assert month(order, year=2027, month=3) == ("25.92", "0.78")


def test_a_refund_is_recorded_in_the_month_it_happens(order):
    capture(order)
    refund(order, now=datetime(2027, 4, 9, 16, tzinfo=UTC))
    assert month(order, month=3) == ("25.92", "0.78")
    assert month(order, month=4) == ("-25.92", "-0.78")
    order.restaurant.refresh_from_db()
    assert order.restaurant.total_revenue_shared == 0


def test_two_restaurants_have_two_ledger(order):
    other = PreOrderFactory()
    capture(order)
    refund(other)
    assert month(order) == ("25.92", "0.78")
    assert month(other) == ("-25.92", "-0.78")


@pytest.mark.parametrize(
    ("tier", "rate"),
    [
        (Restaurant.Tier.FREE, "3.00"),
        (Restaurant.Tier.BRANDED, "5.00"),
        (Restaurant.Tier.ENTERPRISE, "5.00"),
    ],
)
def test_each_tier_has_its_revenue_share(tier, rate):
    assert tier_rate(tier) == Decimal(rate)
