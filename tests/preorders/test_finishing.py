"""A guest who left the payment page finds the order on the special's page (decision 160)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.offers.models import PickupSlot, SpecialOffer
from apps.preorders.core.links import order_path, order_url
from apps.preorders.core.reservations import lapse_overdue
from apps.preorders.models import PreOrder
from tests.pages import markup_of, text_of

FORM = {"quantity": "4", "customerName": "Ada Eater", "customerEmail": "ada@example.test"}
PLACE = {"Sec-Fetch-Site": "same-origin"}
NOT_PLACED = "Your order hasn't been placed yet"


@pytest.fixture
def offer(world: Any) -> SpecialOffer:
    """With portions for one large order."""
    made: SpecialOffer = world.offer(max_preorders=4, min_preorders=2, max_per_order=4)
    return made


@pytest.fixture
def ada(world: Any, api: Any) -> Any:
    return api(at=world.restaurant)


@pytest.fixture
def stranger(world: Any, api: Any) -> Any:
    return api(at=world.restaurant)


def place(client: Any, offer: SpecialOffer, **changed: str) -> PreOrder:
    """Fill in the form as far as the payment page."""
    path = f"/specials/{offer.pk}/pre-order"
    answer = client.post(path, FORM | changed, MULTIPART_CONTENT, headers=PLACE)
    assert answer.status_code == 303
    return PreOrder.objects.select_related("offer__restaurant").get(
        checkout_url=answer.headers["Location"]
    )


def see(client: Any, offer: SpecialOffer) -> Any:
    return client.get(f"/specials/{offer.pk}")


def test_the_last_portions_are_not_sold_out_for_whoever_reserved_them(
    offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    order = place(ada, offer)
    page = see(ada, offer)
    said = text_of(page)
    assert NOT_PLACED in said
    assert "4 portions ($103.68). Your portions are reserved until" in said
    assert "4 portions are reserved for you" in said
    assert "The last 4 portions" not in said
    assert "Sold out" not in said
    assert "waitlist" not in said
    # Once on every screen: in the card beside the dish, and in a phone's bar.
    assert markup_of(page).count(f'href="{order.checkout_url}"') == 2
    said = text_of(see(stranger, offer))
    assert NOT_PLACED not in said
    assert "Last 4 portions reserved. Some may open up" in said


def test_nothing_but_its_payment_is_the_way_on_while_more_are_left(
    offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    order = place(ada, offer, quantity="3")
    page = markup_of(see(ada, offer))
    assert page.count(f'href="{order.checkout_url}"') == 2  # on wide screens, and in a phone's bar
    assert 'data-open-sheet href="#pre-order">Change order</a>' in page
    assert "Change order" not in markup_of(see(stranger, offer))
    # On wide screens, another order is possible and secondary.
    button = page.partition("data-preorder")[0].rpartition("<button")[2]
    assert "button-primary" not in button


def test_the_form_counts_what_the_same_guest_reserved_before(
    offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    place(ada, offer, quantity="3")
    assert 'max="4"' in markup_of(see(ada, offer))
    assert 'max="1"' in markup_of(see(stranger, offer))


def test_a_time_is_not_full_for_whoever_reserved_it(world: Any, ada: Any, stranger: Any) -> None:
    offer = world.offer(max_preorders=40, max_per_order=10)
    begins = offer.deadline + timedelta(days=1)
    slot = PickupSlot.objects.create(
        offer=offer,
        restaurant=offer.restaurant,
        starts_at=begins,
        ends_at=begins + timedelta(minutes=30),
        capacity=3,
    )
    place(ada, offer, quantity="3", slotId=str(slot.pk))

    def option(client: Any) -> str:
        page = markup_of(see(client, offer))
        found: str = page.partition(f'<option value="{slot.pk}"')[2].partition("</option>")[0]
        return found

    assert option(stranger) == ""
    assert "Every time is full right now" in text_of(see(stranger, offer))
    assert "disabled" not in option(ada)
    assert 'data-left="3"' in option(ada)
    place(ada, offer, quantity="2", slotId=str(slot.pk))
    assert world.fresh(offer).reserved_portions == 2


def test_the_page_is_cached_for_all_others(offer: SpecialOffer, ada: Any, stranger: Any) -> None:
    place(ada, offer)
    own, others = see(ada, offer), see(stranger, offer)
    assert own.headers["Cache-Control"] == "private, no-store"
    assert others.headers["Cache-Control"] == "public, max-age=2"
    assert NOT_PLACED in text_of(see(ada, offer))
    assert see(stranger, offer).content == others.content


def test_only_the_pages_of_specials_are_told(world: Any, offer: SpecialOffer, ada: Any) -> None:
    order = place(ada, offer)
    cookie = ada.cookies[f"order-{order.code.lower()}-finish"]
    assert cookie["path"] == "/specials"
    assert cookie["httponly"]
    assert cookie["max-age"] == 31 * 60
    assert NOT_PLACED not in text_of(see(ada, world.offer(name="Bread")))


def test_the_list_begins_with_the_order_to_finish_and_ends_with_what_is_sold_out(
    world: Any, offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    later = world.offer(name="Bread", deadline=offer.deadline + timedelta(hours=1))
    place(ada, offer)  # the last portions

    def names(client: Any) -> list[str]:
        page = client.get("/specials").text
        return sorted([offer.name, later.name], key=page.index)

    assert names(ada) == [offer.name, "Bread"]
    assert names(stranger) == ["Bread", offer.name]


def test_the_list_knows_the_last_portions_as_the_guests_own(
    offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    order = place(ada, offer)
    own = ada.get("/specials")
    assert own.headers["Cache-Control"] == "private, no-store"
    said = text_of(own)
    assert "4 portions are reserved for you" in said
    assert "The last 4 portions" not in said.partition("reserved for you")[2]
    button = f'<a class="button button-primary w-full" href="{order.checkout_url}">'
    assert f"{button}Continue to payment" in own.text
    others = stranger.get("/specials")
    assert others.headers["Cache-Control"] == "public, max-age=2"
    said = text_of(others)
    assert "Last 4 portions reserved. Some may open up" in said
    assert "reserved for you" not in said
    assert order.checkout_url not in others.text


def test_the_list_leads_to_the_payment_while_more_portions_are_left_too(
    offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    order = place(ada, offer, quantity="3")
    page = ada.get("/specials")
    assert "3 portions are reserved for you" in text_of(page)
    assert f'href="{order.checkout_url}">Continue to payment' in page.text
    pre_order = f'href="/specials/{offer.pk}#pre-order">Pre-Order'
    assert pre_order not in page.text
    assert pre_order in stranger.get("/specials").text


def test_the_list_asks_nothing_more_for_guests_without_an_unfinished_order(
    offer: SpecialOffer, ada: Any, stranger: Any, django_assert_num_queries: Any
) -> None:
    place(ada, offer)
    ada.get("/specials")
    with django_assert_num_queries(1):
        assert stranger.get("/specials?fresh=1").status_code == 200
    with django_assert_num_queries(2):
        ada.get("/specials")


def test_it_can_be_canceled_there(world: Any, offer: SpecialOffer, ada: Any) -> None:
    order = place(ada, offer)
    page = markup_of(see(ada, offer))
    action = page.partition('<form method="post" action="/order/')[2].partition('"')[0]
    answer = ada.post(f"/order/{action}", {"action": "cancel"}, MULTIPART_CONTENT, headers=PLACE)
    assert answer.status_code == 303
    assert world.fresh(order).status == "cancelled"
    said = text_of(ada.get(answer.headers["Location"]))
    assert "Order canceled. You weren't charged" in said
    assert "You canceled before you added a card, so your bank holds nothing." in said
    assert "The checkout ended" not in said
    assert world.fresh(offer).reserved_portions == 0
    said = text_of(see(ada, offer))
    assert NOT_PLACED not in said
    assert "Pre-Order Now" in said


def test_the_form_stays_where_portions_are_left(offer: SpecialOffer, ada: Any) -> None:
    place(ada, offer, quantity="1")
    said = text_of(see(ada, offer))
    assert "1 portion ($25.92). Your portion is reserved until" in said
    assert "Pre-Order Now" in said
    assert "reserved for you" not in said


def test_a_reservation_that_lapsed_says_so(world: Any, offer: SpecialOffer, ada: Any) -> None:
    place(ada, offer)
    world.later(minutes=11)
    world.begin(offer, 4)  # takes them
    said = text_of(see(ada, offer))
    assert "aren't reserved anymore, but you can finish while some are left" in said
    assert "Join the waitlist" in said
    world.later(minutes=21)
    assert NOT_PLACED not in text_of(see(ada, offer))


def test_nothing_is_left_to_finish_once_the_card_is_held(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = place(ada, offer)
    world.pay(order)
    world.hear(order)
    assert NOT_PLACED not in text_of(see(ada, offer))


def test_a_cookie_of_our_own_making_only_counts(
    world: Any, offer: SpecialOffer, ada: Any, stranger: Any
) -> None:
    order = place(ada, offer)
    name = f"order-{order.code.lower()}-finish"
    signed = ada.cookies[name].value
    changed = signed[:-1] + ("A" if signed[-1] != "A" else "B")
    change = ada.cookies[f"order-{order.code.lower()}-change"].value
    for forged in (changed, change, "", "x"):
        stranger.cookies[name] = forged
        assert NOT_PLACED not in text_of(see(stranger, offer))


def test_an_item_of_a_cart_leads_to_the_card_for_all_of_them(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    other = world.offer(name="Bread")
    body = {
        "items": [{"dishId": str(each.pk), "quantity": 4} for each in (offer, other)],
        "guest": {"name": "Ada Eater", "email": "ada@example.test"},
    }
    begun = ada.post("/api/create-multi-offer-payment-intent", body).json()
    page = see(ada, offer)
    assert "Discard order" in text_of(page)
    order = PreOrder.objects.select_related("offer__restaurant").get(offer=offer)
    assert f'href="{order_path(order, then="/card")}">Continue to payment' in markup_of(page)
    address = ada.get(order_path(order, then="/card")).headers["Location"]
    assert address.endswith(f"/cart/return?checkout={begun['checkoutId']}")
    assert "Continue to payment" in text_of(ada.get(order_path(order)))


class TestResumingACart:
    @pytest.fixture
    def begun(self, world: Any, offer: SpecialOffer) -> Any:
        return world.begin_cart(offer, world.offer(name="Bread", min_preorders=1, max_preorders=1))

    @staticmethod
    def resume(client: Any, begun: Any) -> Any:
        return client.post(f"/api/checkouts/{begun.cart.pk}/resume", {})

    def test_another_tab_gets_the_same_payment(self, begun: Any, stranger: Any) -> None:
        answer = self.resume(stranger, begun)
        assert answer.status_code == 200
        said = answer.json()
        assert said["clientSecret"] == begun.client_secret
        assert said["totalAmount"] == "51.84"
        assert [item["quantity"] for item in said["items"]] == [1, 1]
        assert self.resume(stranger, begun).json()["clientSecret"] == begun.client_secret

    def test_lapsed_portions_are_reserved_again(
        self, world: Any, offer: SpecialOffer, begun: Any, stranger: Any
    ) -> None:
        world.later(minutes=11)
        lapse_overdue(now=world.now)
        assert world.fresh(offer).reserved_portions == 0
        assert self.resume(stranger, begun).status_code == 200
        assert world.fresh(offer).reserved_portions == 1

    def test_portions_that_are_gone_are_named_and_nothing_is_reserved(
        self, world: Any, offer: SpecialOffer, begun: Any, stranger: Any
    ) -> None:
        world.later(minutes=11)
        lapse_overdue(now=world.now)
        bread = next(each.offer for each in begun.items if each.offer.name == "Bread")
        world.begin(bread)
        answer = self.resume(stranger, begun)
        assert (answer.status_code, answer.json()["code"]) == (409, "sold_out")
        assert answer.json()["message"].startswith("Bread sold out before you added a card.")
        assert world.fresh(offer).reserved_portions == 0

    def test_what_was_canceled_is_left_out(self, world: Any, begun: Any, stranger: Any) -> None:
        world.cancel(begun.items[0])
        said = self.resume(stranger, begun).json()
        assert said["clientSecret"] == begun.client_secret
        assert [item["preorderId"] for item in said["items"]] == [str(begun.items[1].pk)]
        assert said["totalAmount"] == "25.92"

    def test_a_cart_that_has_its_card_is_not_resumed(
        self, world: Any, begun: Any, stranger: Any
    ) -> None:
        world.give_card(begun)
        world.confirm_cart(begun)
        answer = self.resume(stranger, begun)
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")

    def test_an_unknown_checkout_is_not_found(self, world: Any, stranger: Any) -> None:
        assert stranger.post(f"/api/checkouts/{uuid4()}/resume", {}).status_code == 404


def test_an_order_begun_on_the_platforms_host_is_recognized_on_the_restaurants(
    world: Any, offer: SpecialOffer, api: Any, ada: Any
) -> None:
    platform = api()
    path = f"/specials/{offer.pk}/pre-order"
    begun = platform.post(path, FORM, MULTIPART_CONTENT, headers=PLACE)
    order = PreOrder.objects.select_related("offer__restaurant").get()
    link = begun.headers["Location"]
    assert link.startswith(order_url(order, then="/open?access="))
    opened = ada.get(link[link.index("/order/") :])
    assert opened.headers["Location"] == order_path(order, then="/card")
    assert ada.get(opened.headers["Location"]).headers["Location"] == order.checkout_url
    assert "4 portions are reserved for you" in text_of(see(ada, offer))
    assert "4 portions are reserved for you" in text_of(ada.get("/specials"))
