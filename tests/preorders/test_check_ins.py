"""Devices that were offline at pickup: the day's list, and the results of their check-ins."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connections

from apps.common import rls
from apps.preorders.manage.check_ins import CheckIn, check_in
from apps.preorders.models import PickupCheckIn, PreOrder, PreOrderTransition
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory

PAID = {"status": PreOrderStatus.CONFIRMED, "payment_status": PaymentStatus.CAPTURED}


@pytest.fixture
def offer(cast, clock, platform):
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        status="succeeded",
        created_at=NOON - timedelta(days=2),
        serve_date=NOON.date(),
    )


@pytest.fixture
def order(offer):
    return PreOrderFactory(offer=offer, quantity=2, customer_name="Dana Guest", **PAID)


@pytest.fixture
def send(api, cast):
    """Send check-ins as a team member, and return the results."""

    def send(*check_ins, by=None):
        answer = api(by or cast.kitchen).post(
            "/api/pick-up/check-ins", {"checkIns": list(check_ins)}
        )
        assert answer.status_code == 200, answer.content
        return [(each["status"], each["sentence"]) for each in answer.json()["checkIns"]]

    return send


def made(order, *, minutes_ago=0, key=None):
    at = NOON - timedelta(minutes=minutes_ago)
    return {"id": str(key or uuid4()), "orderId": str(order.pk), "madeAt": at.isoformat()}


def fulfilled():
    rows = PreOrderTransition.objects.filter(field="status", new=PreOrderStatus.FULFILLED)
    return list(rows.values_list("actor", "at"))


def test_a_check_in_made_offline_counts_at_the_time_it_was_made(send, order, cast):
    assert send(made(order, minutes_ago=40)) == [("picked_up", "Picked up.")]
    order.refresh_from_db()
    assert order.status == PreOrderStatus.FULFILLED
    assert fulfilled() == [(cast.kitchen.name, NOON - timedelta(minutes=40))]


def test_a_check_in_sent_twice_counts_once_and_is_answered_the_same(send, order):
    once = made(order)
    assert send(once) == send(once) == [("picked_up", "Picked up.")]
    assert len(fulfilled()) == 1
    assert PickupCheckIn.objects.count() == 1


def test_a_check_in_that_was_undone_is_not_made_again_by_its_repetition(send, order, api, cast):
    once = made(order)
    send(once)
    api(cast.owner).post(f"/api/orders/{order.pk}/undo")
    assert send(once) == [("picked_up", "Picked up.")]
    order.refresh_from_db()
    assert order.status == PreOrderStatus.CONFIRMED


def test_the_second_of_two_devices_is_told_by_whom_and_when(send, order, cast):
    send(made(order, minutes_ago=20), by=cast.owner)
    assert send(made(order, minutes_ago=30)) == [
        (
            "already",
            f"This order was already marked as picked up by {cast.owner.name}, "
            "Mon, Mar 22, 11:40 AM EDT.",
        )
    ]
    assert fulfilled() == [(cast.owner.name, NOON - timedelta(minutes=20))]


def test_what_cannot_be_picked_up_is_refused_and_the_rest_counts(send, order, offer):
    canceled = PreOrderFactory(offer=offer, status="cancelled", payment_status="refunded")
    assert send(made(canceled), made(order)) == [
        ("refused", "This order was canceled. Don't hand anything over."),
        ("picked_up", "Picked up."),
    ]


def test_results_are_in_the_order_of_the_check_ins(api, cast, order, offer):
    other = PreOrderFactory(offer=offer, **PAID)
    sent = [made(each) for each in sorted([order, other], key=lambda each: -each.quantity)]
    answer = api(cast.kitchen).post("/api/pick-up/check-ins", {"checkIns": sent}).json()
    assert [each["id"] for each in answer["checkIns"]] == [each["id"] for each in sent]


def test_an_order_of_another_restaurant_is_not_found(send, platform):
    theirs = PreOrderFactory(**PAID)
    [(status, sentence)] = send(made(theirs))
    assert (status, sentence[:29]) == ("refused", "We couldn't find this order. ")
    theirs.refresh_from_db()
    assert theirs.status == PreOrderStatus.CONFIRMED


@pytest.mark.parametrize("minutes", [-90, 60 * 24 * 3])
def test_a_device_with_a_wrong_clock_gets_the_time_of_arrival(send, order, minutes):
    send(made(order, minutes_ago=minutes))
    assert [at for _, at in fulfilled()] == [NOON]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"checkIns": []},
        {"checkIns": "x"},
        {"checkIns": [{"id": "x", "orderId": "y", "madeAt": "z"}]},
        {"checkIns": [{"id": str(uuid4()), "orderId": str(uuid4()), "madeAt": "9999-99"}]},
    ],
)
def test_bad_check_ins_are_refused(api, cast, clock, body):
    assert api(cast.kitchen).post("/api/pick-up/check-ins", body).status_code == 400


def test_the_list_has_todays_orders_by_name_with_their_verdicts(api, cast, order, offer, send):
    fetched = PreOrderFactory(offer=offer, customer_name="Ann", **PAID)
    send(made(fetched, minutes_ago=5))
    PreOrderFactory(offer=offer, customer_name="Cal", status="cancelled", payment_status="refunded")
    PreOrderFactory(offer=offer, customer_name="Eve", status="pending", payment_status="unpaid")
    tomorrow = SpecialOfferFactory(
        restaurant=cast.restaurant, status="succeeded", serve_date=NOON.date() + timedelta(days=1)
    )
    PreOrderFactory(offer=tomorrow, customer_name="Tom", **PAID)
    PreOrderFactory(customer_name="Somebody else's", **PAID)
    listed = api(cast.kitchen).get("/api/pick-up/list").json()
    assert listed["day"] == "2027-03-22"
    assert [(each["order"]["customerName"], each["verdict"]) for each in listed["orders"]] == [
        ("Ann", "picked_up"),
        ("Cal", "cancelled"),
        ("Dana Guest", "ready"),
    ]
    assert "11:55 AM" in listed["orders"][0]["sentence"]


def test_the_list_takes_as_many_queries_for_many_orders(
    api, cast, offer, django_assert_max_num_queries
):
    for number in range(12):
        status = PreOrderStatus.FULFILLED if number % 2 else PreOrderStatus.CONFIRMED
        PreOrderFactory(offer=offer, status=status, payment_status=PaymentStatus.CAPTURED)
    client = api(cast.kitchen)
    with django_assert_max_num_queries(7):
        assert len(client.get("/api/pick-up/list").json()["orders"]) == 12


@pytest.mark.django_db(transaction=True)
def test_of_two_devices_at_once_exactly_one_hands_the_order_over(cast, platform):
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant, status="succeeded", serve_date=NOON.date()
    )
    order = PreOrderFactory(offer=offer, **PAID)

    def device(name):
        try:
            with rls.acting_as(cast.restaurant):
                [result] = check_in(
                    restaurant=cast.restaurant,
                    check_ins=[CheckIn(uuid4(), order.pk, NOON)],
                    by=name,
                    now=NOON,
                )
            return str(result.status)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as devices:
        results = list(devices.map(device, ["Ann", "Ben", "Cal", "Dee"]))
    assert sorted(results) == ["already", "already", "already", "picked_up"]
    assert PreOrder.objects.get(pk=order.pk).status == PreOrderStatus.FULFILLED
    assert PickupCheckIn.objects.count() == 1


def test_the_service_worker_answers_below_its_own_address(client, db):
    answer = client.get("/restaurant/pick-up-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert b'const PAGE = "/restaurant/pick-up"' in answer.content
