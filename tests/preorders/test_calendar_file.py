"""An order in the guest's calendar: the time, tentative or confirmed, and replaced by later
files."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from apps.common import formats
from apps.common.transitions import transition
from apps.offers.models import PickupSlot
from apps.offers.serving import ServiceMode
from apps.preorders.core.links import order_url
from apps.preorders.documents.calendar import calendar_part, order_calendar
from apps.preorders.models.states import (
    ORDER_ALLOWED,
    PAYMENT_ALLOWED,
    PaymentStatus,
    PreOrderStatus,
)
from tests.factories import PreOrderFactory, RestaurantFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db
NEW_YORK = ZoneInfo("America/New_York")


@pytest.fixture
def order(platform, clock):
    restaurant = RestaurantFactory(name="Luigi's", latitude="40.7", longitude="-74.0")
    return PreOrderFactory(offer=SpecialOfferFactory(restaurant=restaurant, name="Osso buco"))


def read(order):
    (calendar,) = [Calendar.from_ical(order_calendar(order))]
    (event,) = calendar.walk("VEVENT")
    return calendar, event


def move(order, clock, status=None, payment=None):
    clock.advance(minutes=5)
    if payment:
        transition(order, "payment_status", payment, allowed=PAYMENT_ALLOWED, now=clock.now)
    if status:
        transition(order, "status", status, allowed=ORDER_ALLOWED, now=clock.now)


def with_slot(order, day, hour=17):
    start = datetime(day.year, day.month, day.day, hour, 30, tzinfo=NEW_YORK).astimezone(UTC)
    order.pickup_slot = PickupSlot.objects.create(
        offer=order.offer,
        restaurant=order.restaurant,
        starts_at=start,
        ends_at=start + timedelta(minutes=30),
    )
    return order


def test_a_held_order_is_a_day_that_is_not_sure_yet(order):
    calendar, event = read(order)
    assert calendar["method"] == "PUBLISH"
    assert event["status"] == "TENTATIVE"
    assert event["sequence"] == 0
    assert event["summary"] == "Osso buco at Luigi's, if enough guests order"
    assert event.decoded("dtstart") == date(2027, 3, 24)
    assert event.decoded("dtend") == date(2027, 3, 25)
    assert event["location"] == "Luigi's, 1 Mulberry Street, New York, NY 10013"
    (alarm,) = event.walk("VALARM")
    assert alarm["description"] == "Osso buco at Luigi's, if our email says it's on"


def first_line(event):
    return event["description"].split("\n")[0]


def test_an_order_says_how_certain_it_is_until_the_decision(order):
    _, event = read(order)
    assert first_line(event) == (
        "Not certain before Tue, Mar 23, 12:00 PM EDT. We'll email you then, either way."
    )
    order.offer.ordered_portions = order.offer.min_preorders = 12
    _, event = read(order)
    assert event["status"] == "CONFIRMED"
    assert event["summary"] == "Osso buco at Luigi's"
    assert first_line(event) == (
        "It's on, unless cancellations bring it below 12 portions by Tue, Mar 23, 12:00 PM EDT. "
        "We'll email you then, either way."
    )


@pytest.mark.parametrize("sure", [{"goes_ahead": True}, {"min_preorders": 1}])
def test_an_order_that_others_cannot_bring_down_is_on(order, sure):
    order.offer.ordered_portions = 1
    for name, value in sure.items():
        setattr(order.offer, name, value)
    _, event = read(order)
    assert event["status"] == "CONFIRMED"
    assert event["summary"] == "Osso buco at Luigi's"
    assert first_line(event) == "It's on"


def test_only_a_time_of_a_special_that_is_on_is_taken(order):
    order.offer.service_mode = ServiceMode.DINE_IN
    order.offer.ordered_portions = order.offer.min_preorders = 12
    assert read(order)[1]["transp"] == "TRANSPARENT"  # no time: the whole day
    order.offer.serve_from, order.offer.serve_until = time(19), time(21, 30)
    assert read(order)[1]["transp"] == "OPAQUE"
    order.offer.ordered_portions = 11
    assert read(order)[1]["transp"] == "TRANSPARENT"


def test_an_order_whose_charge_was_declined_is_not_sure(order):
    order.offer.ordered_portions = order.offer.min_preorders = 12
    order.payment_status = PaymentStatus.CAPTURE_FAILED
    assert read(order)[1]["status"] == "TENTATIVE"


def test_an_order_that_goes_ahead_replaces_the_entry_and_adds_an_alarm(order, clock):
    _, before = read(order)
    move(order, clock, PreOrderStatus.CONFIRMED, PaymentStatus.CAPTURED)
    calendar, event = read(order)
    assert calendar["method"] == "PUBLISH"
    assert event["status"] == "CONFIRMED"
    assert event["uid"] == before["uid"] == f"{order.pk}@localhost"
    assert event["sequence"] == 2
    assert event.decoded("dtstamp") == clock.now
    assert event["summary"] == "Osso buco at Luigi's"
    (alarm,) = event.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(hours=9)


def test_the_entry_links_to_the_public_page_without_the_orders_token(order):
    """A calendar is often shared, the order's signed link must not be."""
    _, event = read(order)
    assert event["url"] == order_url(order)
    assert event["description"].endswith(order_url(order))
    assert formats.portions(order.quantity) in event["description"].split("\n")


