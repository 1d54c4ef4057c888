"""Portions of a checkout without a card: reserved for minutes, then free again (decision 51)."""

from datetime import timedelta

import pytest

from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.preorders.core import reservations
from apps.preorders.core.reservations import RESERVATION_TIME
from apps.preorders.models import Email, PaymentOperation, PreOrder, WaitlistEntry
from apps.preorders.models.states import OperationKind, WaitlistStatus
from apps.preorders.waitlist import services as waitlist
from tests.pages import text_of
from tests.preorders.world import DANA

SOLD_OUT = "Sold out while you were checking out"


@pytest.fixture
def offer(world):
    return world.offer(max_preorders=4, min_preorders=2, max_per_order=4)


def reserved(world, offer):
    return world.fresh(offer).reserved_portions


def sweep(world):
    with rls.acting_as(rls.PLATFORM):
        reservations.lapse_overdue(now=world.now)


def left_checkout(world, api, offer, order, **headers):
    """Press Back on Stripe's page, as a guest."""
    path = f"/specials/{offer.pk}?cancelled=1&preorder={order.pk}"
    return api(at=offer.restaurant).get(path, headers=headers)


class TestLapsing:
    def test_portions_without_a_card_are_free_again_after_ten_minutes(self, world, offer):
        world.begin(offer, 4)
        assert timedelta(minutes=10) == RESERVATION_TIME
        world.later(minutes=9, seconds=59)
        sweep(world)
        assert reserved(world, offer) == 4
        world.later(seconds=1)
        sweep(world)
        assert reserved(world, offer) == 0

    def test_the_next_guest_need_not_wait_for_the_sweep(self, world, offer):
        world.begin(offer, 4)
        world.later(minutes=10)
        assert world.begin(offer, 3).quantity == 3
        assert reserved(world, offer) == 3

    def test_an_overdue_reservation_stays_while_exactly_enough_portions_are_left(
        self, world, offer
    ):
        slow = world.begin(offer, 2)
        world.later(minutes=10)
        world.begin(offer, 2)
        assert world.fresh(slow).reservation == "reserved"
        assert reserved(world, offer) == 4

    def test_a_freed_portion_goes_to_the_waitlist_first(self, world, offer):
        world.begin(offer, 4)
        with rls.acting_as(offer.restaurant_id):
            waitlist.join_waitlist(offer_id=offer.pk, guest=DANA, portions=2, now=world.now)
        world.later(minutes=10)
        sweep(world)
        assert WaitlistEntry.objects.get().state == WaitlistStatus.INVITED
        assert reserved(world, offer) == 2

    def test_an_order_by_phone_stays_reserved(self, world, offer):
        world.phone(offer, 4)
        world.later(hours=2)
        sweep(world)
        assert reserved(world, offer) == 4

    def test_a_held_card_keeps_its_portions(self, world, offer):
        world.authorized_order(offer, 4)
        world.later(hours=2)
        sweep(world)
        assert reserved(world, offer) == 4

    def test_two_sweeps_at_once_lapse_it_once(self, world, offer):
        world.begin(offer, 4)
        world.later(minutes=10)
        sweep(world)
        sweep(world)
        assert reserved(world, offer) == 0

    def test_the_same_order_again_reserves_them_again(self, world, offer):
        order = world.begin(offer, 4, name="Ada", email="ada@example.test")
        world.later(minutes=10)
        again = world.begin(offer, 4, name="Ada", email="ada@example.test", known=[order.pk])
        assert again.pk == order.pk
        assert reserved(world, offer) == 4
        assert PreOrder.objects.count() == 1


