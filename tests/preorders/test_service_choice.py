"""A guest chooses between dining in and pickup, and everything after ordering shows the choice."""

import html
import re
from datetime import datetime, time, timedelta

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.common import clock
from apps.common.errors import Conflict, Invalid
from apps.offers.models import PickupSlot
from apps.offers.serving import serving_of
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import order_path, waitlist_entry_path
from apps.preorders.documents.calendar import order_calendar
from apps.preorders.emails import rendering
from apps.preorders.guest import choices
from apps.preorders.guest.data_export import guest_data
from apps.preorders.manage.activity import activity_of
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.states import EmailKind, WaitlistStatus
from tests.factories import (
    MembershipFactory,
    PreOrderFactory,
    SpecialOfferFactory,
    UserFactory,
)
from tests.preorders.access import allow

BOTH = "Dine in or pickup"
OURS = {"Sec-Fetch-Site": "same-origin"}
BODY = {
    "quantity": 2,
    "customerName": "Dana Guest",
    "customerEmail": "dana@example.test",
    "customerPhone": "+1 212 555 0199",
}


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1)


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


@pytest.fixture
def kitchen_sheet(api, cast):
    def ask(offer):
        page = api(cast.kitchen).get(f"/restaurant/kitchen?offer={offer.pk}")
        return words_of(page).split("Kitchen sheet", 1)[-1]

    return ask


def words_of(page):
    main = page.content.decode().split("<main", 1)[1]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def slot_of(offer):
    starts_at = datetime.combine(offer.serve_date, time(18), offer.restaurant.zone)
    return PickupSlot.objects.create(
        offer=offer,
        restaurant_id=offer.restaurant_id,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=30),
    )


def checked_of(page):
    """The value of the choice that is checked; None without the choice."""
    found = re.search(r'name="serviceMode" value="(\w+)" checked', page.content.decode())
    return found and found[1]


def post_form(guest, path, **more):
    form = {**BODY, "quantity": "2", "unitPrice": "24.00", **more}
    return guest.post(path, form, MULTIPART_CONTENT, headers=OURS)


def press(guest, order, **fields):
    allow(guest, order, Purpose.CHANGE, now=clock.now())
    return guest.post(order_path(order), fields, MULTIPART_CONTENT, headers=OURS)


def authorized(world, offer, mode):
    """An order of this mode whose card is held."""
    order = world.begin(offer)
    PreOrder.objects.filter(pk=order.pk).update(service_mode=mode)
    world.pay(order)
    world.hear(order)
    return PreOrder.objects.select_related("offer__restaurant", "pickup_slot").get(pk=order.pk)