@pytest.mark.parametrize("payment", [PaymentStatus.RELEASED, None])
def test_an_order_that_has_ended_cancels_the_entry(order, clock, payment):
    move(order, clock, PreOrderStatus.CANCELLED, payment)
    calendar, event = read(order)
    assert calendar["method"] == "CANCEL"
    assert event["status"] == "CANCELLED"
    assert event["sequence"] >= 1
    assert not event.walk("VALARM")


@pytest.mark.parametrize(
    ("day", "offset"), [(date(2027, 3, 13), -5), (date(2027, 3, 14), -4), (date(2027, 11, 7), -5)]
)
def test_a_pick_up_time_is_in_the_restaurants_zone_on_either_side_of_a_change_of_clocks(
    order, clock, day, offset
):
    move(with_slot(order, day), clock, PreOrderStatus.CONFIRMED, PaymentStatus.CAPTURED)
    calendar, event = read(order)
    start, end = event.decoded("dtstart"), event.decoded("dtend")
    assert (start.hour, start.minute, end.hour) == (17, 30, 18)
    assert event["dtstart"].params["TZID"] == "America/New_York"
    assert [zone["tzid"] for zone in calendar.walk("VTIMEZONE")] == ["America/New_York"]
    assert start.utcoffset() == timedelta(hours=offset)
    (alarm,) = event.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(hours=-2)


def test_a_serving_window_makes_the_entry_a_timed_one(order, clock):
    order.offer.serve_from, order.offer.serve_until = time(19), time(21, 30)
    move(order, clock, PreOrderStatus.CONFIRMED, PaymentStatus.CAPTURED)
    _, event = read(order)
    start, end = event.decoded("dtstart"), event.decoded("dtend")
    assert (start.hour, start.minute, end.hour, end.minute) == (19, 0, 21, 30)
    assert event["dtstart"].params["TZID"] == "America/New_York"
    (alarm,) = event.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(hours=-2)


def test_a_window_without_an_end_says_only_when_it_starts(order):
    order.offer.serve_from = time(19)
    _, event = read(order)
    assert event.decoded("dtstart").hour == 19
    assert "dtend" not in event


@pytest.mark.parametrize(
    ("day", "hour", "end"),
    [
        (date(2027, 3, 24), 17, "19:00 -0400"),
        (date(2027, 11, 7), 0, "06:00 +0000"),  # 1 AM comes twice
        (date(2027, 3, 14), 0, "03:00 -0400"),  # 2 AM never comes
    ],
)
def test_a_guest_who_eats_there_is_busy_for_the_dinner(order, day, hour, end):
    order.service_mode = ServiceMode.DINE_IN
    _, event = read(with_slot(order, day, hour))
    start = order.pickup_slot.starts_at
    assert event.decoded("dtstart") == start
    assert f"{event.decoded('dtend'):%H:%M %z}" == end
    assert event.decoded("dtend").astimezone(UTC) - start == timedelta(minutes=90)
    half = "PM" if hour else "AM"
    clock = f"{hour % 12 or 12}:30–{hour % 12 + 1}:00 {half}"
    assert f"Arrive {clock}" in event["description"].split("\n")


