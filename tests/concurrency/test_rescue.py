"""An owner's action and the deadline at the same moment: one of them comes first."""

from datetime import timedelta

import pytest

from apps.common.errors import Conflict
from apps.offers.models import OfferChange
from apps.preorders.models import Email, PaymentOperation
from apps.preorders.settlement import deadline
from apps.preorders.special.rescue import Extend, LowerMinimum, RestaurantPortions, rescue_offer
from tests.faults.ledger import assert_ledger_balances
from tests.threads import at_once


def carry_out(world, offer, action, now):
    return rescue_offer(
        restaurant=world.restaurant, offer_id=offer.pk, action=action, by="Olga", now=now
    )


@pytest.mark.parametrize("round_", range(4))
def test_the_last_second_and_the_deadline(world, round_, meet_before_the_lock):
    """The act was asked for a second before the deadline, and meets the closer at the lock. Either
    it is in time and the offer goes ahead, or it is refused and the offer fails as it stood."""
    offer = world.offer(min_preorders=3, deadline=world.now + timedelta(minutes=5))
    order = world.authorized_order(offer, 2)
    world.at(offer.deadline)
    in_time = offer.deadline - timedelta(seconds=1)
    meeting = meet_before_the_lock(2)
    answer, status = at_once(
        lambda: carry_out(world, offer, LowerMinimum(2), in_time),
        lambda: deadline.close_offer(offer.pk, now=world.now),
    )
    world.work()
    assert meeting.has_happened
    refused = isinstance(answer, Conflict)
    assert refused or answer.min_preorders == 2
    assert status == ("failed" if refused else "succeeded")
    assert OfferChange.objects.count() == (0 if refused else 1)
    assert PaymentOperation.objects.count() == 1
    assert world.fresh(order).payment_status == ("released" if refused else "captured")
    assert_ledger_balances(world, offer)


def test_an_extension_at_the_deadline_either_extends_or_is_refused(world, meet_before_the_lock):
    """Extended in time, it is not closed; closed first, it is not extended and nobody is told."""
    offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
    world.authorized_order(offer)
    world.at(offer.deadline)
    until, in_time = offer.deadline + timedelta(hours=2), offer.deadline - timedelta(seconds=1)
    meeting = meet_before_the_lock(2)
    answer, status = at_once(
        lambda: carry_out(world, offer, Extend(until), in_time),
        lambda: deadline.close_offer(offer.pk, now=world.now),
    )
    assert meeting.has_happened
    refused = isinstance(answer, Conflict)
    assert status == ("succeeded" if refused else "active")
    assert Email.objects.filter(kind="extended").count() == (0 if refused else 1)
    world.settle(world.fresh(offer))
    assert_ledger_balances(world, offer)


def test_a_rescue_requested_eight_times_at_once_takes_effect_once(world):
    offer = world.offer(min_preorders=5)
    world.authorized_order(offer)
    answers = at_once(*[lambda: carry_out(world, offer, Extend(later(offer)), world.now)] * 8)
    assert all(answer.deadline == later(offer) for answer in answers), answers
    assert OfferChange.objects.count() == 1
    assert Email.objects.filter(kind="extended").count() == 1


def test_the_restaurant_and_a_guest_never_share_the_last_portion(world):
    offer = world.offer(min_preorders=3, max_preorders=3)
    world.authorized_order(offer, 2)
    answers = at_once(
        lambda: carry_out(world, offer, RestaurantPortions(1), world.now),
        lambda: world.begin(offer),
    )
    assert sum(isinstance(answer, Exception) for answer in answers) == 1, answers
    assert world.fresh(offer).reserved_portions == 3


def later(offer):
    return offer.deadline + timedelta(hours=2)
