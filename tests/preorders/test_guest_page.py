"""The guest's own page of an order: what it says, and who can do what there."""

import html
import json
import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.cache import cache
from django.test.client import MULTIPART_CONTENT

from apps.common import clock, formats
from apps.offers.models import PickupSlot
from apps.preorders import tasks
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path
from apps.preorders.models import Email, OrderNote, PreOrder, WaitlistEntry
from apps.preorders.settlement.cancellation import cancel_order
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.waitlist import services as waitlist_services
from tests.factories import DishFactory
from tests.faults.ledger import assert_ledger_balances
from tests.preorders.access import allow
from tests.preorders.world import GOOD, OFF_SESSION_DECLINED, REFUND_PENDING

OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=2, max_preorders=4, name="Osso Buco")


@pytest.fixture
def order(world, offer):
    return world.authorized_order(offer, 2)


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def path_of(order, then=""):
    found = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
    return order_path(found, then=then)


def own(guest, order, then=""):
    """The page's path, after giving the browser access to the order and the guest's data."""
    found = PreOrder.objects.get(pk=order.pk)
    allow(guest, found, Purpose.CHANGE, Purpose.DATA, now=clock.now())
    return path_of(order, then)


def look_again(guest, order):
    """The page a while later: within two real seconds, it wouldn't ask Stripe again."""
    cache.delete(f"stripe-read:order:{order.pk}")
    return guest.get(path_of(order))


def test_an_order_that_waits_for_no_card_is_read_without_asking_stripe(guest, order):
    guest.get(own(guest, order))
    assert not cache.get(f"stripe-read:order:{order.pk}")


def test_the_state_before_the_decision_is_the_one_that_the_seats_show(world, guest, offer, order):
    assert f"Order {order.code} , It's on" in words_of(guest.get(path_of(order)))
    type(offer).objects.filter(pk=offer.pk).update(min_preorders=4)
    assert f"Order {order.code} , Pending" in words_of(guest.get(path_of(order)))


def test_what_others_have_reserved_is_said_until_the_special_is_on(guest, offer, order):
    minimum = offer.min_preorders
    for ordered, sentence in (
        (minimum - 1, "1 more and it's on. It's being ordered"),
        (minimum, "It's on. 3 portions left"),
    ):
        type(offer).objects.update(
            ordered_portions=ordered, reserved_portions=ordered + 1, max_preorders=ordered + 4
        )
        page = html.unescape(guest.get(own(guest, order)).content.decode())
        assert f'data-part="sentence">{sentence}</p>' in page


def press(guest, order, action, **fields):
    own(guest, order)
    return guest.post(path_of(order), {"action": action, **fields}, MULTIPART_CONTENT, headers=OURS)


def test_the_change_form_follows_the_pickup_times(world, guest, offer, order):
    chosen, *_ = times_of(offer, world, 3, 4, 1, 0, None)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=chosen)
    page = guest.get(own(guest, order))
    times = page.text.split('id="slotId"')[1]
    options = re.findall(r'<option value="\d+"([^>]*)>(.*?)</option>', times, re.DOTALL)
    assert [
        " ".join(f"{re.sub(r'data-.*', '', state, flags=re.DOTALL)} {label}".split())
        for state, label in options
    ] == [
        "selected 12:00–1:00 PM",
        "1:00–2:00 PM (4 left)",
        "disabled 2:00–3:00 PM (1 left)",
        "disabled 3:00–4:00 PM (full)",
        "4:00–5:00 PM",
    ]
    assert "Portions and pickup time 2 portions, 12:00–1:00 PM" in words_of(page)
    assert "$24.00 each, plus tax. Up to 4: yours and the 2 that are left." in words_of(page)


def times_of(offer, world, *capacities):
    starts_at = noon_of_the_day(world, offer)
    return [
        PickupSlot.objects.create(
            offer=offer,
            restaurant_id=offer.restaurant_id,
            starts_at=starts_at + timedelta(hours=hour),
            ends_at=starts_at + timedelta(hours=hour + 1),
            capacity=capacity,
        )
        for hour, capacity in enumerate(capacities)
    ]