class TestTheForm:
    def test_a_special_served_both_ways_asks_once_and_preselects_dine_in(self, guest, offer):
        page = guest.get(f"/specials/{offer.pk}")
        assert page.content.decode().count('name="serviceMode"') == 2
        assert checked_of(page) == "dine_in"

    @pytest.mark.parametrize("mode", ["dine_in", "pickup"])
    def test_a_special_served_one_way_asks_nothing(self, world, guest, mode):
        offer = world.offer(service_mode=mode)
        assert 'name="serviceMode"' not in guest.get(f"/specials/{offer.pk}").content.decode()
        assert post_form(guest, f"/specials/{offer.pk}/pre-order").status_code == 303
        assert PreOrder.objects.get().service_mode == ""

    @pytest.mark.parametrize("mode", ["dine_in", "pickup"])
    def test_the_choice_is_stored_with_the_order(self, guest, offer, mode):
        answer = post_form(guest, f"/specials/{offer.pk}/pre-order", serviceMode=mode)
        assert answer.status_code == 303
        assert PreOrder.objects.get().service_mode == mode

    def test_the_choice_stays_when_another_field_is_refused(self, guest, offer):
        sent = {"serviceMode": "pickup", "customerEmail": "none"}
        page = post_form(guest, f"/specials/{offer.pk}/pre-order", **sent)
        assert page.status_code == 400
        assert checked_of(page) == "pickup"
        assert not PreOrder.objects.exists()

    def test_a_choice_that_the_special_no_longer_has_is_refused_at_the_form(self, world, guest):
        offer = world.offer(service_mode="dine_in")
        page = post_form(guest, f"/specials/{offer.pk}/pre-order", serviceMode="pickup")
        assert page.status_code == 400
        assert "This special is dine-in only." in words_of(page)
        assert not PreOrder.objects.exists()

    def test_pickup_times_are_asked_for_beside_the_choice(self, guest, offer):
        slot = slot_of(offer)
        assert "Time on Wed, Mar 24" in words_of(guest.get(f"/specials/{offer.pk}"))
        sent = {"serviceMode": "dine_in", "slotId": str(slot.pk)}
        assert post_form(guest, f"/specials/{offer.pk}/pre-order", **sent).status_code == 303
        order = PreOrder.objects.select_related("offer__restaurant", "pickup_slot").get()
        assert order.serving.text == "Wed, Mar 24 · 6:00–6:30 PM · Dine in"

    def test_friends_find_their_friends_choice_preselected(self, world, guest, offer):
        order = authorized(world, offer, "pickup")
        press(guest, order, action="friends", friends="2")
        page = guest.get(order_path(order)).content.decode()
        link = re.search(r"(/specials/[^\"\s]*/friends/[\w.:-]+)", page)
        assert link
        assert checked_of(guest.get(link[1])) == "pickup"

    def test_a_guest_from_the_waitlist_chooses_too(self, world, guest):
        offer = world.offer(min_preorders=1, max_preorders=2)
        entry = WaitlistEntry.objects.create(
            restaurant_id=offer.restaurant_id,
            offer=offer,
            name="Dana Guest",
            email="dana@example.test",
            joined_at=world.now,
            portions=2,
            state=WaitlistStatus.INVITED,
            reserved_until=world.now + timedelta(hours=1),
        )
        answer = post_form(guest, waitlist_entry_path(entry, then="/order"), serviceMode="pickup")
        assert answer.status_code == 303
        assert PreOrder.objects.get().service_mode == "pickup"


class TestTheApi:
    @pytest.mark.parametrize(
        ("sent", "stored"), [({}, ""), ({"serviceMode": ""}, ""), ({"serviceMode": "pickup"},) * 2]
    )
    def test_an_order_names_the_mode_or_leaves_it_out(self, guest, offer, sent, stored):
        answer = guest.post("/api/pre-orders", {**BODY, "dishId": str(offer.pk), **sent})
        assert answer.status_code == 201
        assert PreOrder.objects.get().service_mode == (stored and "pickup")

    @pytest.mark.parametrize(
        ("served", "asked", "message"),
        [
            ("pickup", "dine_in", "This special is pickup only."),
            ("dine_in", "pickup", "This special is dine-in only."),
            ("both", "both", "Choose dine in or pickup."),
            ("both", None, "Choose dine in or pickup."),
        ],
    )
    def test_a_mode_the_special_does_not_have_is_refused(
        self, world, guest, served, asked, message
    ):
        offer = world.offer(service_mode=served)
        wanted = {**BODY, "dishId": str(offer.pk), "serviceMode": asked}
        answer = guest.post("/api/pre-orders", wanted)
        assert answer.status_code == 400
        (error,) = answer.json()["errors"]
        assert (error["field"], error["message"]) == ("serviceMode", message)
        assert not PreOrder.objects.exists()
        assert world.fresh(offer).reserved_portions == 0

    def test_the_same_order_in_the_other_mode_is_another_order(self, guest, offer):
        for mode in ("pickup", "pickup", "dine_in"):
            sent = {**BODY, "dishId": str(offer.pk), "serviceMode": mode}
            assert guest.post("/api/pre-orders", sent).status_code == 201
        found = PreOrder.objects.order_by("created_at").values_list("service_mode", flat=True)
        assert sorted(found) == ["dine_in", "pickup"]

    def test_each_item_of_a_cart_has_its_own(self, world, guest, offer):
        other = world.offer(min_preorders=1)
        items = [
            {"dishId": str(offer.pk), "serviceMode": "pickup"},
            {"dishId": str(other.pk)},
        ]
        answer = guest.post("/api/create-multi-offer-payment-intent", {"items": items})
        assert answer.status_code == 201, answer.content
        stored = dict(PreOrder.objects.values_list("offer_id", "service_mode"))
        assert stored == {offer.pk: "pickup", other.pk: ""}

    def test_an_item_of_a_cart_is_refused_by_its_place(self, world, guest, offer):
        other = world.offer(service_mode="pickup", name="Ribollita")
        items = [
            {"dishId": str(offer.pk), "serviceMode": "dine_in"},
            {"dishId": str(other.pk), "serviceMode": "dine_in"},
        ]
        answer = guest.post("/api/create-multi-offer-payment-intent", {"items": items})
        assert answer.status_code == 400
        (error,) = answer.json()["errors"]
        assert error["field"] == "items.1.serviceMode"
        assert error["message"] == "Ribollita: This special is pickup only."
        assert not PreOrder.objects.exists()

    @pytest.mark.parametrize("mode", ["", "dine_in", "pickup"])
    def test_an_order_by_phone_names_it_or_leaves_it_out(self, api, world, offer, mode):
        owner = MembershipFactory(restaurant=world.restaurant, user=UserFactory()).user
        wanted = {**BODY, "offerId": str(offer.pk), "serviceMode": mode}
        answer = api(owner).post("/api/orders/phone", wanted)
        assert answer.status_code == 201, answer.content
        assert answer.json()["order"]["serviceMode"] == mode


