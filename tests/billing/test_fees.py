"""The fee schedule to the cent: what an order costs the restaurant, and what a refund returns."""

from dataclasses import FrozenInstanceError
from decimal import Decimal

import pytest

from apps.billing.fees import Fees, order_fees, processing_fixed, refunded_fees
from apps.common.money import Money

# Of $25.92 at 3 %: a share of 77.76 cents; processing of 127.008 cents and 30.
FEES = Fees(revenue_share=Money(78), processing=Money(157))


def fees_of(cents, rate):
    total = Money(cents)
    return order_fees(subtotal=total, total=total, revenue_share_rate=Decimal(rate), currency="usd")


def test_the_application_fee_is_the_sum_of_both_parts():
    assert FEES.application_fee == Money(235)


def test_fees_do_not_change():
    with pytest.raises(FrozenInstanceError):
        FEES.processing = Money(0)  # type: ignore[misc]


def test_fees_are_subtracted_part_by_part():
    assert FEES - Fees(Money(30), Money(61)) == Fees(Money(48), Money(96))


def test_an_order_pays_the_share_and_the_processing():
    assert fees_of(2592, "3.00") == FEES


@pytest.mark.parametrize(
    ("cents", "rate", "share", "processing"),
    [
        (33, "3.00", 1, 32),  # exactly what is left: 2 + 30
        (32, "3.00", 1, 31),  # one cent less than the schedule's 32
        (20, "3.00", 1, 19),
        (20, "100.00", 20, 0),
        (0, "3.00", 0, 0),
    ],
)
def test_the_processing_takes_no_more_than_the_share_leaves(cents, rate, share, processing):
    assert fees_of(cents, rate) == Fees(Money(share), Money(processing))


def test_the_fixed_part_is_the_currencys_own(settings):
    settings.PROCESSING_FEE_FIXED_CENTS = {"usd": 30, "eur": 25}
    assert (processing_fixed("usd"), processing_fixed("eur")) == (Money(30), Money(25))


@pytest.mark.parametrize(
    ("refunded", "share", "processing"),
    [
        (0, 0, 0),
        (1, 0, 0),
        (1000, 30, 61),  # 90.66 of 235; of the 91, 30.2
        (1296, 39, 79),  # half: 117.5 of 235, and 39.17 of the 118
        (2592, 78, 157),
    ],
)
def test_a_refund_returns_the_same_share_of_both_fees(refunded, share, processing):
    back = refunded_fees(FEES, charged=Money(2592), refunded=Money(refunded))
    assert back == Fees(Money(share), Money(processing))


@pytest.mark.parametrize(
    ("share", "processing"),
    [(0, 0), (0, 157), (78, 0)],
)
def test_a_refund_returns_no_fee_that_was_not_taken(share, processing):
    fees = Fees(Money(share), Money(processing))
    assert refunded_fees(fees, charged=Money(2592), refunded=Money(2592)) == fees