class TestPayingAfterwards:
    def test_the_portions_are_still_there_and_the_order_counts(self, world, offer):
        order = world.begin(offer, 4)
        world.later(minutes=15)
        sweep(world)
        world.pay(order)
        world.hear(order)
        paid = world.fresh(order)
        assert (paid.status, paid.payment_status) == ("pending", "authorized")
        assert (world.fresh(offer).ordered_portions, reserved(world, offer)) == (4, 4)
        assert world.emails(order) == ["received"]

    def test_the_portions_are_gone_and_the_hold_is_released(self, world, offer):
        slow = world.begin(offer, 2)
        world.later(minutes=10)
        quick = world.authorized_order(offer, 3)
        world.pay(slow)
        world.hear(slow)
        world.work()
        ended = world.fresh(slow)
        assert (ended.status, ended.payment_status) == ("cancelled", "released")
        assert world.intents(slow)[0].status == "canceled"
        assert world.fresh(quick).payment_status == "authorized"
        assert (world.fresh(offer).ordered_portions, reserved(world, offer)) == (3, 3)
        assert world.emails(slow) == ["released"]

    def test_the_webhook_can_come_twice_and_first(self, world, offer):
        slow = world.begin(offer, 2)
        world.later(minutes=10)
        world.authorized_order(offer, 4)
        world.pay(slow)
        for _ in range(2):
            world.hear_of_intent(slow)
            world.work()
        assert world.fresh(slow).payment_status == "released"
        assert PaymentOperation.objects.filter(pre_order=slow).count() == 1
        assert world.fresh(offer).ordered_portions == 4

    def test_the_guest_is_told_at_once_and_by_email(self, world, offer, api, mailoutbox):
        slow = world.begin(offer, 2)
        world.later(minutes=10)
        world.authorized_order(offer, 4)
        world.pay(slow)
        page = api(at=offer.restaurant).get(f"/pre-order-confirmation?preorder={slow.pk}")
        assert SOLD_OUT in text_of(page)
        assert "We're releasing the hold of $51.84, and you pay nothing." in text_of(page)
        mailoutbox.clear()
        world.work()
        page = api(at=offer.restaurant).get(f"/pre-order-confirmation?preorder={slow.pk}")
        assert SOLD_OUT in text_of(page)
        told = [each for each in mailoutbox if slow.customer_email in "".join(each.to)]
        assert "Other guests ordered the last portions before" in str(told[-1].body)

    def test_two_late_guests_share_what_is_left(self, world, offer):
        first, second = world.begin(offer, 2), world.begin(offer, 2)
        world.later(minutes=10)
        world.authorized_order(offer, 2)
        for order in (first, second):
            world.pay(order)
            world.hear(order)
        world.work()
        assert world.fresh(first).payment_status == "authorized"
        assert world.fresh(second).payment_status == "released"
        assert world.fresh(offer).ordered_portions == 4

    def test_an_open_page_doesnt_change_the_decision(self, world, offer):
        world.begin(offer, 4)
        world.later(minutes=10)
        world.authorized_order(offer, 2)
        world.settle(offer)
        world.later(minutes=11)
        world.close(offer)
        world.work()
        assert world.fresh(offer).status == "succeeded"
        assert world.fresh(offer).ordered_portions == 2


class TestACart:
    def test_a_lapsed_item_is_not_held_when_its_portions_are_gone(self, world, offer):
        other = world.offer(name="Bread", max_preorders=4, min_preorders=2)
        begun = world.begin_cart(offer, other)
        world.later(minutes=10)
        world.authorized_order(offer, 4)
        world.give_card(begun)
        outcome = world.confirm_cart(begun)
        assert outcome == {offer.name: "ended", "Bread": "held"}
        gone = PreOrder.objects.get(cart=begun.cart, offer=offer)
        assert gone.payment_intent_id is None  # no card was ever held for it
        assert not PaymentOperation.objects.filter(
            pre_order=gone, kind=OperationKind.AUTHORIZE
        ).exists()

    def test_one_item_is_released_when_its_portions_are_gone(self, world, offer):
        begun = world.begin_cart(offer)
        world.later(minutes=10)
        world.authorized_order(offer, 4)
        world.give_card(begun)
        assert world.confirm_cart(begun) == {offer.name: "ended"}
        world.work()
        assert world.fresh(begun.items[0]).payment_status == "released"


