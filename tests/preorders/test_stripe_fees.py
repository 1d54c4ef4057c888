"""What Stripe took from the platform: read with the balance transactions, shown to staff alone."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import stripe as stripe_api

from apps.billing.models import StripeFee
from apps.billing.stripe_fees import stripe_fees_between
from apps.preorders.settlement.reconciliation import reconcile
from tests.factories import MembershipFactory, StaffFactory, UserFactory
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("world")
MARCH = date(2027, 3, 1), date(2027, 3, 31)


def taken_by_stripe() -> Decimal:
    """The platform's fees as Stripe lists them."""
    found = stripe_api.BalanceTransaction.list(limit=100).data
    return Decimal(sum(each.fee for each in found)).scaleb(-2)


@pytest.fixture
def charged(world: Any) -> Any:
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.settle(offer)
    return offer


def test_the_fees_of_charges_are_stripes_to_the_cent(world: Any, charged: Any) -> None:
    stripe_api.PaymentIntent.create(  # of a subscription, say
        amount=2900,
        currency="usd",
        payment_method="pm_card_visa",
        payment_method_types=["card"],
        confirm=True,
    )
    world.later(minutes=5)
    reconcile(now=world.now)
    assert taken_by_stripe() > 0
    assert stripe_fees_between(*MARCH) == [("usd", taken_by_stripe())]


def test_a_fee_is_stored_once_however_often_it_is_read(world: Any, charged: Any) -> None:
    for _ in range(3):
        world.later(minutes=5)
        reconcile(now=world.now)
    assert StripeFee.objects.count() == 1
    assert stripe_fees_between(*MARCH) == [("usd", taken_by_stripe())]


def test_a_month_without_fees_has_none(world: Any, charged: Any) -> None:
    world.later(minutes=5)
    reconcile(now=world.now)
    assert stripe_fees_between(date(2027, 2, 1), date(2027, 2, 28)) == []


def test_staff_see_what_stripe_took_and_owners_what_they_paid(
    world: Any, charged: Any, api: Any
) -> None:
    staff, owner = StaffFactory(), UserFactory()
    MembershipFactory(user=owner, restaurant=world.restaurant, role="owner")
    world.later(minutes=5)
    reconcile(now=world.now)
    shown = text_of(api(staff).get("/staff/statements"))
    assert f"Stripe's fees Fees in USD -${taken_by_stripe()}" in shown
    assert "Stripe's fees" not in text_of(api(owner).get("/restaurant/statements"))
