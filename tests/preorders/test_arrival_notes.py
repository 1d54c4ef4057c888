"""What a restaurant tells guests about their table and about the pickup: each guest reads the note
of their own mode, wherever it says when and where."""

import re
from datetime import time

import pytest
from django.utils import translation
from icalendar import Calendar

from apps.offers.serving import ServiceMode, arrival_notes, serving_of
from apps.preorders.core.links import order_path
from apps.preorders.documents import wallet
from apps.preorders.documents.calendar import order_calendar
from apps.preorders.emails.rendering import render_order_email
from apps.preorders.emails.visit import render_visit_email
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.models import Restaurant
from tests.factories import SpecialOfferFactory
from tests.pages import markup_of, text_of

TABLE = "Your table is kept for 20 minutes. Ask for Luisa."
COUNTER = "Pick up at the counter in the back."
NAMED = [f"Dine in: {TABLE}", f"Pickup: {COUNTER}"]
# The mode of an order, and the lines its guest reads.
MODES = [("dine_in", [TABLE]), ("pickup", [COUNTER]), ("", NAMED)]


def write_notes(restaurant, table=TABLE, counter=COUNTER):
    restaurant.dine_in_note, restaurant.pickup_note = table, counter
    Restaurant.objects.filter(pk=restaurant.pk).update(dine_in_note=table, pickup_note=counter)


@pytest.fixture
def offer(world):
    write_notes(world.restaurant)
    return world.offer(min_preorders=1)


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


@pytest.fixture
def order_in(world, offer):
    """Makes an order of this mode whose card is held."""

    def make(mode):
        order = world.authorized_order(offer)
        PreOrder.objects.filter(pk=order.pk).update(service_mode=mode)
        return found(order)

    return make


def found(order):
    return PreOrder.objects.select_related("offer__restaurant", "pickup_slot").get(pk=order.pk)


def notes_in(text):
    """The notes that the text has, in its order, each as often as it is there."""
    parts = "|".join(map(re.escape, [*NAMED, TABLE, COUNTER]))
    return re.findall(parts, text)


class TestWhatAGuestReads:
    @pytest.mark.parametrize(
        ("mode", "lines"), [("dine_in", [TABLE]), ("pickup", [COUNTER]), ("both", NAMED)]
    )
    def test_a_note_is_named_only_where_both_modes_are_possible(self, offer, mode, lines):
        offer.service_mode = mode
        assert [str(note) for note in serving_of(offer).notes] == lines

    @pytest.mark.parametrize(("mode", "lines"), MODES)
    def test_an_orders_notes_are_those_of_its_mode(self, order_in, mode, lines):
        assert [str(note) for note in order_in(mode).serving.notes] == lines

    @pytest.mark.parametrize(
        ("mode", "lines"), [("dine_in", []), ("pickup", [COUNTER]), ("both", [NAMED[1]])]
    )
    def test_an_empty_note_is_left_out(self, world, mode, lines):
        write_notes(world.restaurant, table="")
        assert [str(note) for note in arrival_notes(world.restaurant, mode)] == lines

    def test_a_guest_who_reads_spanish_reads_the_notes_in_spanish_where_there_are_some(self, world):
        write_notes(world.restaurant)
        world.restaurant.spanish_pickup_note = "Recoge en la barra."
        read = [f"Comer aquí: {TABLE}", "Para llevar: Recoge en la barra."]
        with translation.override("es"):
            assert [str(each) for each in arrival_notes(world.restaurant, ServiceMode.BOTH)] == read
        assert [str(each) for each in arrival_notes(world.restaurant, ServiceMode.BOTH)] == NAMED

    def test_an_email_has_the_note_in_the_language_of_its_order(self, world, order_in):
        Restaurant.objects.filter(pk=world.restaurant.pk).update(
            spanish_dine_in_note="Pregunta por Luisa."
        )
        order = order_in("dine_in")
        for language, note in {"en-us": TABLE, "es": "Pregunta por Luisa."}.items():
            PreOrder.objects.filter(pk=order.pk).update(language=language)
            received = Email.objects.get(pre_order=order, kind=EmailKind.RECEIVED)
            assert f"\n{note}\n" in render_order_email(received).body


