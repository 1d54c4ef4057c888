"""What the deadline would do, without a database: `decide` reads and writes nothing."""

from decimal import Decimal
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.decision import DecisionBasis, decide, is_met
from apps.preorders.core.pricing import price_order
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus
from apps.restaurants.models import Restaurant

CAPTURED = PaymentStatus.CAPTURED


def special(minimum=3, **facts):
    return SpecialOffer(
        restaurant=Restaurant(name="Luigi's"),
        special_price=Decimal("24.00"),
        revenue_share_rate=Decimal("3.00"),
        min_preorders=minimum,
        **facts,
    )


def order(offer, quantity=1, alternative=None, status=PaymentStatus.AUTHORIZED, refunded="0.00"):
    price = price_order(offer, quantity)
    return PreOrder(
        pk=uuid4(),
        offer=offer,
        quantity=quantity,
        unit_price=price.unit.amount,
        subtotal=price.subtotal.amount,
        tax_rate=price.tax_rate,
        tax=price.tax.amount,
        total_amount=price.total.amount,
        revenue_share_rate=offer.revenue_share_rate,
        revenue_share=price.fees.revenue_share.amount,
        processing_fee=price.fees.processing.amount,
        payment_status=status,
        refunded_amount=Decimal(refunded),
        alternative_price=None if alternative is None else Decimal(alternative),
    )


def amounts(charged):
    return [each.amount.cents for each in charged]


def test_everybody_is_charged_for_the_special_when_the_minimum_is_met():
    offer = special(minimum=3)
    orders = [order(offer, 2), order(offer, 1, alternative="15.00")]
    decision = decide(offer, orders)
    assert (decision.outcome, decision.portions) == (OfferStatus.SUCCEEDED, 3)
    assert decision.met_by is DecisionBasis.MINIMUM
    assert [each.order for each in decision.charged] == orders
    assert amounts(decision.charged) == [5184, 2592]
    first = decision.charged[0]
    assert (first.fees.revenue_share, first.fees.processing) == (Money(156), Money(284))
    assert first.payout == Money(5184 - 156 - 284)
    assert (decision.released, decision.serves_alternative, decision.refunded) == ((), (), ())


def test_below_the_minimum_every_hold_is_released():
    offer = special(minimum=4)
    orders = [order(offer, 2), order(offer, 1)]
    decision = decide(offer, orders)
    assert (decision.outcome, decision.portions, decision.met_by) == (OfferStatus.FAILED, 3, None)
    assert list(decision.released) == orders
    assert decision.charged == ()


@pytest.mark.parametrize(
    ("reserved", "word", "quantities", "met_by", "portions"),
    [
        (1, False, [2], DecisionBasis.MINIMUM, 3),
        (0, True, [1], DecisionBasis.WORD, 1),
        (1, True, [1], DecisionBasis.WORD, 2),
        (2, True, [1], DecisionBasis.MINIMUM, 3),
        (1, False, [1], None, 2),
        (3, False, [], None, 3),  # nobody ordered
        (0, True, [], None, 0),
        (3, True, [], None, 3),
    ],
)
def test_restaurant_portions_and_a_guarantee_count_in_the_decision(
    reserved, word, quantities, met_by, portions
):
    offer = special(minimum=3, restaurant_portions=reserved, goes_ahead=word)
    orders = [order(offer, quantity) for quantity in quantities]
    decision = decide(offer, orders)
    assert (decision.met_by, decision.portions) == (met_by, portions)
    assert len(decision.charged) == (len(orders) if met_by else 0)
    assert is_met(offer, sum(quantities)) == bool(met_by)


class TestTheAlternative:
    @pytest.mark.parametrize(
        ("price", "total", "share", "processing"),
        [
            ("15.00", 3240, 97, 189),  # 2 × 15.00 and 8 % tax; 3 %; 4.9 % and 30 cents
            ("24.00", 5184, 156, 284),
            ("40.00", 5184, 156, 284),  # never more than is held
        ],
    )
    def test_the_alternative_is_charged_at_its_lower_price(self, price, total, share, processing):
        offer = special()
        agreed, other = order(offer, 2, alternative=price), order(offer, 1)
        offer.min_preorders = 9
        decision = decide(offer, [agreed, other])
        assert decision.outcome == OfferStatus.FAILED
        (charged,) = decision.serves_alternative
        assert (charged.order, charged.amount) == (agreed, Money(total))
        assert charged.price.total == charged.amount
        assert charged.fees.revenue_share == Money(share)
        assert charged.fees.processing == Money(processing)
        assert list(decision.released) == [other]

    def test_an_early_charge_keeps_what_the_alternative_costs(self):
        offer = special(minimum=9)
        agreed = order(offer, 2, alternative="15.00", status=CAPTURED)
        refused = order(offer, 1, status=CAPTURED)
        decision = decide(offer, [agreed, refused])
        assert amounts(decision.serves_alternative) == [3240]
        # 4.40 of fees on 51.84; 19.44 goes back, and 1.65 of the fees with it.
        assert decision.serves_alternative[0].fees.application_fee == Money(440 - 165)
        assert list(decision.refunded) == [refused]

    def test_an_early_charge_of_which_much_went_back_keeps_the_rest(self):
        offer = special(minimum=9)
        agreed = order(offer, 2, alternative="15.00", status=CAPTURED, refunded="40.00")
        assert amounts(decide(offer, [agreed]).serves_alternative) == [1184]

    def test_a_charge_being_made_is_called_off(self):
        """It may be made for the whole amount at this moment."""
        offer = special(minimum=9)
        agreed = order(offer, 2, alternative="15.00")
        decision = decide(offer, [agreed], being_charged={agreed.pk})
        assert list(decision.released) == [agreed]
        assert decision.serves_alternative == ()


@settings(deadline=None)
@given(
    quantities=st.lists(st.integers(1, 9), max_size=12),
    minimum=st.integers(1, 60),
    reserved=st.integers(0, 9),
    word=st.booleans(),
    data=st.data(),
)
def test_every_order_has_exactly_one_outcome(quantities, minimum, reserved, word, data):
    offer = special(minimum=minimum, restaurant_portions=reserved, goes_ahead=word)
    prices = st.none() | st.decimals("0.01", "99.99", places=2)
    statuses = st.sampled_from([PaymentStatus.AUTHORIZED, CAPTURED])
    orders = [
        order(offer, quantity, alternative=data.draw(prices), status=data.draw(statuses))
        for quantity in quantities
    ]
    decision = decide(offer, orders)
    paying = (*decision.charged, *decision.serves_alternative)
    ended = [*(each.order for each in paying), *decision.released, *decision.refunded]
    assert sorted(str(each.pk) for each in ended) == sorted(str(each.pk) for each in orders)
    for each in paying:
        assert Money(0) < each.amount <= Money.of(each.order.total_amount)
        assert each.payout.cents >= 0
