"""The rehearsal says to the cent what the deadline then does."""

from datetime import timedelta
from decimal import Decimal

from django.db.models import Sum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.billing.models import PaymentHistory
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder
from apps.preorders.settlement.deadline import decision_now
from apps.preorders.special.overview import offer_overview
from apps.preorders.special.rehearsal import Group, rehearse
from tests.factories import PreOrderFactory

NOBODY = Group(0, 0, Money(0))


def rehearsal_of(world, offer):
    fresh = SpecialOffer.objects.select_related("restaurant").get(pk=offer.pk)
    return rehearse(fresh, decision_now(fresh))


def recorded_sum(amount):
    return Money.of(amount or 0)


def ledger_totals(offer):
    """(gross, revenue share, processing, payout) as recorded, in Money."""
    kind = PaymentHistory.Type
    entries = PaymentHistory.objects.filter(offer=offer)

    def total(of, column="amount"):
        return recorded_sum(entries.filter(transaction_type=of).aggregate(t=Sum(column))["t"])

    return (
        total(kind.CAPTURE),
        total(kind.CAPTURE, "platform_fee_amount"),
        total(kind.FEE),
        total(kind.TRANSFER),
    )


def agrees_to_the_alternative(order, price):
    PreOrder.objects.filter(pk=order.pk).update(alternative_price=price)


ORDERS = st.lists(
    st.tuples(st.integers(1, 6), st.one_of(st.none(), st.sampled_from(["9.99", "15.35"]))),
    max_size=6,
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    orders=ORDERS,
    minimum=st.integers(1, 20),
    restaurant=st.integers(0, 5),
    goes_ahead=st.booleans(),
    price=st.sampled_from(["24.00", "18.37", "7.01"]),
    share=st.sampled_from(["0.00", "1.00", "3.00"]),
)
def test_what_is_rehearsed_is_what_then_happens(
    world, orders, minimum, restaurant, goes_ahead, price, share
):
    offer = world.offer(
        min_preorders=minimum,
        restaurant_portions=restaurant,
        goes_ahead=goes_ahead,
        special_price=Decimal(price),
        revenue_share_rate=Decimal(share),
    )
    for quantity, alternative_price in orders:
        order = world.authorized_order(offer, quantity)
        if alternative_price:
            agrees_to_the_alternative(order, alternative_price)
    preview = rehearsal_of(world, offer)

    done = world.settle(offer)

    assert (done.status == "succeeded") == preview.goes_ahead
    assert done.ordered_portions == preview.portions
    rows = PreOrder.objects.filter(offer=offer)
    paid = rows.filter(payment_status="captured")
    charged = paid.filter(serves_alternative=False)
    instead = paid.filter(serves_alternative=True)
    released = rows.filter(payment_status="released")
    for group, actual in (
        (preview.charged, charged),
        (preview.alternative, instead),
        (preview.released, released),
    ):
        assert group == Group(
            actual.count(),
            actual.portions(),
            recorded_sum(actual.aggregate(t=Sum("total_amount"))["t"]),
        )
    assert preview.refunded == NOBODY
    sums = preview.sums
    assert (sums.gross, sums.revenue_share, sums.processing_fee, sums.payout) == (
        ledger_totals(offer)
    )
    assert sums.tax == recorded_sum(paid.aggregate(t=Sum("tax"))["t"])
    assert sums.gross == sums.revenue_share + sums.processing_fee + sums.payout
    world.at(world.now - timedelta(days=1))