class TestTheSpecialsPage:
    @pytest.mark.parametrize(
        ("mode", "lines"), [("dine_in", [TABLE]), ("pickup", [COUNTER]), ("both", NAMED)]
    )
    def test_how_it_works_ends_with_the_notes(self, world, guest, mode, lines):
        write_notes(world.restaurant)
        offer = world.offer(service_mode=mode)
        steps = text_of(guest.get(f"/specials/{offer.pk}")).split("How it works")[1]
        assert notes_in(steps) == lines

    @pytest.mark.parametrize(
        ("window", "words"),
        [
            ({}, []),
            (
                {"serve_from": time(18), "serve_until": time(22)},
                [
                    ("dine_in", "Come any time between 6:00 and 10:00 PM."),
                    ("pickup", "Pick it up any time between 6:00 and 10:00 PM."),
                ],
            ),
        ],
    )
    def test_the_form_has_the_note_of_each_choice_with_or_without_a_window(
        self, world, guest, window, words
    ):
        write_notes(world.restaurant)
        offer = world.offer(**window)
        form = markup_of(guest.get(f"/specials/{offer.pk}")).split('id="pre-order"')[1]
        lines = re.findall(r'data-choice="(\w+)">([^<]+)<', form)
        assert lines == [*words, ("dine_in", TABLE), ("pickup", COUNTER)]

    def test_what_an_owner_wrote_is_text_and_no_markup(self, world, guest):
        write_notes(world.restaurant, table="<b>Ask</b> & wait", counter="")
        offer = world.offer(service_mode="dine_in")
        page = markup_of(guest.get(f"/specials/{offer.pk}"))
        assert page.count("&lt;b&gt;Ask&lt;/b&gt; &amp; wait") == 2
        assert "<b>Ask" not in page

    def test_without_notes_the_page_has_nothing_of_them(self, world, guest):
        offer = world.offer()
        form = markup_of(guest.get(f"/specials/{offer.pk}")).split('id="pre-order"')[1]
        assert "data-choice" not in form

    def test_a_new_note_is_there_when_the_cached_page_is_made_again(
        self, api, cast, clock, django_capture_on_commit_callbacks
    ):
        offer = SpecialOfferFactory(restaurant=cast.restaurant)
        guest, path = api(at=cast.restaurant), f"/specials/{offer.pk}"
        assert notes_in(text_of(guest.get(path))) == []
        with django_capture_on_commit_callbacks(execute=True):
            changed = api(cast.owner).put("/api/restaurant", {"pickupNote": COUNTER})
        assert changed.status_code == 200
        # A query string passes by the cache of pages, which lasts two seconds.
        assert COUNTER in text_of(guest.get(f"{path}?again"))


class TestTheOrdersPage:
    @pytest.mark.parametrize(("mode", "lines"), MODES)
    def test_it_has_the_notes_while_the_special_is_open(self, guest, order_in, mode, lines):
        assert notes_in(text_of(guest.get(order_path(order_in(mode))))) == lines

    def test_it_has_the_note_once_it_is_on(self, world, guest, order_in, offer):
        order = order_in("pickup")
        world.settle(offer)
        page = text_of(guest.get(order_path(order)))
        assert notes_in(page) == [COUNTER]
        assert f"Pickup Wed, Mar 24 {COUNTER}" in page

    def test_on_the_day_it_has_the_note_once_below_the_address_beside_the_code(
        self, world, guest, order_in, offer
    ):
        order = order_in("pickup")
        world.settle(offer)
        world.at(world.now.replace(day=24, hour=14))
        page = text_of(guest.get(order_path(order)))
        assert notes_in(page) == [COUNTER]
        assert f"Show this when you arrive {order.code}" in page
        assert f"{world.restaurant.address} {COUNTER}" in page

    @pytest.mark.parametrize("status", ["fulfilled", "no_show", "cancelled"])
    def test_it_has_none_once_the_guest_is_no_longer_expected(
        self, world, guest, order_in, offer, status
    ):
        order = order_in("pickup")
        world.settle(offer)
        PreOrder.objects.filter(pk=order.pk).update(status=status)
        assert notes_in(text_of(guest.get(order_path(order)))) == []


