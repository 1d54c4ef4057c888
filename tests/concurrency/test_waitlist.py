"""Several orders are canceled at once while guests who aren't on the waitlist order."""

from apps.common.errors import Conflict
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.models import WaitlistEntry
from apps.preorders.settlement import cancellation
from apps.preorders.waitlist import services as waitlist_services
from tests.threads import at_once


def test_two_free_portions_two_workers_and_a_crowd_give_out_no_more_than_there_is(world):
    offer = world.offer(min_preorders=1, max_preorders=4)
    orders = [world.authorized_order(offer) for _ in range(4)]
    places = [
        waitlist_services.join_waitlist(
            offer_id=offer.pk,
            guest=GuestDetails(f"W{number}", f"w{number}@example.test", ""),
            portions=1,
            now=world.now,
        )
        for number in range(3)
    ]

    def cancel(order):
        return lambda: cancellation.cancel_order(order=order, reason="", by="Maria", now=world.now)

    sweep = lambda: waitlist_services.promote_waitlists(now=world.now)  # noqa: E731
    passer_by = lambda: world.begin(offer)  # noqa: E731
    answers = at_once(*map(cancel, orders[:2]), sweep, passer_by, passer_by, sweep)
    refused = [each for each in answers if isinstance(each, Exception)]
    assert len(refused) == 2
    assert all(isinstance(each, Conflict) for each in refused), answers
    states = WaitlistEntry.objects.filter(pk__in=[each.pk for each in places])
    assert sorted(states.values_list("state", flat=True)) == ["invited", "invited", "waiting"]
    assert world.fresh(offer).reserved_portions == 4


def test_one_invitation_pressed_on_two_devices_is_one_order(world):
    offer = world.offer(min_preorders=1, max_preorders=1)
    order = world.authorized_order(offer)
    who = GuestDetails("Wanda", "wanda@example.test", "+1 212 555 0100")
    entry = waitlist_services.join_waitlist(offer_id=offer.pk, guest=who, portions=1, now=world.now)
    cancellation.cancel_order(order=order, reason="", by="Maria", now=world.now)
    wanted = waitlist_services.WaitlistOrder(1, who, None)
    press = lambda: waitlist_services.order_from_waitlist(  # noqa: E731
        entry_id=entry.pk, order_request=wanted, now=world.now
    )
    first, second = at_once(press, press)
    assert first.pk == second.pk
    assert first.checkout_url == second.checkout_url
    assert world.fresh(offer).reserved_portions == 1
