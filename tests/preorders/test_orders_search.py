"""Finding orders: by what a guest says, by offer and day, and by status."""

from datetime import timedelta

import pytest

from apps.common import rls
from apps.preorders.models import PreOrder
from apps.preorders.models.search import search_words
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.refusals import without_codes


@pytest.fixture
def offer(cast, clock):
    return SpecialOfferFactory(restaurant=cast.restaurant)


@pytest.fixture
def found(api, cast):
    """The guests that a search finds, newest first, and its totals."""

    def ask(**asked):
        answer = api(cast.owner).get("/api/orders", asked)
        assert answer.status_code == 200, answer.content
        page = answer.json()
        return [line["customerName"] for line in page["orders"]], page["totals"]

    return ask


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("bergstrom", "Noah Bergström"),
        ("BERGSTRÖM noah", "Noah Bergström"),
        ("carmen@", "Carmen Ruiz"),
        ("212 555 0177", "Carmen Ruiz"),
        ("(212) 555-0177", "Carmen Ruiz"),
        ("+12125550177", "Carmen Ruiz"),
        ("O'Connor", "Liam O'Connor"),
    ],
)
def test_an_order_is_found_by_what_a_guest_says(offer, found, typed, name):
    PreOrderFactory(offer=offer, customer_name="Noah Bergström", customer_email="n@example.test")
    PreOrderFactory(
        offer=offer,
        customer_name="Carmen Ruiz",
        customer_email="Carmen@example.test",
        customer_phone="+1 (212) 555-0177",
    )
    PreOrderFactory(offer=offer, customer_name="Liam O'Connor", customer_email="l@example.test")
    names, totals = found(q=typed)
    assert names == [name]
    assert totals == {"rows": 1, "orders": 1, "portions": 1}


def test_an_order_is_found_by_its_code_in_any_case(offer, found):
    wanted = PreOrderFactory(offer=offer, customer_name="Wanted")
    PreOrderFactory.create_batch(3, offer=offer)
    assert found(q=wanted.code)[0] == ["Wanted"]
    assert found(q=wanted.code.lower())[0] == ["Wanted"]


@pytest.mark.parametrize("typed", ["%", "_", "\\", "'", "ana_", "%ana", "\x00"])
def test_what_means_something_to_a_database_means_nothing_here(offer, found, typed):
    PreOrderFactory(offer=offer, customer_name="Dana Guest")
    assert found(q=typed)[0] == ([] if typed.strip("\x00") else ["Dana Guest"])


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["Ana Stayed"]),
        ({"status": "cancelled"}, []),
        ({"q": "ana"}, ["Ana Left", "Ana Stayed"]),
        ({"q": "ana", "status": "cancelled"}, ["Ana Left"]),
        ({"payment": "unpaid"}, ["Ana Left"]),
    ],
)
def test_a_checkout_left_without_a_card_is_found_by_a_search_or_its_payment_alone(
    offer, found, asked, names
):
    PreOrderFactory(offer=offer, customer_name="Ana Stayed", quantity=2)
    PreOrderFactory(
        offer=offer,
        customer_name="Ana Left",
        quantity=3,
        in_checkout=True,
        status=PreOrderStatus.CANCELLED,
    )
    found_names, totals = found(**asked)
    assert sorted(found_names) == names
    stands = "Ana Stayed" in names
    assert totals == {"rows": len(names), "orders": int(stands), "portions": 2 * stands}


def test_a_search_that_is_too_long_is_refused(offer, api, cast):
    answer = api(cast.owner).get("/api/orders", {"q": "x" * 101})
    assert answer.status_code == 400
    assert without_codes(answer.json())["errors"] == [
        {"field": "q", "message": "Use at most 100 characters to search."}
    ]


def test_a_number_with_spaces_is_one_word():
    assert search_words(" 212 555-0177 ") == ["2125550177"]
    assert search_words("12") == ["12"]
    assert search_words("Noah  Bergström") == ["noah", "bergstrom"]


def test_orders_are_found_by_their_serve_date(cast, found, clock):
    for days, name in ((1, "Early"), (2, "Late")):
        served = SpecialOfferFactory(
            restaurant=cast.restaurant, serve_date=(NOON + timedelta(days=days)).date()
        )
        PreOrderFactory(offer=served, customer_name=name)
    assert found(day="2027-03-23")[0] == ["Early"]
    assert found(day="2027-03-25")[0] == []


def test_orders_are_found_by_one_or_several_statuses(offer, found):
    done = {"status": PreOrderStatus.FULFILLED, "payment_status": PaymentStatus.CAPTURED}
    PreOrderFactory(offer=offer, customer_name="Held", quantity=2)
    PreOrderFactory(offer=offer, customer_name="Done", quantity=3, **done)
    PreOrderFactory(offer=offer, customer_name="Gone", status=PreOrderStatus.CANCELLED)
    assert found(status="fulfilled")[0] == ["Done"]
    assert sorted(found(status="fulfilled,cancelled")[0]) == ["Done", "Gone"]
    names, totals = found(payment="authorized", status="pending")
    assert (names, totals) == (["Held"], {"rows": 1, "orders": 1, "portions": 2})


@pytest.mark.parametrize("asked", [{"status": "eaten"}, {"payment": "x,y"}, {"day": "someday"}])
def test_a_filter_nobody_offers_is_refused(offer, api, cast, asked):
    answer = api(cast.owner).get("/api/orders", asked)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == list(asked)


def test_totals_are_of_all_pages(offer, api, cast):
    PreOrderFactory.create_batch(53, offer=offer, quantity=2)
    page = api(cast.owner).get("/api/orders").json()
    assert len(page["orders"]) == 50
    assert page["totals"] == {"rows": 53, "orders": 53, "portions": 106}


def test_the_search_stays_within_the_restaurant(cast, found, offer):
    foreign = PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.other))
    assert found(q=foreign.code) == ([], {"rows": 0, "orders": 0, "portions": 0})


def test_the_database_keeps_what_is_searched(cast, offer):
    order = PreOrderFactory(offer=offer, customer_name="Zoë Ågren", customer_phone="+1 (2) 3")
    with rls.acting_as(cast.restaurant):
        stored = PreOrder.objects.get(pk=order.pk)
        assert stored.short_code == order.code
        assert stored.search_text == f"zoe agren\ndana@example.test\n123\n{order.code.lower()}"
        PreOrder.objects.filter(pk=order.pk).update(customer_name="Ann")
        assert PreOrder.objects.get(pk=order.pk).search_text.startswith("ann\n")