class TestEmails:
    @pytest.mark.parametrize("kind", [EmailKind.RECEIVED, EmailKind.CONFIRMED, EmailKind.PICK_UP])
    @pytest.mark.parametrize(("mode", "lines"), MODES)
    def test_they_have_the_notes_below_the_address(self, world, order_in, offer, kind, mode, lines):
        order = order_in(mode)
        if kind != EmailKind.RECEIVED:
            world.settle(offer)
        message = self.rendered(order, kind)
        below = "\n".join([world.restaurant.address, *lines])
        assert f"\n{below}\n\n" in message.body
        assert notes_in(str(message.alternatives[0].content)) == lines

    def test_without_notes_the_address_is_the_last_line(self, world, order_in):
        order = order_in("pickup")
        write_notes(world.restaurant, "", "")
        message = self.rendered(found(order), EmailKind.RECEIVED)
        assert f"\n{world.restaurant.address}\n\n" in message.body

    def test_an_email_about_an_order_that_has_ended_has_none(self, world, order_in):
        order = order_in("pickup")
        world.cancel(order)
        message = self.rendered(order, EmailKind.CANCELLED)
        assert notes_in(message.body + str(message.alternatives[0].content)) == []

    def test_what_an_owner_wrote_is_text_and_no_markup(self, world, order_in):
        order = order_in("pickup")
        write_notes(world.restaurant, counter="<b>Back</b> counter")
        message = self.rendered(found(order), EmailKind.RECEIVED)
        assert "\n<b>Back</b> counter\n" in message.body
        assert "&lt;b&gt;Back&lt;/b&gt; counter" in str(message.alternatives[0].content)

    @pytest.mark.parametrize(
        ("modes", "lines"),
        [(("pickup", "pickup"), [COUNTER]), (("dine_in", "pickup"), NAMED)],
    )
    def test_one_email_about_a_cart_has_the_notes_of_its_orders_modes(
        self, world, guest, offer, modes, lines
    ):
        begun = world.begin_cart(offer, world.offer(min_preorders=1))
        world.give_card(begun)
        world.confirm_cart(begun)
        for item, mode in zip(begun.items, modes, strict=True):
            PreOrder.objects.filter(pk=item.pk).update(service_mode=mode)
        assert notes_in(self.visit(begun).body) == lines
        assert guest.get(f"/api/checkouts/{begun.cart.pk}").json()["arrivalNotes"] == lines

    def test_the_result_of_a_cart_has_the_notes_of_what_is_held(self, world, guest, offer):
        declined = world.offer(min_preorders=1)
        begun = world.begin_cart(offer, declined)
        for item in begun.items:
            mode = "dine_in" if item.offer_id == offer.pk else "pickup"
            PreOrder.objects.filter(pk=item.pk).update(service_mode=mode)
        refused = next(item for item in begun.items if item.offer_id == declined.pk)
        world.stripe.control(hold_fault={"kind": "generic_decline", "pre_order": str(refused.pk)})
        path = f"/api/checkouts/{begun.cart.pk}"
        assert guest.get(path).json()["arrivalNotes"] == []
        world.give_card(begun)
        world.confirm_cart(begun)
        assert guest.get(path).json()["arrivalNotes"] == [TABLE]

    def test_an_email_about_a_declined_cart_has_none(self, world, offer):
        begun = world.begin_cart(offer, world.offer(min_preorders=1))
        world.give_card(begun)
        for item in begun.items:
            world.stripe.control(hold_fault={"kind": "generic_decline", "pre_order": str(item.pk)})
        world.confirm_cart(begun)
        assert notes_in(self.visit(begun).body) == []

    def rendered(self, order, kind):
        email = Email.objects.filter(pre_order=order, kind=kind).first()
        if email is None:
            email = Email(
                pre_order=order,
                restaurant_id=order.restaurant_id,
                kind=kind,
                due_at=order.created_at,
            )
        email.pre_order = found(order)
        return render_order_email(email)

    def visit(self, begun):
        emails = list(Email.objects.filter(pre_order__in=begun.items))
        for email in emails:
            email.pre_order = found(email.pre_order)
        assert len(emails) == 2
        return render_visit_email(emails)


class TestCalendarAndWallet:
    @pytest.mark.parametrize(("mode", "lines"), MODES)
    def test_the_calendar_entry_says_them_below_the_code(self, order_in, mode, lines):
        order = order_in(mode)
        expected = "\n".join([f"Order code: {order.code}", *lines, "", ""])
        assert expected in self.description(order)

    def test_the_calendar_entry_of_an_order_that_has_ended_has_none(self, world, order_in):
        order = order_in("pickup")
        world.cancel(order)
        assert notes_in(self.description(found(order))) == []

    @pytest.mark.parametrize(("mode", "lines"), MODES)
    def test_a_pass_has_them_on_its_back(self, order_in, mode, lines):
        order = order_in(mode)
        back = wallet._description(order)["eventTicket"]["backFields"]
        said = [each["value"] for each in back if each["label"] == "When you arrive"]
        assert said == ["\n".join(lines)]
        (module,) = wallet._ticket(order)["textModulesData"]
        assert (module["header"], module["body"]) == ("When you arrive", "\n".join(lines))

    def test_a_pass_without_notes_has_no_place_for_them(self, world, order_in):
        order = order_in("pickup")
        write_notes(world.restaurant, "", "")
        order = found(order)
        back = wallet._description(order)["eventTicket"]["backFields"]
        assert "arrival" not in {each["key"] for each in back}
        assert "textModulesData" not in wallet._ticket(order)

    def description(self, order):
        (event,) = Calendar.from_ical(order_calendar(order)).walk("VEVENT")
        return str(event["description"])
