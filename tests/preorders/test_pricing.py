"""What an order costs, to the cent (DECISIONS X4, X5)."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.billing.fees import Fees, order_fees, refunded_fees
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.core.pricing import price_order
from apps.restaurants.models import Restaurant


def priced(price, quantity=1, rate="0.00"):
    offer = SpecialOffer(
        restaurant=Restaurant(name="Luigi's"),
        special_price=Decimal(price),
        revenue_share_rate=Decimal(rate),
    )
    return price_order(offer, quantity)


@pytest.mark.parametrize(
    ("price", "quantity", "subtotal", "tax", "total"),
    [
        ("24.00", 1, 2400, 192, 2592),
        ("24.00", 3, 7200, 576, 7776),
        ("10.06", 1, 1006, 80, 1086),  # 80.48
        ("10.07", 1, 1007, 81, 1088),  # 80.56
        ("0.06", 1, 6, 0, 6),  # 0.48
        ("0.25", 25, 625, 50, 675),  # 50.00: on the subtotal, not 25 times 2.00
        ("12.75", 5, 6375, 510, 6885),
        ("0.69", 1, 69, 6, 75),  # 5.52
    ],
)
def test_tax_is_rounded_half_up_once_on_the_subtotal(price, quantity, subtotal, tax, total):
    order = priced(price, quantity)
    assert (order.subtotal.cents, order.tax.cents, order.total.cents) == (subtotal, tax, total)


@pytest.mark.parametrize(
    ("rate", "tax"),
    [("8.875", 320), ("6.625", 239), ("9.025", 325), ("7.6625", 276)],
)  # of $36.00: 319.5, 238.5, 324.9, 275.85
def test_a_tax_rate_can_have_four_decimals(rate, tax):
    restaurant = Restaurant(name="Luigi's", settings={"taxRate": rate})
    offer = SpecialOffer(
        restaurant=restaurant, special_price=Decimal("18.00"), revenue_share_rate=Decimal(0)
    )
    assert price_order(offer, 2).tax == Money(tax)


@pytest.mark.parametrize(
    ("cents", "rate", "rounded"),
    [(50, "1.00", 1), (49, "1.00", 0), (150, "1.00", 2), (250, "1.00", 3), (1250, "0.20", 3)],
)
def test_a_half_cent_goes_up_always(cents, rate, rounded):
    """Bankers' rounding would make 2 of 2.5 and 0 of 0.5."""
    assert Money(cents).percent(Decimal(rate)) == Money(rounded)


@pytest.mark.parametrize(
    ("rate", "share"), [("0.00", 0), ("3.00", 78), ("5.00", 130)]
)  # of $25.92: 77.76, 129.6
def test_the_revenue_share_is_of_the_total_with_tax(rate, share):
    assert priced("24.00", rate=rate).fees.revenue_share == Money(share)


def test_the_base_of_the_share_can_be_the_subtotal(settings):
    settings.FEE_BASE = "subtotal"
    assert priced("24.00", rate="5.00").fees.revenue_share == Money(120)


def test_card_processing_is_its_own_line_of_4_9_percent_and_30_cents():
    assert priced("24.00").fees.processing == Money(127 + 30)  # 127.008


def test_the_application_fee_is_both():
    fees = priced("24.00", rate="5.00").fees
    assert fees.application_fee == fees.revenue_share + fees.processing


prices = st.decimals("0.01", "9999.99", places=2)
quantities = st.integers(1, 1000)
rates = st.sampled_from(["0.00", "3.00", "5.00", "99.99", "100.00"])


@settings(deadline=None)
@given(prices, quantities, rates)
def test_the_parts_always_make_the_whole(price, quantity, rate):
    order = priced(price, quantity, rate)
    assert order.subtotal + order.tax == order.total
    assert order.subtotal.cents == Money.of(price).cents * quantity
    assert Money(0) <= order.fees.revenue_share <= order.total
    assert Money(0) <= order.fees.processing
    assert order.fees.application_fee <= order.total


@settings(deadline=None)
@given(st.integers(1, 10**9), st.decimals("0", "100", places=2))
def test_shares_are_off_by_half_a_cent_at_most(cents, rate):
    fees = order_fees(
        subtotal=Money(cents), total=Money(cents), revenue_share_rate=rate, currency="usd"
    )
    exact = Decimal(cents) * rate / 100
    assert -Decimal("0.5") < fees.revenue_share.cents - exact <= Decimal("0.5")


@settings(deadline=None)
@given(prices, quantities)
def test_a_client_can_show_the_total_with_or_without_tax_and_nothing_else(price, quantity):
    order = priced(price, quantity)
    assert order.accepts(order.subtotal)
    assert order.accepts(order.total)
    assert not order.accepts(order.total + Money(1))
    assert not order.accepts(order.subtotal - Money(1))


@settings(deadline=None)
@given(
    share=st.integers(0, 5000),
    processing=st.integers(0, 2000),
    charged=st.integers(1, 90_000),
    cuts=st.lists(st.integers(0, 90_000), max_size=6),
)
def test_fees_refunded_in_parts_add_up_to_the_whole(share, processing, charged, cuts):
    """None shrinks on the way, and the two parts are the processor's share of the one fee."""
    fees = Fees(Money(share), Money(processing))
    before = Fees(Money(0), Money(0))
    for cents in [*sorted(cut for cut in cuts if cut < charged), charged]:
        now = refunded_fees(fees, charged=Money(charged), refunded=Money(cents))
        assert now.revenue_share >= before.revenue_share
        assert now.processing >= before.processing
        exact = Fraction((share + processing) * cents, charged)
        assert abs(now.application_fee.cents - exact) <= Fraction(1, 2)
        before = now
    assert before == fees
