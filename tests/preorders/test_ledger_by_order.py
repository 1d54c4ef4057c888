"""The ledger with one row for each order."""

import pytest

from tests.factories import MembershipFactory


@pytest.fixture
def owner(world):
    return MembershipFactory(restaurant=world.restaurant).user


def ledger(api, owner, query=""):
    answer = api(owner).get(f"/api/ledger/orders{query}")
    assert answer.status_code == 200
    return answer.json()


def test_an_order_is_one_row_of_gross_fees_and_net(world, api, owner):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 2)
    [held] = ledger(api, owner)["orders"]
    assert (held["held"], held["gross"], held["net"]) == ("51.84", "0.00", "0.00")
    world.settle(offer)
    found = ledger(api, owner)
    [row] = found["orders"]
    assert row["orderCode"] == order.code
    assert (row["held"], row["gross"], row["fees"], row["net"]) == (
        "0.00",
        "51.84",
        "2.84",
        "49.00",
    )
    assert row["entries"][0]["type"] == "authorization"
    assert found["totals"]["payout"] == "49.00"


def test_a_partial_refund_is_taken_off_the_row(world, api, owner):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 2)
    world.settle(offer)
    world.refund(world.fresh(order), "10.00")
    world.work()
    [row] = ledger(api, owner)["orders"]
    assert (row["gross"], row["refunded"]) == ("41.84", "10.00")
    assert row["gross"] == f"{float(row['fees']) + float(row['net']):.2f}"


def test_pages_follow_each_other_without_gaps_or_repeats(world, api, owner):
    offer = world.offer(min_preorders=1)
    orders = [world.authorized_order(offer) for _ in range(5)]
    world.settle(offer)
    seen, cursor = [], ""
    for _ in range(3):
        page = ledger(api, owner, f"?limit=2{cursor}")
        seen += [row["orderCode"] for row in page["orders"]]
        cursor = f"&cursor={page['nextCursor']}"
    assert page["nextCursor"] is None
    assert sorted(seen) == sorted(order.code for order in orders)


def test_another_restaurants_ledger_is_empty_for_me(world, api):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    stranger = MembershipFactory().user
    assert ledger(api, stranger)["orders"] == []
