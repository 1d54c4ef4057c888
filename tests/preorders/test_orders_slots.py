"""Pickup times: set by the owner, chosen by guests, and never overbooked."""

import re
from datetime import UTC, datetime

import pytest

from apps.offers.models import PickupSlot
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.refusals import without_codes

FIVE, HALF, SIX = (
    datetime(2027, 3, 24, 21 + h, m, tzinfo=UTC) for h, m in ((0, 0), (0, 30), (1, 0))
)
EARLY = {"startsAt": "2027-03-24T17:00", "endsAt": "2027-03-24T17:30", "capacity": 4}
LATE = {"startsAt": "2027-03-24T17:30:00-04:00", "endsAt": "2027-03-24T18:00:00-04:00"}


@pytest.fixture
def offer(cast, clock, platform):
    """Served on Wednesday the 24th in New York."""
    return SpecialOfferFactory(restaurant=cast.restaurant)


@pytest.fixture
def put(api, cast, offer):
    client = api(cast.manager)
    return lambda *slots: client.put(f"/api/specials/{offer.pk}/slots", {"slots": list(slots)})


class TestSettingThem:
    def test_times_without_a_zone_are_the_restaurants(self, put, api, cast, offer):
        reported = put(LATE, EARLY).json()["slots"]
        assert [(each["startsAt"], each["label"], each["left"]) for each in reported] == [
            ("2027-03-24T21:00:00Z", "5:00–5:30 PM", 4),
            ("2027-03-24T21:30:00Z", "5:30–6:00 PM", None),
        ]
        public = api(at=cast.restaurant).get(f"/api/specials/{offer.pk}").json()["slots"]
        assert [set(each) for each in public] == [{"id", "startsAt", "endsAt", "label", "left"}] * 2

    def test_sent_again_they_keep_their_ids(self, put):
        before = put(EARLY, LATE).json()["slots"]
        after = put({**EARLY, "capacity": 9}).json()["slots"]
        assert [(each["id"], each["capacity"]) for each in after] == [(before[0]["id"], 9)]
        assert put().json()["slots"] == []

    @pytest.mark.parametrize(
        ("slot", "field"),
        [
            ({**EARLY, "startsAt": "2027-03-25T17:00"}, "slots.0.startsAt"),
            ({**EARLY, "endsAt": "2027-03-24T17:00"}, "slots.0.endsAt"),
            ({**EARLY, "endsAt": "2027-03-24T16:00"}, "slots.0.endsAt"),
            ({**EARLY, "capacity": 0}, "slots.0.capacity"),
            ({**EARLY, "capacity": "many"}, "slots.0.capacity"),
            ({**EARLY, "startsAt": "soon"}, "slots.0.startsAt"),
            ({"capacity": 4}, "slots.0.startsAt"),
        ],
    )
    def test_a_time_that_is_none_is_refused(self, put, slot, field):
        answer = put(slot)
        assert answer.status_code == 400
        assert field in [error["field"] for error in answer.json()["errors"]]
        assert not PickupSlot.objects.exists()

    def test_two_at_once_are_refused(self, put):
        answer = put(EARLY, {**LATE, "startsAt": "2027-03-24T17:15"})
        assert answer.status_code == 400
        assert answer.json()["message"] == "Pickup times can't overlap."

    def test_orders_stand_against_moving_one(self, put, offer):
        slot_id = put(EARLY, LATE).json()["slots"][0]["id"]
        PreOrderFactory(offer=offer, pickup_slot_id=slot_id, quantity=3)
        for change in ((LATE,), ({**EARLY, "endsAt": "2027-03-24T17:20"}, LATE)):
            answer = put(*change)
            assert answer.status_code == 409
            assert answer.json()["message"].startswith("5:00–5:30 PM has orders")
        answer = put({**EARLY, "capacity": 2}, LATE)
        assert answer.status_code == 409
        assert "3 portions ordered" in answer.json()["message"]
        assert put({**EARLY, "capacity": 3}).status_code == 200

    def test_another_restaurants_are_not_there(self, api, cast, offer):
        path = f"/api/specials/{offer.pk}/slots"
        assert api(cast.outsider).get(path).status_code == 404
        assert api(cast.outsider).put(path, {"slots": [EARLY]}).status_code == 404
        assert not PickupSlot.objects.exists()