@pytest.mark.parametrize(
    ("until", "end"), [(time(21, 30), "21:30"), (time(19, 45), "20:30"), (None, "20:30")]
)
def test_a_dinner_ends_with_its_window_and_not_before(order, until, end):
    order.offer.service_mode = ServiceMode.DINE_IN
    order.offer.serve_from, order.offer.serve_until = time(19), until
    _, event = read(order)
    assert f"{event.decoded('dtend'):%H:%M}" == end
    assert "Arrive " in event["description"]


def lines(order, *names):
    """The lines of the file with these properties, as they are written."""
    written = order_calendar(order).decode().replace("\r\n ", "").split("\r\n")
    return [line for line in written if line.split(":")[0].split(";")[0] in names]


@pytest.mark.parametrize("mode", [ServiceMode.PICKUP, ServiceMode.BOTH])
def test_a_pickup_leaves_its_time_free(order, mode):
    order.offer.ordered_portions = order.offer.min_preorders = 12
    order.offer.service_mode = mode
    order.offer.serve_from, order.offer.serve_until = time(17), time(20)
    assert lines(order, "TRANSP", "DTSTART", "DTEND")[-3:] == [
        "DTSTART;TZID=America/New_York:20270324T170000",
        "DTEND;TZID=America/New_York:20270324T200000",
        "TRANSP:TRANSPARENT",
    ]
    assert lines(with_slot(order, date(2027, 3, 24)), "TRANSP") == ["TRANSP:TRANSPARENT"]


@pytest.mark.parametrize(
    ("until", "transp"),
    [(time(20), "OPAQUE"), (time(20, 1), "TRANSPARENT"), (None, "OPAQUE")],
)
def test_a_dinner_blocks_no_window_of_which_it_takes_less_than_half(order, until, transp):
    order.offer.ordered_portions = order.offer.min_preorders = 12
    order.offer.service_mode = ServiceMode.DINE_IN
    order.offer.serve_from, order.offer.serve_until = time(17), until
    assert lines(order, "TRANSP") == [f"TRANSP:{transp}"]
    chosen = with_slot(order, date(2027, 3, 24))
    assert lines(chosen, "TRANSP", "DTEND")[-2:] == [
        "DTEND;TZID=America/New_York:20270324T190000",
        "TRANSP:OPAQUE",
    ]


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        (ServiceMode.PICKUP, "Pick up Osso buco"),
        (ServiceMode.DINE_IN, "Osso buco at Luigi's"),
    ],
)
def test_a_calendar_reminds_of_an_order_two_hours_before(order, clock, mode, says):
    order.offer.service_mode = mode
    order.offer.serve_from = time(19)
    assert lines(order, "ACTION", "TRIGGER") == ["ACTION:DISPLAY", "TRIGGER:-PT2H"]
    unsure = "DESCRIPTION:Osso buco at Luigi's\\, if our email says it's on"
    assert unsure in lines(order, "DESCRIPTION")
    move(order, clock, PreOrderStatus.CONFIRMED, PaymentStatus.CAPTURED)
    assert lines(order, "ACTION", "TRIGGER") == ["ACTION:DISPLAY", "TRIGGER:-PT2H"]
    assert f"DESCRIPTION:{says}" in lines(order, "DESCRIPTION")


def test_a_pickup_lasts_as_long_as_its_window(order):
    order.service_mode = ServiceMode.PICKUP
    _, event = read(with_slot(order, date(2027, 3, 24)))
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(minutes=30)
    assert "Arrive" not in event["description"]


def test_the_entry_does_not_name_the_guest(order):
    text = order_calendar(order).decode().replace("\r\n ", "")
    for personal in (order.customer_name, order.customer_email, order.customer_phone):
        assert personal not in text


def test_special_characters_in_names_are_escaped(order):
    order.sold.name = "Fish; chips, peas\r\nATTACH:http://evil.test"
    text = order_calendar(order).decode()
    assert "\nATTACH" not in text
    _, event = read(order)
    assert event["summary"].startswith("Fish; chips, peas ATTACH:http://evil.test at Luigi's")


def test_an_email_carries_it_with_its_method(order, clock):
    part = calendar_part(order)
    assert part.get_content_type() == "text/calendar"
    assert part.get_param("method") == "PUBLISH"
    assert part.get_filename() == f"order-{order.code}.ics"
    payload: Any = part.get_payload(decode=True)
    assert Calendar.from_ical(payload).walk("VEVENT")
    move(order, clock, PreOrderStatus.CANCELLED)
    assert calendar_part(order).get_param("method") == "CANCEL"
