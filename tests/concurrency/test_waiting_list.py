"""Portions come free from several hands at once, while passers-by press the button."""

from apps.common.errors import Conflict
from apps.preorders.models import WaitingPlace
from apps.preorders.services import cancelling, waiting
from apps.preorders.services.checkout import Customer
from tests.threads import at_once


def test_two_free_portions_two_workers_and_a_crowd_give_out_no_more_than_there_is(world):
    offer = world.offer(min_preorders=1, max_preorders=4)
    orders = [world.book(offer) for _ in range(4)]
    places = [
        waiting.join_line(
            offer_id=offer.pk,
            customer=Customer(f"W{number}", f"w{number}@example.test", ""),
            portions=1,
            now=world.now,
        )
        for number in range(3)
    ]

    def cancel(order):
        return lambda: cancelling.cancel_order(order=order, reason="", by="Maria", now=world.now)

    sweep = lambda: waiting.serve_waiting_lists(now=world.now)  # noqa: E731
    passer_by = lambda: world.begin(offer)  # noqa: E731
    answers = at_once(*map(cancel, orders[:2]), sweep, passer_by, passer_by, sweep)
    refused = [each for each in answers if isinstance(each, Exception)]
    assert len(refused) == 2
    assert all(isinstance(each, Conflict) for each in refused), answers
    states = WaitingPlace.objects.filter(pk__in=[each.pk for each in places])
    assert sorted(states.values_list("state", flat=True)) == ["invited", "invited", "waiting"]
    assert world.fresh(offer).reserved_portions == 4


def test_one_invitation_pressed_on_two_devices_is_one_order(world):
    offer = world.offer(min_preorders=1, max_preorders=1)
    order = world.book(offer)
    who = Customer("Wanda", "wanda@example.test", "+1 212 555 0100")
    place = waiting.join_line(offer_id=offer.pk, customer=who, portions=1, now=world.now)
    cancelling.cancel_order(order=order, reason="", by="Maria", now=world.now)
    wanted = waiting.HeldOrder(1, who, None)
    press = lambda: waiting.order_from_place(  # noqa: E731
        place_id=place.pk, wanted=wanted, now=world.now
    )
    first, second = at_once(press, press)
    assert first.pk == second.pk
    assert first.checkout_url == second.checkout_url
    assert world.fresh(offer).reserved_portions == 1