class TestChoosingOne:
    @pytest.fixture
    def slots(self, offer):
        def slot(start, end, capacity):
            return PickupSlot.objects.create(
                offer=offer,
                restaurant_id=offer.restaurant_id,
                starts_at=start,
                ends_at=end,
                capacity=capacity,
            )

        return [slot(FIVE, HALF, 4), slot(HALF, SIX, None)]

    @pytest.fixture
    def order(self, api, cast, offer, monkeypatch):
        monkeypatch.setattr("apps.preorders.checkout.services.open_checkout", _no_page)

        def send(**more):
            body = {
                "dishId": str(offer.pk),
                "customerName": "Ada",
                "customerEmail": "ada@example.test",
                "customerPhone": "1",
                **more,
            }
            return api(at=cast.restaurant).post("/api/pre-orders", body)

        return send

    def test_the_chosen_slot_is_stored_with_the_order(self, order, slots):
        assert order(slotId=slots[0].pk, note=" No nuts, please ").status_code == 201
        (stored,) = PreOrder.objects.all()
        assert (stored.pickup_slot, stored.note) == (slots[0], "No nuts, please")

    @pytest.mark.parametrize("slot_id", [None, 10**12, "x", -1])
    def test_an_order_without_a_slot_is_refused_when_there_are_slots(self, order, slots, slot_id):
        answer = order(slotId=slot_id)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "slotId"
        assert not PreOrder.objects.exists()

    def test_an_offer_without_any_takes_none(self, order, cast):
        assert order().status_code == 201
        assert order(slotId=5, customerName="Bo").status_code == 400

    def test_checkouts_holds_and_charges_count_and_what_was_cancelled_does_not(
        self, order, offer, slots
    ):
        for facts in (
            {"in_checkout": True},
            {},
            {"status": PreOrderStatus.CONFIRMED, "payment_status": PaymentStatus.CAPTURED},
            {"status": PreOrderStatus.CANCELLED, "payment_status": PaymentStatus.RELEASED},
        ):
            PreOrderFactory(offer=offer, pickup_slot=slots[0], **facts)
        answer = order(slotId=slots[0].pk, quantity=2)
        assert answer.status_code == 409
        assert without_codes(answer.json())["errors"] == [
            {
                "field": "slotId",
                "message": "5:00–5:30 PM has room for 1 portion. Try 5:30–6:00 PM.",
            }
        ]
        assert order(slotId=slots[0].pk, quantity=1).status_code == 201
        bo = {"customerName": "Bo", "customerEmail": "bo@example.test"}
        assert order(slotId=slots[0].pk, **bo).status_code == 409
        assert order(slotId=slots[1].pk, quantity=9).status_code == 201

    def test_a_wish_that_is_too_long_is_refused_and_not_cut(self, order, offer):
        answer = order(note="x" * 501)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "note"
        assert not PreOrder.objects.exists()

    def test_the_page_offers_them_without_a_script(self, api, cast, offer, slots):
        PreOrderFactory(offer=offer, pickup_slot=slots[0], quantity=4)
        page = api(at=cast.restaurant).get(f"/specials/{offer.pk}?x=1").content.decode()
        page = " ".join(page.split())
        full, free = re.findall(r"<option (.*?)>(.*?) ?</option>", page)
        assert full[0].startswith(f'value="{slots[0].pk}" disabled')
        assert full[1] == "5:00–5:30 PM (full)"
        assert free == (f'value="{slots[1].pk}" selected', "5:30–6:00 PM")
        assert 'name="note"' in page


def _no_page(order, now):
    order.checkout_url = "https://pay.test/1"
