"""The list of orders: what is in it, what its totals count, and its serve days."""

from datetime import timedelta
from urllib.parse import quote

import pytest

from tests.factories import MembershipFactory, PreOrderFactory, SpecialOfferFactory

A_KEY = "3f8a3d1e-7df5-4d70-8d0e-0a6a3c1d9c11"


@pytest.fixture
def owner(world):
    return MembershipFactory(restaurant=world.restaurant).user


def orders(api, owner, query=""):
    answer = api(owner).get(f"/api/orders{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def codes(found):
    return {each["code"] for each in found["orders"]}


def test_an_abandoned_checkout_is_hidden_until_it_is_asked_for(world, api, owner):
    offer = world.offer(min_preorders=3)
    gone = world.cancel(world.begin(offer))
    assert (gone.status, gone.payment_status) == ("cancelled", "unpaid")
    order = world.authorized_order(offer, 2)
    found = orders(api, owner)
    assert codes(found) == {order.code}
    assert found["totals"] == {"rows": 1, "orders": 1, "portions": 2}
    assert codes(orders(api, owner, "?payment=unpaid")) == {gone.code}
    assert codes(orders(api, owner, f"?q={gone.code}")) == {gone.code}


def test_totals_count_no_canceled_order_and_no_open_checkout(world, api, owner):
    offer = world.offer(min_preorders=9)
    world.authorized_order(offer, 2)
    world.cancel(world.authorized_order(offer, 3))
    waiting = world.begin(offer, 4)
    found = orders(api, owner)
    assert found["totals"] == {"rows": 3, "orders": 1, "portions": 2}
    [row] = [each for each in found["orders"] if each["code"] == waiting.code]
    assert row["statusLabel"] == "In checkout"


def test_a_phone_order_without_a_card_says_what_it_waits_for(world, api, owner):
    world.phone(world.offer(min_preorders=9))
    [row] = orders(api, owner)["orders"]
    assert row["statusLabel"] == "Waiting for a card"


def test_a_partial_refund_is_seen_and_found(world, api, owner):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 2)
    other = world.authorized_order(offer, 1)
    world.settle(offer)
    world.refund(world.fresh(order), "10.00")
    world.work()
    found = orders(api, owner, "?payment=partially_refunded")
    assert codes(found) == {order.code}
    assert found["orders"][0]["paymentLabel"] == "Partially refunded"
    assert codes(orders(api, owner, "?payment=partially_refunded,captured")) == {
        order.code,
        other.code,
    }


def test_serve_days_count_the_orders_that_stand_whatever_the_filters(world, api, owner):
    offer = world.offer(min_preorders=9)
    world.authorized_order(offer, 2)
    world.cancel(world.authorized_order(offer, 3))
    day = offer.serve_date.isoformat()
    expected = [{"day": day, "orders": 1, "portions": 2}]
    assert orders(api, owner)["days"] == expected
    assert orders(api, owner, "?status=cancelled")["days"] == expected


def names_by_day(api, owner, query=""):
    page = orders(api, owner, f"?sort=serve_day{query}")
    return [(each["offerServeDate"], each["customerName"]) for each in page["orders"]], page


def served(world, offset, *names, age=1):
    """Orders for a special that is served so many days from today, the first the newest."""
    offer = SpecialOfferFactory(
        restaurant=world.restaurant, serve_date=world.now.date() + timedelta(days=offset)
    )
    return [
        PreOrderFactory(
            offer=offer,
            customer_name=name,
            quantity=2,
            created_at=world.now - timedelta(hours=age, minutes=place),
        )
        for place, name in enumerate(names)
    ]


def test_by_serve_day_today_comes_first_then_the_next_days_and_then_the_past_latest_first(
    world, api, owner
):
    served(world, 5, "Later", age=1)
    served(world, -1, "Yesterday", age=2)
    served(world, 0, "Newer", "Older", age=3)
    served(world, -9, "Long ago", age=4)
    served(world, 1, "Tomorrow", age=5)
    found, page = names_by_day(api, owner)
    expected = ["Newer", "Older", "Tomorrow", "Later", "Yesterday", "Long ago"]
    assert [name for _day, name in found] == expected
    today = world.now.date().isoformat()
    sums = {each["day"]: (each["orders"], each["portions"]) for each in page["shownDays"]}
    assert (len(sums), sums[today]) == (5, (2, 4))
    # Its pages together are the same list, and a day that is on both has its sum on both.
    paged, cursor = [], ""
    for _ in expected:
        found, page = names_by_day(api, owner, f"&limit=1&cursor={quote(cursor)}")
        paged += [name for _day, name in found]
        cursor = page["nextCursor"] or ""
        if paged[-1] == "Older":
            assert page["shownDays"] == [{"day": today, "orders": 2, "portions": 4}]
    assert (paged, cursor) == (expected, "")


def test_a_serve_days_sum_is_of_the_orders_that_the_filters_leave(world, api, owner):
    served(world, 0, "Xenia", "Ben")
    [_xenia], page = names_by_day(api, owner, "&q=xenia")
    assert [each["orders"] for each in page["shownDays"]] == [1]


def test_a_list_read_over_midnight_stays_one_list(world, api, owner, clock):
    served(world, 0, "Newer", "Older")
    served(world, 1, "Tomorrow")
    served(world, -1, "Yesterday")
    [first], page = names_by_day(api, owner, "&limit=1")
    clock.advance(days=1)
    rest, _page = names_by_day(api, owner, f"&cursor={quote(page['nextCursor'])}")
    assert [name for _day, name in [first, *rest]] == ["Newer", "Older", "Tomorrow", "Yesterday"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("sort=oldest", "sort"),
        ("sort=serve_day&cursor=x", "cursor"),
        (
            "sort=serve_day&cursor=2026-11-24T12:00:00Z|3f8a3d1e-7df5-4d70-8d0e-0a6a3c1d9c11",
            "cursor",
        ),
        ("sort=serve_day&cursor=a/b/c|3f8a3d1e-7df5-4d70-8d0e-0a6a3c1d9c11", "cursor"),
        (
            "sort=serve_day&cursor=2026-11-24/2026-11-24/2026-11-24T12:00:00"
            "|3f8a3d1e-7df5-4d70-8d0e-0a6a3c1d9c11",
            "cursor",
        ),
    ],
)
def test_an_order_of_the_list_or_a_place_in_it_that_does_not_exist_is_refused(
    api, owner, query, field
):
    answer = api(owner).get(f"/api/orders?{query}")
    assert answer.status_code == 400
    assert [each["field"] for each in answer.json()["errors"]] == [field]
