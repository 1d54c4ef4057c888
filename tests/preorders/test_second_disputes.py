"""Further disputes of a charge: what winning the first one returned is taken back once."""

from decimal import Decimal

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy
from apps.preorders.manage.ledger import ledger_for_restaurant
from apps.preorders.manage.money_summary import money_of
from apps.preorders.models import Dispute, PaymentOperation
from apps.preorders.models.states import OperationKind, OperationStatus
from tests.preorders.disputes import (
    MULTIPLE,
    TOTAL,
    at_stripe,
    charged,
    check_ledger,
    decide,
    disputed,
    entries,
    hear,
    sweep,
)


@pytest.fixture
def order(world):
    return charged(world)


def test_charge_that_is_disputed_twice_is_taken_back_once(world):
    order = charged(world, MULTIPLE)
    hear(world, *(("charge.dispute.created", each.id) for each in at_stripe(order)))
    assert [kind for kind, _ in entries(order)].count("transfer_reversal") == 2
    check_ledger(order)
    assert world.fresh(order).disputed_amount == Decimal("25.92")
    first, second = Dispute.objects.order_by("pk")
    decide(world, first, "won")
    decide(world, second, "lost")
    check_ledger(order)


def reversed_again(dispute):
    """The amount taken back from the transfer that was made when this dispute was won."""
    (again,) = stripe_api.Transfer.list(transfer_group=dispute.dispute_id).data
    return again.amount_reversed


@pytest.mark.parametrize("outcome", ["lost", "won"])
def test_a_second_dispute_takes_back_what_winning_the_first_one_returned(world, order, outcome):
    """The charge's own transfer is fully reversed by then: only the second transfer is left."""
    before = ledger_for_restaurant(restaurant=world.restaurant).totals
    first = decide(world, disputed(world, order), "won")
    world.later(days=10)  # the money is available to the restaurant
    second = disputed(world, order)
    assert reversed_again(first) == TOTAL - 157
    assert entries(order)[-1] == ("transfer_reversal", TOTAL)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    decide(world, second, outcome)
    check_ledger(order)
    after = ledger_for_restaurant(restaurant=world.restaurant).totals
    if outcome == "won":
        assert entries(order)[-1] == ("transfer_return", TOTAL - 157)
        assert after == before
    else:
        assert (after.payout, after.platform_fees) == (Decimal(0), Decimal(0))
        assert stripe_api.Transfer.list(transfer_group=second.dispute_id).data == []


def test_a_third_dispute_takes_back_what_winning_the_second_one_returned(world, order):
    for _ in range(2):
        decide(world, disputed(world, order), "won")
        world.later(days=10)
    disputed(world, order)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0


def test_a_second_dispute_of_everything_takes_both_transfers_after_a_partial_one_was_won(
    world, order
):
    first = decide(world, disputed(world, order, amount=900), "won")
    world.later(days=10)
    second = disputed(world, order)
    assert reversed_again(first) == 900 - 55
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    decide(world, second, "won")
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == Decimal("24.35")


def test_a_second_dispute_of_a_part_takes_its_share_of_what_was_returned(world, order):
    first = decide(world, disputed(world, order), "won")
    world.later(days=10)
    disputed(world, order, amount=900)
    assert reversed_again(first) == 845  # 900 of 2592, of the 2435 that were returned
    # 845 stand for 899.5: what can be taken without the fees is rounded to the cent.
    assert entries(order)[-1] == ("transfer_reversal", 899)
    check_ledger(order)


def test_a_second_dispute_waits_for_what_winning_the_first_one_returns(world, order):
    """The platform's balance is too low at first, so the return is still to come."""
    first = disputed(world, order)
    world.stripe.control(platform_funds=0)
    decide(world, first, "won")
    assert [kind for kind, _ in entries(order)][-1] == "reinstated"
    disputed(world, order)
    reversal = PaymentOperation.objects.filter(kind=OperationKind.REVERSE_TRANSFER).latest("pk")
    assert reversal.state == OperationStatus.PENDING
    world.stripe.control(platform_funds=1_000_000)
    for _ in range(3):
        sweep(world, days=5)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    assert not PaymentOperation.objects.filter(state=OperationStatus.PENDING).exists()


def test_a_second_dispute_after_the_payout_waits_for_the_restaurants_balance(world, order):
    """Stripe takes a second transfer back only from a balance that covers it."""
    decide(world, disputed(world, order), "won")
    disputed(world, order)  # before the returned money is available
    assert Discrepancy.objects.get(kind="refused").resolved_at is None
    assert [kind for kind, _ in entries(order)].count("transfer_reversal") == 1
    check_ledger(order)
    sweep(world, days=10)
    assert [kind for kind, _ in entries(order)].count("transfer_reversal") == 2
    check_ledger(order)


def test_a_dispute_that_found_nothing_to_take_takes_what_winning_another_one_returns(world, order):
    """Both are open at the same time, and each is about the whole charge."""
    first, second = disputed(world, order), disputed(world, order)
    assert Dispute.objects.filter(withdrawn__gt=0).count() == 2
    check_ledger(order)
    decide(world, first, "won")
    sweep(world, days=10)
    sweep(world, minutes=20)
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == 0
    decide(world, second, "won")
    check_ledger(order)
    assert money_of(world.fresh(order)).payout == Decimal("24.35")