def test_a_special_without_hours_is_served_from_its_first_time_to_its_last(world, guest, offer):
    for _half in range(2):
        world.authorized_order(offer, offer.min_preorders // 2 + 1)
    times_of(offer, world, None, None)
    path = f"/specials/{offer.pk}"
    assert "· 12:00–2:00 PM ·" in words_of(guest.get(path))
    world.settle(offer)
    assert "· 12:00–2:00 PM ·" in words_of(guest.get(path))


def test_portions_and_their_time_are_saved_at_once(world, guest, offer, order):
    first, second = times_of(offer, world, 2, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=first)
    sent = {"quantity": "3", "shown": "2", "slotId": str(second.pk), "shownSlot": str(first.pk)}
    answer = press(guest, order, "portions", **sent)
    assert answer.status_code == 303
    page = guest.get(answer["Location"])
    assert "Updated: 3 portions (was 2), 1:00–2:00 PM (was 12:00–1:00 PM)." in words_of(page)
    done = world.fresh(order)
    assert (done.quantity, done.pickup_slot_id) == (3, second.pk)


def test_a_refused_change_offers_the_first_time_with_room_for_it(world, guest, offer, order):
    first, second = times_of(offer, world, 2, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=first)
    sent = {"quantity": "3", "shown": "2", "slotId": str(first.pk), "shownSlot": str(first.pk)}
    page = press(guest, order, "portions", **sent)
    assert page.status_code == 409
    says = "12:00–1:00 PM has room for 2 portions. Try 1:00–2:00 PM."
    assert f'<a href="#slotId">{says}</a>' in page.text
    assert f'<p class="error" id="slotId-error">{says}</p>' in page.text
    assert re.search(rf'<option value="{second.pk}"\s+selected', page.text)
    assert re.search(rf'<option value="{first.pk}"\s+disabled', page.text)
    assert re.search(r'name="quantity"[^>]*value="3"', page.text, re.DOTALL)
    assert "Your time changes from 12:00–1:00 PM to 1:00–2:00 PM" in words_of(page)
    assert not re.search(r"data-has-to-move\s+hidden", page.text)
    assert "Change to 3 portions at 1:00–2:00 PM" in words_of(page)
    assert f'<input type="hidden" name="named" value="3:{second.pk}">' in page.text
    assert (world.fresh(order).quantity, world.fresh(order).pickup_slot_id) == (2, first.pk)


@pytest.mark.parametrize(("quantity", "time"), [("3", 2), ("2", 1)])
def test_a_form_that_no_longer_is_what_its_button_names_changes_nothing(
    world, guest, offer, order, quantity, time
):
    times = times_of(offer, world, 2, 4, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=times[0])
    sent = {"shown": "2", "shownSlot": str(times[0].pk), "named": f"3:{times[1].pk}"}
    chosen = {"quantity": quantity, "slotId": str(times[time].pk)}
    page = press(guest, order, "portions", **sent, **chosen)
    assert page.status_code == 409
    says = "The number or the time isn't the one on the button anymore."
    assert f"Nothing was changed {says}" in words_of(page)
    assert (world.fresh(order).quantity, world.fresh(order).pickup_slot_id) == (2, times[0].pk)
    assert f'name="named" value="{quantity}:{times[time].pk}"' in page.text
    again = {**sent, **chosen, "named": f"{quantity}:{times[time].pk}"}
    assert press(guest, order, "portions", **again).status_code == 303
    assert world.fresh(order).pickup_slot_id == times[time].pk


def test_a_form_from_before_does_not_move_an_order_whose_time_was_changed_since(
    world, guest, offer, order
):
    first, second, third = times_of(offer, world, 4, 4, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=third)
    sent = {"quantity": "3", "shown": "2", "slotId": str(second.pk), "shownSlot": str(first.pk)}
    page = press(guest, order, "portions", **sent)
    assert page.status_code == 409
    assert "The time of this order changed after you opened the page" in words_of(page)
    assert (world.fresh(order).quantity, world.fresh(order).pickup_slot_id) == (2, third.pk)


def test_a_move_that_is_sent_twice_is_made_once(world, guest, offer, order):
    first, second = times_of(offer, world, 2, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=first)
    sent = {"quantity": "3", "shown": "2", "slotId": str(second.pk), "shownSlot": str(first.pk)}
    for _ in range(2):
        assert press(guest, order, "portions", **sent).status_code == 303
    assert (world.fresh(order).quantity, world.fresh(order).pickup_slot_id) == (3, second.pk)


def test_portions_changed_in_a_form_from_before_keep_a_time_chosen_since(
    world, guest, offer, order
):
    first, second = times_of(offer, world, 4, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=second)
    sent = {"quantity": "1", "shown": "2", "slotId": str(first.pk), "shownSlot": str(first.pk)}
    assert press(guest, order, "portions", **sent).status_code == 303
    done = world.fresh(order)
    assert (done.quantity, done.pickup_slot_id) == (1, second.pk)


def test_the_portions_of_a_charged_order_are_fixed_and_its_time_is_not(world, guest, offer, order):
    first, second = times_of(offer, world, 4, 4)
    PreOrder.objects.filter(pk=order.pk).update(pickup_slot=first, payment_status="captured")
    page = guest.get(own(guest, order))
    assert "We already charged your card, so you can't change the portions." in words_of(page)
    assert 'name="quantity"' not in page.text
    assert '<input type="hidden" name="action" value="slot">' in page.text
    assert press(guest, order, "slot", slotId=str(second.pk)).status_code == 303
    assert world.fresh(order).pickup_slot_id == second.pk


def noon_of_the_day(world, offer):
    noon = datetime.combine(offer.serve_date, time(12), offer.restaurant.zone)
    return noon.astimezone(UTC)


def words_of(page):
    text = re.sub(r"<(style|script)\b.*?</\1>", " ", page.text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def head_of(page):
    """The words under the page's photo: code, title, dish, and day."""
    head = page.text[page.text.index('<header class="stack rhythm-2">') :]
    text = html.unescape(re.sub(r"<[^>]+>", " ", head[: head.index("</header>")]))
    return " ".join(text.split())


def heading(page):
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page.text, re.DOTALL)
    assert found
    return html.unescape(re.sub("<[^>]+>", "", found[1])).strip()


class TestWhatItSays:
    def test_a_held_card_is_described(self, guest, order):
        page = guest.get(path_of(order))
        assert page.status_code == 200
        assert heading(page) == "You made Osso Buco happen!"
        said = words_of(page)
        assert "Ordered: 2 portions" in said
        assert "We'll charge your card $51.84 Tue, Mar 23, 12:00 PM EDT" in said
        assert "You can change or cancel for free until Tue, Mar 23, 12:00 PM EDT." in said
        assert page.text.count('aria-current="step"') == 1

    def test_a_charged_card_is_described(self, world, guest, order, offer):
        world.settle(offer)
        page = guest.get(path_of(order))
        assert head_of(page) == (
            f"Order {order.code} , Confirmed Osso Buco is on Wed, Mar 24 · Dine in or pickup"
        )
        assert "It's on (done) Tue, Mar 23, 12:00 PM EDT" in words_of(page)
        assert "It went ahead" not in words_of(page)
        made = "2 portions were ordered, and Luigi's will cook them"
        assert made in words_of(page)
        assert len(re.findall(r'class="seat"\s+data-own', page.text)) == order.quantity
        world.at(datetime.combine(offer.serve_date, time(12), tzinfo=UTC))
        assert made not in words_of(guest.get(path_of(order)))  # then the code leads
        assert "Payment history" in words_of(page)
        assert "The deadline has passed, so you can't change this order" in words_of(page)
        assert "receipt.pdf" in page.text
        assert 'name="action" value="cancel"' not in page.text

    def test_who_cannot_come_after_the_charge_is_led_to_the_phone(self, world, guest, order, offer):
        assert "Can't make it?" not in words_of(guest.get(path_of(order)))
        world.settle(offer)
        page = guest.get(path_of(order))
        assert "Can't make it? Call +1 212 555 0100 ." in words_of(page)
        type(world.restaurant).objects.filter(pk=world.restaurant.pk).update(phone="")
        assert "Can't make it?" not in words_of(guest.get(path_of(order)))

    @pytest.mark.parametrize("charged_early", [False, True])
    def test_once_orders_are_closed_only_the_result_is_waited_for(
        self, world, guest, order, offer, charged_early
    ):
        if charged_early:
            PreOrder.objects.filter(pk=order.pk).update(payment_status="captured")
        world.at(offer.deadline + timedelta(seconds=1))
        page = guest.get(own(guest, order))
        assert heading(page) == "We're counting the orders"
        says = words_of(page)
        assert "Orders have closed. The result usually comes within a minute." in says
        assert 'data-look-again="4"' in page.text
        for words in (
            "2 yours",
            "Change",
            "Cancel",
            "Bring friends",
            "Know someone",
        ):
            assert words not in says

    def test_a_released_card_is_described(self, world, guest):
        offer = world.offer(min_preorders=9)
        order = world.authorized_order(offer, 1)
        world.settle(offer)
        page = guest.get(path_of(order))
        assert head_of(page) == (
            f"Order {order.code} , Not enough orders Not this time. You weren't charged "
            f"{offer.name} Wed, Mar 24"
        )
        assert '<s class="text-muted">Wed, Mar 24</s>' in page.text
        assert "The hold can stay visible in your banking app for a few days." in words_of(page)
        assert "1 of the 9 portions it needed was ordered." in words_of(page)
        assert "Not enough guests ordered" in words_of(page)
        assert "It didn't get enough orders" not in words_of(page)  # the seats say it
        assert "Charged $0.00" in words_of(page)
        assert "Total" not in words_of(page)
        assert "receipt.pdf" not in page.text
        # One tap: the address is the order's. First come the guest's own facts.
        assert "Tell me when it's back" in words_of(page)
        own = words_of(page).partition("Tell me when it's back")[0]
        assert "What happened" in own
        assert "Your order 1 ×" in own
        assert 'type="email"' not in page.text

    @pytest.mark.parametrize("ends", ["failed", "called off", "canceled"])
    def test_an_order_that_ended_leads_on_in_one_block_to_each_thing_once(
        self, world, guest, offer, ends
    ):
        order = world.authorized_order(offer, 1)
        world.offer(name="Tiramisu", deadline=offer.deadline + timedelta(hours=1))
        if ends == "failed":
            world.settle(offer)
        elif ends == "called off":
            cancel_offer(
                restaurant=world.restaurant,
                offer_id=offer.pk,
                reason="No fish came.",
                by="Maria",
                now=world.now,
            )
        else:
            world.cancel(order)
            world.at(offer.deadline + timedelta(minutes=1))
        world.work()
        page = guest.get(path_of(order)).text
        block = page.partition('id="follow"')[2].partition('class="site-footer"')[0]
        ways = ["Tell me when it's back", 'href="/specials/', 'href="/specials"']
        assert sorted(ways, key=block.index) == ways
        for way in ("Tell me when it's back", "You can order now at", 'href="/specials"'):
            assert block.count(way) == 1
        assert block.count("Tiramisu") == page.count("Tiramisu")
        assert "Back to Luigi" not in page
        assert 'href="/patron"' not in page

    def test_an_order_that_can_be_placed_again_leads_there_first(self, world, guest, order):
        world.cancel(order)
        world.work()
        world.offer(name="Tiramisu")
        page = guest.get(own(guest, order)).text
        ways = ["Order it again</a>", "You can order now at", 'id="follow"']
        assert sorted(ways, key=page.index) == ways
        assert "Back to Luigi" not in page

    def test_a_declined_charge_shows_how_to_pay(self, world, guest, offer):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
        world.settle(offer)
        page = guest.get(path_of(order))
        assert heading(page) == "Your payment didn't go through"
        assert (
            "It's on, but your bank declined the charge. You haven't paid, and nothing is held. "
            "Pay $51.84 with this or another card, or we'll cancel your order." in words_of(page)
        )
        held = {intent.status for intent in world.intents(order)}
        assert "requires_capture" not in held
        assert "Email me a link to pay" in words_of(page)
        assert "you can't change this order" not in words_of(page)
        local = (world.now + timedelta(hours=23, minutes=59)).astimezone(world.restaurant.zone)
        assert f"Pay by Wed, Mar 24, {local:%-I:%M %p} EDT ( 23h 59m )" in words_of(page)
        own(guest, order)
        assert "Pay $51.84 now" in words_of(guest.get(path_of(order)))
        assert guest.get(path_of(order, "/card"))["Location"].startswith(world.stripe.address)
        world.stripe.pay(order.operations.get(kind="capture").reference, number=GOOD)
        page = look_again(guest, order)
        assert heading(page) == "Osso Buco is on"
        assert guest.get(path_of(order, "/card"))["Location"] == path_of(order)

    def test_a_declined_charge_that_was_not_paid_is_described(self, world, guest, offer):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        fault = {"kind": "decline", "payment_intent": order.payment_intent_id, "times": 9}
        world.stripe.control(capture_fault=fault)
        world.settle(offer)
        world.later(hours=24, minutes=2)
        tasks.run_due_operations_task.delay()
        world.work()
        page = guest.get(path_of(order))
        assert heading(page) == "Order canceled. You weren't charged"
        assert "Your bank declined the charge, and no payment arrived in time." in words_of(page)
        assert "No other card was added in time. You paid nothing." in words_of(page)
        assert "after the orders had been counted" not in words_of(page)

    def test_a_hold_that_the_guest_must_renew_is_described(self, world, guest):
        offer = world.offer(min_preorders=9, deadline=world.now + timedelta(days=6.95))
        order = world.authorized_order(offer, 1, OFF_SESSION_DECLINED)
        world.at(order.capture_before - timedelta(hours=20))
        tasks.renew_authorizations_task.delay()
        world.work()
        page = guest.get(path_of(order))
        assert heading(page) == "Renew the hold on your card"
        assert "If you don't, the order ends with the hold and you pay nothing." in words_of(page)
        assert ">Renew hold</a>" in page.text

    @pytest.mark.parametrize(
        ("end", "said", "more"),
        [
            ("fulfilled", "Enjoy your meal!", "Your order is paid, tax included."),
            ("no_show", "Your order wasn't picked up", "If you did pick it up"),
        ],
    )
    def test_a_picked_up_order_and_a_no_show_are_described(
        self, world, guest, order, offer, end, said, more
    ):
        world.settle(offer)
        PreOrder.objects.filter(pk=order.pk).update(status=end)
        page = guest.get(path_of(order))
        assert heading(page) == said
        assert more in words_of(page)
        assert "hen you arrive" not in words_of(page)
        assert "What happened" in words_of(page)
        assert "Step by step" not in words_of(page)

    @pytest.mark.parametrize(
        ("end", "said", "step"),
        [("fulfilled", "Enjoy your meal!", "Served"), ("no_show", "We missed you", "You weren't")],
    )
    def test_what_is_eaten_there_is_not_picked_up(self, world, guest, end, said, step):
        offer = world.offer(min_preorders=1, service_mode="dine_in")
        order = world.authorized_order(offer)
        world.settle(offer)
        PreOrder.objects.filter(pk=order.pk).update(status=end)
        page = guest.get(path_of(order))
        assert heading(page) == said
        assert step in words_of(page)
        assert "icked up" not in words_of(page)

    def test_on_the_day_the_code_leads_and_the_restaurant_can_be_called(
        self, world, guest, order, offer
    ):
        world.settle(offer)
        before = guest.get(path_of(order))
        assert "calendar.ics" in before.text
        code = before.text.index('"card pickup-code"')  # before the day, after what was paid
        assert before.text.index("order-now") < before.text.index('role="status"') < code
        paid = "We charged your card $51.84. Your order is paid, tax included."
        for page in (before, guest.get(f"/pre-order-confirmation?preorder={order.pk}")):
            assert words_of(page).count("hen you arrive") == 1  # the code's own card
            assert f"{paid} " in words_of(page)
        world.at(noon_of_the_day(world, offer))
        page = guest.get(path_of(order))
        assert "Today · Wed, Mar 24" in words_of(page)
        assert page.text.index("pickup-code is-large") < page.text.index('role="status"')
        assert words_of(page).count("Show this when you arrive") == 1
        code = page.text[page.text.index("pickup-code is-large") : page.text.index("order-now")]
        assert "2 × Osso Buco" in code
        assert "1 Mulberry Street" in code
        assert 'href="tel:+12125550100"><span' in page.text
        assert "calendar.ics" not in page.text

    def test_the_day_after_it_asks_how_it_was_and_offers_the_next(self, world, guest, order, offer):
        world.settle(offer)
        PreOrder.objects.filter(pk=order.pk).update(status="fulfilled")
        world.at(noon_of_the_day(world, offer) + timedelta(days=1))
        world.offer(name="Tiramisu")
        page = guest.get(path_of(order))
        assert heading(page) == "How was Osso Buco?"
        said = words_of(page)
        question = said.index("Would you order it again?")
        assert question < said.index("We charged your card $51.84. Your order is paid")
        assert "It went ahead" in said
        assert "What happened" in said
        assert "Step by step" not in said
        assert "Change your order" not in said
        assert "You can order now at Luigi's" in said
        assert "Tiramisu" in said
        world.later(days=31)
        assert heading(guest.get(path_of(order))) == "You had Osso Buco"

    def test_the_day_after_there_is_no_code_to_show_anymore(self, world, guest, order, offer):
        """The restaurant didn't mark the order as picked up."""
        world.settle(offer)
        world.at(noon_of_the_day(world, offer) + timedelta(days=1))
        page = guest.get(own(guest, order))
        said = words_of(page)
        assert heading(page) == "How was Osso Buco?"
        assert "Show this when you arrive" not in said
        assert "calendar.ics" not in page.text
        assert "What happened" in said
        assert 'aria-current="step"' not in page.text
        assert "data-ended" not in page.text  # this device still lists it

    def test_after_the_day_an_order_refunded_in_part_does_not_stand_anymore(
        self, world, guest, order, offer
    ):
        world.settle(offer)
        world.refund(world.fresh(order), "10.00")
        world.work()
        stands = "Your order stands: Osso Buco."
        assert stands in words_of(guest.get(path_of(order)))
        world.at(noon_of_the_day(world, offer) + timedelta(days=1))
        said = words_of(guest.get(path_of(order)))
        assert stands not in said
        assert said.count("Would you order it again?") == 1
        assert said.index("It goes to the card you paid with") < said.index("Would you order it")

    def test_an_order_being_refunded_in_whole_shows_no_code_and_no_meal(self, world, guest):
        offer = world.offer(min_preorders=1, name="Osso Buco")
        order = world.authorized_order(offer, 1, REFUND_PENDING)
        world.settle(offer)
        assert "Show this when you arrive" in words_of(guest.get(path_of(order)))
        world.refund(world.fresh(order))
        world.work()
        page = guest.get(path_of(order))
        assert heading(page) == "We're refunding your $25.92"
        assert head_of(page).endswith("Osso Buco Wed, Mar 24")
        assert '<s class="text-muted">Wed, Mar 24</s>' in page.text
        assert "This order has ended." in words_of(page)
        assert "pickup" not in words_of(page)
        assert "Show this when you arrive" not in words_of(page)
        assert "calendar.ics" not in page.text
        assert "Change your order" not in words_of(page)
        steps = page.text[page.text.index("order-timeline") :]
        assert 'aria-current="step"' in steps
        assert "Dine in" not in steps[: steps.index("</ol>")]

    @pytest.mark.parametrize("status", ["fulfilled", "no_show"])
    def test_a_meal_that_was_made_is_not_said_to_be_canceled_by_its_refund(
        self, world, guest, status
    ):
        offer = world.offer(min_preorders=1)
        order = world.authorized_order(offer, 1, REFUND_PENDING)
        world.settle(offer)
        type(order).objects.filter(pk=order.pk).update(status=status)
        world.refund(world.fresh(order))
        world.work()
        page = guest.get(path_of(order))
        assert heading(page) == "We're refunding your $25.92"
        assert "won't be made" not in words_of(page)
        assert f"We're refunding your $25.92 {offer.name} Wed, Mar 24" in head_of(page)
        assert "<s " not in page.text

    def test_an_order_refunded_in_part_still_shows_the_code(self, world, guest):
        offer = world.offer(min_preorders=1, name="Osso Buco")
        order = world.authorized_order(offer, 2, REFUND_PENDING)
        world.settle(offer)
        world.refund(world.fresh(order), "10.00")
        world.work()
        page = guest.get(path_of(order))
        assert heading(page) == "We're refunding $10.00 of your $51.84"
        assert "Show this when you arrive" in words_of(page)

    def test_an_order_that_ended_leads_on_to_news_and_the_next_specials(
        self, world, guest, order, offer
    ):
        world.offer(name="Ossobuco in bianco")
        open_page = guest.get(own(guest, order)).text
        assert 'id="updates"' not in open_page
        assert "Ossobuco in bianco" not in open_page
        press(guest, order, "cancel")
        said = words_of(guest.get(own(guest, order)))
        assert (
            "Email updates New and returning specials. Unsubscribe anytime. Yes, email me" in said
        )
        assert "Ossobuco in bianco" in said

    def test_a_canceled_order_links_to_ordering_again_while_there_is_time(
        self, world, guest, order, offer
    ):
        world.cancel(order)
        world.work()
        page = guest.get(own(guest, order))
        assert f"/specials/{offer.pk}?again=" in page.text
        world.at(offer.deadline + timedelta(minutes=1))
        page = guest.get(path_of(order))
        assert "?again=" not in page.text
        assert "Tell me when it's back" in words_of(page)

    def test_a_canceled_order_shows_what_is_left_to_order_and_no_seats(self, world, guest):
        offer = world.offer(min_preorders=1, max_preorders=9, name="Osso Buco")
        order = world.authorized_order(offer, 2)
        world.authorized_order(offer, 3)
        press(guest, order, "cancel")
        world.offer(name="Ossobuco in bianco")
        page = guest.get(own(guest, order))
        said = words_of(page)
        assert "6 portions are left. You can order again until" in said
        assert "You canceled the order" in said
        assert 'class="seats' not in page.text.partition('id="next-specials"')[0]
        assert "It's on" not in said.partition("You can order now")[0]
        assert said.index("What happened") < said.index("Ossobuco in bianco")

    def test_a_canceled_order_of_what_is_sold_out_leads_to_the_waitlist(self, world, guest):
        offer = world.offer(min_preorders=1, max_preorders=2, name="Osso Buco")
        order = world.authorized_order(offer, 2)
        press(guest, order, "cancel")
        world.authorized_order(offer, 2)
        page = guest.get(own(guest, order))
        assert "It's sold out now." in words_of(page)
        assert f'href="/specials/{offer.pk}#waiting-list">Join the waitlist</a>' in page.text

    def test_an_order_canceled_before_its_special_failed_is_not_explained_by_that(
        self, world, guest, order, offer
    ):
        press(guest, order, "cancel")
        world.settle(offer)
        assert world.fresh(offer).status == "failed"
        said = words_of(guest.get(path_of(order)))
        assert "Order canceled. You weren't charged" in said
        assert "Not enough guests ordered" not in said
        assert "portions it needed" not in said

    def test_whoever_just_canceled_is_not_urged_to_order_again(self, world, guest, order, offer):
        press(guest, order, "cancel")
        page = guest.get(own(guest, order)).text
        assert f'<a class="button" href="http://luigis.localhost:8000/specials/{offer.pk}?' in page

    def test_whoever_canceled_while_every_time_is_full_is_led_to_news_of_a_time(
        self, world, guest, order, offer
    ):
        press(guest, order, "cancel")
        times_of(offer, world, 0, 0)
        page = guest.get(own(guest, order))
        assert f'href="/specials/{offer.pk}#follow">Tell me when a time opens up</a>' in page.text
        assert "Every time is full right now. Guests can change or cancel" in words_of(page)
        assert "Order it again" not in page.text

    def test_the_page_that_looks_again_has_a_link_only_without_a_script(self, guest, order):
        press(guest, order, "cancel")
        page = guest.get(own(guest, order)).text
        assert 'data-look-again="4"' in page
        assert page.count("Refresh now") == 1
        assert "Refresh now" in page.partition("<noscript>")[2].partition("</noscript>")[0]

    def test_a_partial_refund_is_described(self, world, guest, order, offer):
        world.settle(offer)
        world.refund(world.fresh(order), "10.00")
        world.work()
        page = guest.get(path_of(order))
        assert heading(page) == "We refunded $10.00 of your $51.84"
        assert "$10.00 of it was refunded." in words_of(page)

    def test_nobody_opens_the_page_without_its_token(self, guest, order):
        page = guest.get(path_of(order))
        assert page["Referrer-Policy"] == "same-origin"
        assert page["X-Robots-Tag"] == "noindex"
        assert "no-store" in page["Cache-Control"]
        assert '<meta name="robots" content="noindex">' in page.text

    def test_the_page_and_everything_under_it_is_its_restaurants_alone(self, world, api, order):
        elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
        for then in ("", "/card", "/calendar.ics", "/receipt.pdf", "/data.json"):
            assert elsewhere.get(path_of(order, then)).status_code == 404
        assert press(elsewhere, order, "cancel").status_code == 404
        assert world.fresh(order).status == "pending"


class TestCanceling:
    def test_opening_the_link_changes_nothing(self, world, guest, order):
        page = guest.get(own(guest, order, "?open=cancel"))
        assert "We'll release the hold of $51.84 and you won't be charged" in words_of(page)
        assert world.fresh(order).status == "pending"

    def test_a_press_lets_the_hold_go_and_frees_the_portions(self, world, guest, order, offer):
        world.authorized_order(offer, 2)
        assert press(guest, order, "cancel").status_code == 303
        assert world.fresh(offer).reserved_portions == 2
        world.work()
        done = world.fresh(order)
        assert (done.status, done.payment_status) == ("cancelled", "released")
        assert heading(guest.get(path_of(order))) == "Order canceled. You weren't charged"
        assert world.authorized_order(offer, 2).payment_status == "authorized"
        world.settle(world.fresh(offer))
        assert_ledger_balances(world, offer)

    def test_the_panel_that_emails_open_leads_to_canceling_too(self, guest, order):
        page = guest.get(own(guest, order) + "?open=change").text
        panel = page.split('id="change-order"')[1].split("</details>\n<details")[0]
        assert '?open=cancel#cancel">Cancel your order</a>' in panel

    def test_pressed_twice_it_is_cancelled_once(self, world, guest, order):
        assert [press(guest, order, "cancel").status_code for _ in range(2)] == [303, 303]
        assert world.emails(order).count("cancelled") == 1

    def test_a_guest_cannot_cancel_after_the_deadline(self, world, guest, order, offer):
        world.at(offer.deadline - timedelta(seconds=1))
        assert 'value="cancel"' in guest.get(own(guest, order)).text
        world.later(seconds=1)
        assert 'value="cancel"' not in guest.get(path_of(order)).text
        refused = press(guest, order, "cancel")
        assert refused.status_code == 409
        assert "The deadline has passed" in words_of(refused)
        assert world.fresh(order).status == "pending"

    def test_the_restaurant_reads_who_did_it_but_no_name(self, world, guest, order):
        press(guest, order, "cancel")
        move = order.transitions.get(field="status", new="cancelled")
        assert (move.actor, move.reason) == ("guest", "")


class TestChanging:
    def test_a_guest_changes_to_fewer_portions(self, world, guest, order):
        answer = press(guest, order, "portions", quantity="1", shown="2", shownSlot="")
        assert (answer.status_code, answer["Location"]) == (
            303,
            path_of(order, "?done=portions"),
        )
        page = guest.get(answer["Location"])
        assert "Updated: 1 portion (was 2)." in words_of(page)
        assert (
            "No charge today. Your bank still holds $51.84, but we'll charge $25.92 at most and "
            "release the rest."
        ) in words_of(page)
        assert "Your bank is holding $25.92" not in words_of(page)

    def test_the_same_number_sent_again_says_that_nothing_changed(self, world, guest, order):
        answer = press(guest, order, "portions", quantity="2", shown="2", shownSlot="")
        page = guest.get(answer["Location"])
        assert "It's 2 portions already. Nothing changed." in words_of(page)
        assert "Updated" not in words_of(page)
        assert '<div class="notice" role="status" data-once="done">' in page.text
        # Of one that was sent twice, the first changed something.
        for _time in range(2):
            answer = press(guest, order, "portions", quantity="1", shown="2", shownSlot="")
            assert "Updated: 1 portion (was 2)." in words_of(guest.get(answer["Location"]))

    def test_the_old_number_drops_a_change_that_waits(self, world, guest, offer):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        press(guest, order, "portions", quantity="3", shown="2")
        answer = press(guest, order, "portions", quantity="2", shown="2")
        assert "Your order stays at 2 portions." in words_of(guest.get(answer["Location"]))

    def test_every_page_names_the_hold_that_is_left_after_fewer_portions(
        self, world, guest, order, offer
    ):
        press(guest, order, "portions", quantity="1")
        by_id = f"/pre-order-confirmation?preorder={order.pk}"
        page = words_of(guest.get(by_id))
        assert "Your bank still holds $51.84, but we'll charge $25.92 at most" in page
        assert "Your bank is holding $25.92" not in page
        world.at(offer.deadline + timedelta(seconds=1))
        assert "Your bank still holds $51.84" in words_of(guest.get(by_id))

    def test_canceling_after_fewer_portions_names_the_hold_that_is_released(
        self, world, guest, order
    ):
        press(guest, order, "portions", quantity="1")
        says = words_of(guest.get(own(guest, order)))
        assert "We'll release the hold of $51.84 and you won't be charged." in says
        press(guest, order, "cancel")
        page = guest.get(path_of(order))
        assert heading(page) == "Order canceled. You weren't charged"
        assert "We're releasing the hold of $51.84" in words_of(page)
        assert 'data-state="now"' not in page.text
        world.work()
        assert "We released the hold of $51.84 on your card" in words_of(guest.get(path_of(order)))

    def test_an_order_that_its_restaurant_canceled_keeps_its_headline(self, world, guest, order):
        cancel_order(order=order, reason="", by="Olga", now=world.now)
        assert heading(guest.get(path_of(order))) == "Order canceled. You weren't charged"

    def test_the_form_that_cancels_leads_back_to_the_order(self, guest, order):
        page = guest.get(own(guest, order, "?open=cancel")).text
        form = page[page.index('id="cancel"') : page.index("Keep my order")]
        assert form.endswith(f'href="{path_of(order)}" data-close-fold>')
        # On a phone, they are one below the other and equally wide.
        assert '<div class="cluster max-sm:grid"><button class="button button-danger">' in form

    def test_more_portions_with_the_card_that_was_given(self, world, guest, order):
        assert press(guest, order, "portions", quantity="3").status_code == 303
        assert world.fresh(order).quantity == 3

    def test_more_portions_wait_until_the_guest_confirms_them_with_their_bank(
        self, world, guest, offer
    ):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        answer = press(guest, order, "portions", quantity="3")
        assert (answer.status_code, answer["Location"]) == (302, path_of(order, "/card"))
        on = guest.get(answer["Location"])
        assert on.status_code == 302
        assert on["Location"].startswith(world.stripe.address)
        says = words_of(guest.get(path_of(order)))
        assert (
            "Your order is still for 2 portions. Finish the change to 3, or keep it as it is. "
            "Finish change to 3 Keep 2 portions"
        ) in says
        renewal = order.operations.get(kind="renew")
        world.stripe.pay(renewal.reference, number=GOOD)
        [paid] = [each for each in world.sessions() if each.id == renewal.reference]
        assert paid.success_url.endswith(f"{path_of(order)}?done=portions")
        cache.delete(f"stripe-read:order:{order.pk}")
        page = guest.get(path_of(order, "?done=portions"))
        assert "Updated: 3 portions (was 2)." in words_of(page)
        assert "$77.76 3 × $24.00 + $5.76 tax" in words_of(page)
        assert "Finish the change" not in words_of(page)

    def test_a_change_that_is_not_finished_can_be_dropped(self, world, guest, offer):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        press(guest, order, "portions", quantity="3")
        saving = words_of(guest.get(path_of(order, "?done=portions")))
        assert "We're saving your change." in saving
        assert "Updated" not in saving
        answer = press(guest, order, "keep", shown="2")
        assert answer["Location"] == path_of(order, "?done=keep")
        says = words_of(guest.get(answer["Location"]))
        assert "Your order stays at 2 portions." in says
        assert "Finish the change" not in says
        assert "had placed the new hold" not in says

    def test_dropping_a_change_that_the_bank_held_meanwhile_says_what_happens(
        self, world, guest, offer
    ):
        order = world.authorized_order(offer, 2, OFF_SESSION_DECLINED)
        press(guest, order, "portions", quantity="3")
        world.stripe.pay(order.operations.get(kind="renew").reference, number=GOOD)
        answer = press(guest, order, "keep", shown="2")
        says = words_of(guest.get(answer["Location"]))
        assert "Your bank had placed the new hold already, so we're releasing it." in says

    def test_the_change_form_says_beforehand_what_happens_to_the_hold(self, guest, order):
        page = guest.get(own(guest, order))
        says = words_of(page)
        assert "$24.00 each, plus tax." in says
        assert (
            "For fewer portions, your bank keeps the hold as it is, and we charge only the new "
            "total. For more than it covers, your bank places a larger hold and may ask you to "
            "confirm. Then we release the old hold. "
        ) in says
        assert 'data-unit-cents="2400" data-held-cents="5184" data-tax-rate="8.00' in page.text

    def test_the_choice_for_too_few_orders_stands_beside_its_form(self, world, guest):
        dish = DishFactory(restaurant=world.restaurant, name="Caprese", price="9.00")
        offer = world.offer(min_preorders=9, has_alternative=True, alternative_dish=dish)
        order = world.authorized_order(offer, 1)
        path = own(guest, order, "?open=change")
        assert "If fewer than 9 portions are ordered Cancel my order" in words_of(guest.get(path))
        press(guest, order, "alternative", alternative="serve")
        assert "If fewer than 9 portions are ordered Caprese instead" in words_of(guest.get(path))

    @pytest.mark.parametrize(
        ("chosen", "met", "says"),
        [
            (
                "serve",
                False,
                "Saved: if fewer than 9 portions are ordered, you get Caprese and pay $9.72.",
            ),
            (
                "release",
                False,
                "Saved: if fewer than 9 portions are ordered, your order is canceled and you pay "
                "nothing.",
            ),
            (
                "serve",
                True,
                "Choice saved. If cancellations bring it below 9 portions, you'll get Caprese "
                "instead and pay $9.72.",
            ),
            (
                "release",
                True,
                "Choice saved. If cancellations bring it below 9 portions, you pay nothing.",
            ),
        ],
    )
    def test_a_saved_choice_says_what_happens_then(self, world, guest, chosen, met, says):
        dish = DishFactory(restaurant=world.restaurant, name="Caprese", price="9.00")
        offer = world.offer(min_preorders=9, has_alternative=True, alternative_dish=dish)
        order = world.authorized_order(offer, 1)
        if met:
            type(offer).objects.filter(pk=offer.pk).update(ordered_portions=9)
        answer = press(guest, order, "alternative", alternative=chosen)
        assert says in words_of(guest.get(answer["Location"]))

    def test_a_saved_choice_of_a_charged_order_says_what_is_refunded(self, world, guest):
        dish = DishFactory(restaurant=world.restaurant, name="Caprese", price="9.00")
        offer = world.offer(min_preorders=9, has_alternative=True, alternative_dish=dish)
        order = world.authorized_order(offer, 1)
        PreOrder.objects.filter(pk=order.pk).update(payment_status="captured")
        answer = press(guest, order, "alternative", alternative="serve")
        deadline = formats.moment(offer.deadline, world.restaurant.zone)
        assert (
            f"Choice saved. If fewer than 9 portions are ordered by {deadline}, you'll get Caprese "
            "instead for $9.72, and we'll refund the rest."
        ) in words_of(guest.get(answer["Location"]))

    @pytest.mark.parametrize(
        ("fold", "filled_in"), [("portions", 'value="2"'), ("note", ">No nuts</textarea>")]
    )
    def test_a_link_to_a_form_shows_what_is_stored(self, world, guest, order, fold, filled_in):
        PreOrder.objects.filter(pk=order.pk).update(note="No nuts")
        page = guest.get(own(guest, order, f"?open={fold}"))
        assert filled_in in " ".join(page.text.split())

    @pytest.mark.parametrize(
        ("most", "left", "hint"),
        [
            (5, 9, "Up to 5 in one order"),
            (20, 9, "Up to 11: yours and the 9 that are left."),
            (20, 1, "Up to 3: yours and the one that's left."),
            (20, 0, "No more portions are left."),
        ],
    )
    def test_the_limit_of_an_order_is_explained(self, world, guest, order, most, left, hint):
        type(order.offer).objects.filter(pk=order.offer_id).update(
            max_per_order=most, max_preorders=2 + left
        )
        assert hint in words_of(guest.get(own(guest, order)))

    @pytest.mark.parametrize(
        ("typed", "status", "said"),
        [
            ("", 400, "Enter the number of portions as a whole number."),
            ("two", 400, "Enter the number of portions as a whole number."),
            ("0", 400, "Choose at least 1 portion, or cancel the order."),
            ("99999999999999999999", 400, "You can order up to"),
            ("9", 409, "Only 2 more portions are left. Choose up to 4."),
        ],
    )
    def test_a_number_that_cannot_be(self, world, guest, order, typed, status, said):
        type(order.offer).objects.filter(pk=order.offer_id).update(max_per_order=20)
        refused = press(guest, order, "portions", quantity=typed)
        assert refused.status_code == status
        assert said in words_of(refused)
        assert "Nothing was changed" in words_of(refused)
        assert world.fresh(order).quantity == 2

    def test_a_guest_changes_the_note(self, world, guest, order):
        assert press(guest, order, "note", note=" No <nuts>,\r\nplease ").status_code == 303
        assert world.fresh(order).note == "No <nuts>,\nplease"
        assert "No &lt;nuts&gt;," in guest.get(path_of(order)).text

    def test_a_note_about_what_the_dish_contains_is_answered(self, world, guest, offer, order):
        type(offer).objects.filter(pk=offer.pk).update(allergens=["milk", "gluten", "eggs"])
        world.restaurant.phone = "+1 212 555 0100"
        world.restaurant.save(update_fields=["phone"])
        page = guest.get(own(guest, order))
        assert page.text.count("data-note-mentions=") == 3
        saved = press(guest, order, "note", note="No dairy or wheat, please")["Location"]
        answer = (
            "Note saved. The kitchen will see it. This dish contains gluten and milk. Call +1 212 "
            "555 0100 to ask if it can be left out."
        )
        told = guest.get(saved)
        assert answer in words_of(told)
        assert 'href="tel:+12125550100">+1 212 555 0100</a> to ask' in told.text
        guest.cookies.clear()  # whoever has only the link doesn't learn what the note is about
        assert "to ask if it can be left out" not in words_of(guest.get(saved))

    def test_a_note_about_anything_else_is_only_saved(self, world, guest, offer, order):
        type(offer).objects.filter(pk=offer.pk).update(allergens=["milk"])
        saved = press(guest, order, "note", note="No nuts, please")["Location"]
        assert 'role="status" data-once="done"><p>This dish contains' not in guest.get(saved).text

    def test_a_note_too_long_is_stored_in_the_form_and_nowhere_else(self, world, guest, order):
        refused = press(guest, order, "note", note="x" * 501)
        assert refused.status_code == 400
        assert "Use at most 500 characters." in words_of(refused)
        assert "x" * 501 in refused.text
        assert world.fresh(order).note == ""

    @pytest.mark.parametrize("action", ["", "nonsense", "refund"])
    def test_an_action_there_is_not(self, world, guest, order, action):
        assert press(guest, order, action).status_code == 400

    def test_another_sites_form_does_nothing(self, world, guest, order):
        refused = guest.post(
            path_of(order),
            {"action": "cancel"},
            MULTIPART_CONTENT,
            headers={"Sec-Fetch-Site": "cross-site"},
        )
        assert refused.status_code == 403
        assert world.fresh(order).status == "pending"


class TestTakenAlong:
    def test_a_guest_downloads_the_calendar_entry(self, guest, order):
        answer = guest.get(path_of(order, "/calendar.ics"))
        assert answer["Content-Type"].startswith("text/calendar")
        assert "BEGIN:VEVENT" in answer.text

    def test_the_receipt_is_there_once_something_was_paid(self, world, guest, order, offer):
        assert guest.get(path_of(order, "/receipt.pdf")).status_code == 404
        world.settle(offer)
        answer = guest.get(path_of(order, "/receipt.pdf"))
        assert answer["Content-Type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")

    def test_all_that_is_stored_of_them_here_and_nothing_of_others(self, world, guest, offer):
        mine = world.begin(offer, 1, name="Ann", email="ann@example.test")
        world.begin(offer, 1, name="Bob", email="bob@example.test")
        world.later(seconds=1)
        again = world.begin(world.offer(), 1, name="Ann", email="Ann@Example.test")
        stored = json.loads(guest.get(own(guest, mine, "/data.json")).content)
        assert [one["code"] for one in stored["orders"]] == [mine.code, again.code]
        assert "bob@example.test" not in json.dumps(stored)
        assert stored["orders"][0]["phone"] == "+1 212 555 0199"


class TestErasing:
    def test_takes_the_name_off_and_leaves_the_ledger(self, world, guest, order, offer):
        OrderNote.objects.create(
            restaurant=world.restaurant, pre_order=order, text="tall", by="Maria", at=world.now
        )
        world.settle(offer)
        world.later(days=4)
        assert press(guest, order, "erase", sure="yes").status_code == 303
        done = world.fresh(order)
        assert (done.customer_name, done.customer_email, done.customer_phone, done.note) == (
            ("Guest", "", "", "")
        )
        assert (done.total_amount, done.payment_status) == (order.total_amount, "captured")
        assert not OrderNote.objects.filter(pre_order=order).exists()
        page = guest.get(path_of(order))
        assert order.customer_name not in page.text
        assert "Your data has already been deleted." in words_of(page)

    def test_takes_their_places_in_line_away_and_serves_the_next(self, world, guest):
        full = world.offer(min_preorders=1, max_preorders=2)
        filling = world.authorized_order(full, 2)
        mine = world.begin(world.offer(), 1, name="Ann", email="Ann@example.test")
        world.cancel(mine)
        places = {
            name: waitlist_services.join_waitlist(
                offer_id=full.pk,
                guest=GuestDetails(name, f"{name}@example.test", "1"),
                portions=2,
                now=world.later(seconds=1),
            )
            for name in ("ann", "bob")
        }
        world.cancel(filling)
        assert world.fresh(places["ann"]).state == "invited"
        stored = json.loads(guest.get(own(guest, mine, "/data.json")).content)
        assert [(one["email"], one["status"]) for one in stored["waitingLists"]] == [
            ("ann@example.test", "invited")
        ]
        assert press(guest, mine, "erase", sure="yes").status_code == 303
        [left] = WaitlistEntry.objects.all()
        assert (left.email, left.state) == ("bob@example.test", "invited")
        assert not Email.objects.filter(pre_order=None).exclude(waitlist_entry=left).exists()
        assert world.fresh(full).reserved_portions == 2

    def test_leaves_the_address_in_another_restaurants_line(self, world, guest):
        elsewhere = world.open_restaurant(name="Ming's", subdomain="mings")
        theirs = world.offer(restaurant=elsewhere, min_preorders=1, max_preorders=1)
        mine = world.begin(world.offer(), 1, name="Ann", email="ann@example.test")
        world.cancel(mine)
        world.authorized_order(theirs, 1)
        entry = waitlist_services.join_waitlist(
            offer_id=theirs.pk,
            guest=GuestDetails("Ann", "ann@example.test", "1"),
            portions=1,
            now=world.now,
        )
        assert press(guest, mine, "erase", sure="yes").status_code == 303
        assert world.fresh(entry).email == "ann@example.test"

    def test_a_guest_cannot_erase_their_data_while_an_order_is_open(self, world, guest, order):
        page = guest.get(own(guest, order))
        assert f"You can delete your data once order {order.code} for" in words_of(page)
        refused = press(guest, order, "erase", sure="yes")
        assert refused.status_code == 409
        assert world.fresh(order).customer_name == order.customer_name

    def test_another_order_that_runs_keeps_all_of_them(self, world, guest, offer):
        over = world.begin(offer, 1, name="Ann", email="ann@example.test")
        world.cancel(over)
        runs = world.begin(world.offer(), 1, name="Ann", email="ann@example.test")
        refused = press(guest, over, "erase", sure="yes")
        assert refused.status_code == 409
        assert runs.code in words_of(refused)
        assert world.fresh(over).customer_email == "ann@example.test"

    def test_erasing_asks_for_a_confirmation(self, world, guest, order):
        world.cancel(order)
        world.work()
        refused = press(guest, order, "erase")
        assert refused.status_code == 400
        assert "Check the box to confirm." in words_of(refused)
        assert world.fresh(order).customer_email == order.customer_email