class TestSentences:
    def test_a_met_minimum_goes_ahead(self, world):
        offer = world.offer(min_preorders=2)
        world.authorized_order(offer, 2)
        assert rehearsal_of(world, offer).sentence == "It goes ahead: 1 card is charged."

    def test_a_missed_minimum_says_how_many_are_missing(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 2)
        world.authorized_order(offer, 2)
        preview = rehearsal_of(world, offer)
        assert preview.sentence == "It doesn't go ahead, 1 portion short: 2 holds are released."
        assert preview.released == Group(2, 4, Money.of("103.68"))
        assert preview.sums.gross == Money(0)

    def test_a_special_without_orders_says_that_no_card_is_held(self, world):
        preview = rehearsal_of(world, world.offer(min_preorders=3))
        assert preview.sentence == ("It doesn't go ahead, 3 portions short: no cards are on hold.")

    def test_the_restaurant_alone_cooks_for_nobody(self, world):
        preview = rehearsal_of(world, world.offer(min_preorders=3, restaurant_portions=3))
        assert preview.sentence == (
            "It doesn't go ahead, no one has ordered: no cards are on hold."
        )

    def test_a_guaranteed_special_goes_ahead_below_the_minimum(self, world):
        offer = world.offer(min_preorders=5, goes_ahead=True)
        world.authorized_order(offer)
        assert rehearsal_of(world, offer).sentence == (
            "It goes ahead below the minimum, as you guaranteed: 1 card is charged."
        )

    def test_a_missed_minimum_serves_the_alternative(self, world):
        offer = world.offer(min_preorders=5)
        agrees_to_the_alternative(world.authorized_order(offer), "9.99")
        world.authorized_order(offer)
        assert rehearsal_of(world, offer).sentence == (
            "It doesn't go ahead, 3 portions short: 1 card is charged for the alternative, "
            "1 hold is released."
        )


def test_portions_at_the_checkout_can_still_join(world):
    offer = world.offer(min_preorders=3, restaurant_portions=1)
    world.authorized_order(offer)
    world.begin(offer, 2)
    preview = rehearsal_of(world, offer)
    assert (preview.portions, preview.waiting, preview.goes_ahead) == (2, 2, False)


def test_a_rehearsal_writes_nothing(world, django_assert_num_queries):
    offer = world.offer(min_preorders=1)
    PreOrderFactory.create_batch(5, offer=offer)
    fresh = SpecialOffer.objects.select_related("restaurant").get(pk=offer.pk)
    with django_assert_num_queries(2) as seen:
        rehearse(fresh, decision_now(fresh))
    assert all(each["sql"].startswith("SELECT") for each in seen.captured_queries)


class TestTheOutcome:
    def overview(self, world, offer):
        return offer_overview(restaurant=world.restaurant, offer_id=offer.pk, now=world.now)

    def test_takes_the_rehearsals_place_once_it_is_decided(self, world):
        offer = world.offer(min_preorders=2)
        world.authorized_order(offer, 2)
        before = self.overview(world, offer)
        world.settle(offer)
        after = self.overview(world, offer)
        assert (before.outcome, after.rehearsal, after.rescue) == (None, None, None)
        outcome = after.outcome
        assert outcome.sentence == "It went ahead with 2 portions: 1 card was charged."
        assert outcome.gross == before.rehearsal.sums.gross
        assert outcome.payout == before.rehearsal.sums.payout
        assert outcome.refunded == Money(0)
        assert (outcome.record.succeeded, outcome.record.decided) == (1, 1)

    def test_a_missed_minimum_charged_nobody(self, world):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 2)
        world.settle(offer)
        outcome = self.overview(world, offer).outcome
        assert outcome.sentence == (
            "It didn't reach its minimum, with 2 of 5 portions ordered. No one was charged."
        )
        assert (outcome.charged_orders, outcome.gross, outcome.payout) == (0, Money(0), Money(0))
        assert (outcome.record.succeeded, outcome.record.decided) == (0, 1)

    def test_what_is_still_under_way_is_said(self, world):
        offer = world.offer(min_preorders=1)
        world.authorized_order(offer)
        world.at(offer.deadline)
        world.close(offer)
        outcome = self.overview(world, offer).outcome
        assert outcome.sentence == (
            "It went ahead with 1 portion: 0 cards were charged. 1 order is still being processed."
        )