class TestLeaving:
    def test_back_from_the_card_page_frees_the_portions_at_once(self, world, offer, api):
        order = world.begin(offer, 4)
        page = left_checkout(world, api, offer, order)
        assert reserved(world, offer) == 0
        assert "aren't reserved anymore, but you can finish while" in text_of(page)
        assert order.checkout_url in page.content.decode()
        assert "1 portion ($25.92). Your portion isn't reserved anymore" in text_of(
            left_checkout(world, api, offer, world.begin(offer, 1))
        )
        assert world.begin(offer, 4).quantity == 4

    def test_a_guest_who_comes_back_gets_them_while_they_last(self, world, offer, api):
        order = world.begin(offer, 4)
        left_checkout(world, api, offer, order)
        world.pay(order)
        world.hear(order)
        assert world.fresh(order).payment_status == "authorized"
        assert world.fresh(offer).ordered_portions == 4

    def test_a_prefetch_frees_nothing(self, world, offer, api):
        order = world.begin(offer, 4)
        left_checkout(world, api, offer, order, **{"Sec-Purpose": "prefetch;prerender"})
        assert reserved(world, offer) == 4

    def test_another_orders_id_frees_nothing(self, world, offer, api):
        other = world.offer(name="Bread", max_preorders=4)
        order = world.begin(other, 4)
        left_checkout(world, api, offer, order)
        assert reserved(world, other) == 4

    def test_a_held_order_stays(self, world, offer, api):
        order = world.authorized_order(offer, 4)
        left_checkout(world, api, offer, order)
        assert reserved(world, offer) == 4
        assert world.fresh(order).payment_status == "authorized"

    def test_portions_the_waitlist_gave_a_guest_stay_theirs(self, world, offer, api):
        order = world.authorized_order(offer, 4)
        with rls.acting_as(offer.restaurant_id):
            entry = waitlist.join_waitlist(offer_id=offer.pk, guest=DANA, portions=2, now=world.now)
        world.cancel(order)
        wanted = waitlist.WaitlistOrder(quantity=2, guest=DANA, claimed_total=None)
        order = waitlist.order_from_waitlist(entry_id=entry.pk, order_request=wanted, now=world.now)
        left_checkout(world, api, offer, order)
        assert reserved(world, offer) == 2
        world.later(minutes=11)
        sweep(world)
        assert reserved(world, offer) == 2  # its two hours aren't over


class TestInvitations:
    def test_each_unused_invitation_halves_the_time_of_the_next(self, world, offer):
        order = world.authorized_order(offer, 4)
        for number in range(5):
            guest = type(DANA)(f"G{number}", f"g{number}@example.test", "")
            with rls.acting_as(offer.restaurant_id):
                waitlist.join_waitlist(offer_id=offer.pk, guest=guest, portions=4, now=world.now)
            world.later(seconds=1)
        world.cancel(order)
        minutes = []
        for _ in range(5):
            entry = WaitlistEntry.objects.get(state=WaitlistStatus.INVITED)
            minutes.append(round((entry.reserved_until - world.now).total_seconds() / 60))
            world.at(entry.reserved_until)
            with rls.acting_as(rls.PLATFORM):
                waitlist.promote_waitlists(now=world.now)
        assert minutes == [120, 60, 30, 15, 15]


def test_the_origin_of_a_checkout_is_forgotten_after_a_day(world, offer):
    order = world.begin(offer)
    PreOrder.objects.filter(pk=order.pk).update(origin_network="n", origin_device="d")
    world.later(hours=23)
    assert reservations.forget_origins(now=world.now) == 0
    world.later(hours=2)
    assert reservations.forget_origins(now=world.now) == 1
    forgotten = world.fresh(order)
    assert (forgotten.origin_network, forgotten.origin_device) == ("", "")
    assert not Email.objects.filter(pre_order=order).exists()
    assert SpecialOffer.objects.filter(pk=offer.pk).exists()