class TestAfterOrdering:
    @pytest.mark.parametrize(("mode", "words"), [("dine_in", "Dine in"), ("pickup", "Pickup")])
    def test_the_orders_page_shows_the_choice_alone(self, world, guest, offer, mode, words):
        order = authorized(world, offer, mode)
        said = words_of(guest.get(order_path(order)))
        assert f"Wed, Mar 24 · {words} " in said
        assert BOTH not in said

    def test_an_order_that_chose_nothing_still_says_both(self, world, guest, offer):
        order = authorized(world, offer, "")
        assert f"· {BOTH}" in words_of(guest.get(order_path(order)))

    def test_what_was_ordered_to_eat_there_is_served_and_not_picked_up(self, world, guest, offer):
        order = authorized(world, offer, "dine_in")
        world.settle(offer)
        PreOrder.objects.filter(pk=order.pk).update(status="fulfilled")
        said = words_of(guest.get(order_path(order)))
        assert "Served" in said
        assert "icked up" not in said

    @pytest.mark.parametrize(("mode", "words"), [("dine_in", "Dine in"), ("pickup", "Pickup")])
    def test_the_emails_show_the_choice_alone(self, world, offer, mode, words):
        order = authorized(world, offer, mode)
        email = order.emails.get(kind=EmailKind.RECEIVED)
        message = rendering.render_order_email(email)
        said = str(message.body) + str(message.alternatives)
        assert f"Wed, Mar 24 · {words}" in said
        assert BOTH not in said

    def test_the_calendar_entry_names_the_choice(self, world, offer):
        order = authorized(world, offer, "dine_in")
        entry = order_calendar(order).decode().replace("\r\n ", "")
        assert "Dine in\\nOrder code" in entry
        assert BOTH not in entry
        world.settle(offer)
        order = PreOrder.objects.select_related("offer__restaurant").get(pk=order.pk)
        entry = order_calendar(order).decode().replace("\r\n ", "")
        assert f"DESCRIPTION:{offer.name} at {offer.restaurant.name}" in entry
        assert "Pick up" not in entry

    def test_the_data_a_guest_downloads_has_it(self, world, offer):
        order = authorized(world, offer, "pickup")
        (stored,) = guest_data(order)["orders"]
        assert stored["serviceMode"] == "pickup"

    def test_without_a_choice_a_pickup_time_means_pickup(self, world, offer):
        slot = slot_of(offer)
        assert serving_of(offer, slot).mode == "Pickup"
        assert serving_of(offer, slot, "dine_in").mode == "Dine in"

    def test_a_time_on_a_special_that_is_dine_in_only_makes_no_pickup_of_it(self, world):
        offer = world.offer(service_mode="dine_in")
        assert serving_of(offer, slot_of(offer)).mode == "Dine in"


class TestChanging:
    def test_the_guest_changes_it_until_the_deadline(self, world, guest, offer):
        order = authorized(world, offer, "dine_in")
        answer = press(guest, order, action="service", serviceMode="pickup")
        assert answer.status_code == 303
        assert world.fresh(order).service_mode == "pickup"
        said = words_of(guest.get(answer.headers["Location"]))
        assert "Changed: Pickup." in said
        assert "Wed, Mar 24 · Pickup " in said
        (event, *_) = [each.text for each in activity_of(order) if "Changed to" in each.text]
        assert event == "Changed to pickup"
        again = world.fresh(order).emails.get(kind="received", number=2)
        message = rendering.render_order_email(again)
        assert message.subject == f"Changed to pickup: {order.sold.name} on Wed, Mar 24"
        assert "Changed to pickup\n" in str(message.body)

    def test_the_same_choice_again_changes_nothing(self, world, offer):
        order = authorized(world, offer, "pickup")
        before = order.transitions.count()
        choices.change_service_mode(order=order, mode="pickup", now=world.now)
        assert order.transitions.count() == before

    def test_the_page_says_that_the_same_choice_changed_nothing(self, world, guest, offer):
        order = authorized(world, offer, "dine_in")
        answer = press(guest, order, action="service", serviceMode="dine_in", shownMode="dine_in")
        assert "Nothing changed." in words_of(guest.get(answer.headers["Location"]))

    def test_it_is_too_late_after_the_deadline(self, world, offer):
        order = authorized(world, offer, "dine_in")
        world.settle(offer)
        with pytest.raises(Conflict):
            choices.change_service_mode(order=order, mode="pickup", now=world.now)
        assert world.fresh(order).service_mode == "dine_in"

    @pytest.mark.parametrize("sent", ["", "both", "delivery"])
    def test_what_is_no_choice_is_refused(self, world, guest, offer, sent):
        order = authorized(world, offer, "dine_in")
        page = press(guest, order, action="service", serviceMode=sent)
        assert page.status_code == 400
        assert "Choose dine in or pickup." in words_of(page)
        assert world.fresh(order).service_mode == "dine_in"

    def test_a_special_served_one_way_offers_no_change(self, world, guest):
        order = authorized(world, world.offer(service_mode="pickup"), "")
        allow(guest, order, Purpose.CHANGE, now=clock.now())
        assert 'value="service"' not in guest.get(order_path(order)).content.decode()
        with pytest.raises(Invalid):
            choices.change_service_mode(order=order, mode="dine_in", now=world.now)


class TestTheKitchen:
    @pytest.fixture
    def offer(self, cast, clock, platform):
        return SpecialOfferFactory(restaurant=cast.restaurant, status="succeeded")

    def order(self, offer, mode, quantity, name):
        return PreOrderFactory(
            offer=offer,
            service_mode=mode,
            quantity=quantity,
            customer_name=name,
            status="confirmed",
            payment_status="captured",
        )

    def test_the_sheet_counts_portions_by_mode_and_marks_each_guest(self, kitchen_sheet, offer):
        self.order(offer, "dine_in", 2, "Ada")
        self.order(offer, "pickup", 3, "Bo")
        self.order(offer, "", 1, "Cy")
        said = kitchen_sheet(offer)
        assert "Dine in: 2 · Pickup: 3 · Not chosen: 1" in said
        assert "2 Ada Dine in" in said
        assert "3 Bo Pickup" in said
        assert "1 Cy " in said
        assert "Cy Dine in" not in said

    def test_the_sheet_of_a_special_served_one_way_says_nothing_of_it(self, kitchen_sheet, offer):
        offer.service_mode = "pickup"
        offer.save()
        self.order(offer, "", 2, "Ada")
        said = kitchen_sheet(offer)
        assert "Pickup:" not in said
        assert "Ada Pickup" not in said

    def test_the_list_and_the_export_show_it(self, api, cast, offer):
        self.order(offer, "dine_in", 2, "Ada")
        (line,) = api(cast.owner).get("/api/orders").json()["orders"]
        assert line["serviceMode"] == "dine_in"
        rows = api(cast.owner).get("/api/orders/export?format=csv").getvalue().decode()
        assert ",Service," in rows
        assert ",Dine in,Ada," in rows
