"""With the page's script, an order's card is given on our own page (decision 177)."""

from datetime import timedelta
from typing import Any

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.accounts.rate_limits import Limit
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import BrowserIntent
from apps.common import rls
from apps.offers.models import SpecialOffer
from apps.preorders.cart import intents
from apps.preorders.cart.services import StartedCart, resume_cart
from apps.preorders.checkout.limits import CheckoutThrottle, PreOrderThrottle
from apps.preorders.checkout.payment_page import charge_of
from apps.preorders.core.links import order_path, order_url
from apps.preorders.models import Cart, PreOrder
from apps.preorders.settlement.open_checkouts import finish_open_checkouts
from tests.pages import text_of
from tests.preorders.world import ASKS_EVERY_TIME, DECLINED

FORM = {"quantity": "2", "customerName": "Ada Eater", "customerEmail": "ada@example.test"}
PLACE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def offer(world: Any) -> SpecialOffer:
    made: SpecialOffer = world.offer(max_preorders=4, min_preorders=2, max_per_order=4)
    return made


@pytest.fixture
def ada(world: Any, api: Any) -> Any:
    return api(at=world.restaurant)


def send(client: Any, offer: SpecialOffer, **changed: str) -> Any:
    """Send the form as the page's script does."""
    path = f"/specials/{offer.pk}/pre-order"
    return client.post(path, FORM | {"card": "here"} | changed, MULTIPART_CONTENT, headers=PLACE)


def order_of(answer: Any) -> PreOrder:
    assert answer.status_code == 303
    checkout = answer.headers["Location"].partition("?checkout=")[2]
    return PreOrder.objects.select_related("offer__restaurant", "cart").get(cart=checkout)


def opened(world: Any, order: PreOrder) -> StartedCart:
    """The same, for the browser that confirms the card."""
    assert order.cart_id
    with rls.acting_as(order.restaurant_id):
        return resume_cart(cart_id=order.cart_id, now=world.now)


def resumed(client: Any, order: PreOrder) -> Any:
    """What the page asks for when it is opened."""
    return client.post(f"/api/checkouts/{order.cart_id}/resume", {})


def test_the_form_leads_to_our_page_and_asks_nothing_of_the_payment_provider(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    assert (order.quantity, order.customer_email) == (2, "ada@example.test")
    assert (order.checkout_url, order.payment_intent_id) == ("", None)
    assert world.fresh(offer).reserved_portions == 2
    assert world.sessions() == []
    assert world.intents(order) == []
    assert f"order-{order.code.lower()}-change" in ada.cookies


def test_without_the_script_it_leads_to_the_payment_providers_page(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    answer = send(ada, offer, card="")
    order = PreOrder.objects.get()
    assert order.cart is None
    assert answer.headers["Location"] == order.checkout_url != ""


def test_the_card_given_there_is_held_for_the_order(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    begun = resumed(ada, order).json()
    assert begun["totalAmount"] == "51.84"
    assert begun["clientSecret"].startswith("pi_")
    world.give_card(opened(world, order))
    [item] = ada.post(f"/api/checkouts/{order.cart_id}/confirm", {}).json()["items"]
    assert item["status"] == "held"
    assert world.fresh(order).payment_status == "authorized"
    assert world.fresh(offer).ordered_portions == 2
    [intent] = world.intents(order)
    assert (intent["amount"], intent["capture_method"]) == (5184, "manual")
    # As at the payment provider's page: this browser can change it, and the welcome is its page's.
    page = ada.get(order_path(order, then="?done=ordered"))
    assert "You made" in text_of(page)
    assert "Change" in text_of(page)


def test_its_payment_is_not_counted_as_another_order(
    world: Any, offer: SpecialOffer, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PreOrderThrottle, "limit", Limit("pre-orders", times=1, window=60))
    monkeypatch.setattr(CheckoutThrottle, "limit", Limit("checkout-steps", times=2, window=60))
    order = order_of(send(ada, offer))
    assert send(ada, offer).status_code == 429
    assert resumed(ada, order).status_code == 200
    world.give_card(opened(world, order))
    confirm = f"/api/checkouts/{order.cart_id}/confirm"
    assert ada.post(confirm, {}).status_code == 200
    assert ada.post(confirm, {}).status_code == 429
    assert world.fresh(order).payment_status == "authorized"


def test_a_declined_card_leaves_the_page_as_it_was(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    secret = resumed(ada, order).json()["clientSecret"]
    assert "error" in world.give_card(opened(world, order), DECLINED)
    assert resumed(ada, order).json()["clientSecret"] == secret
    assert world.fresh(order).payment_status == "unpaid"


def test_a_card_whose_bank_is_asking_isnt_asked_for_again(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    world.give_card(opened(world, order), ASKS_EVERY_TIME, authenticate="leave")
    world.hear_of_intent(world.fresh(order))
    answer = resumed(ada, order)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    [item] = ada.get(f"/api/checkouts/{order.cart_id}").json()["items"]
    assert item["status"] == "requires_action"


def test_sent_twice_it_is_one_order(world: Any, offer: SpecialOffer, ada: Any) -> None:
    first, second = send(ada, offer), send(ada, offer)
    assert second.headers["Location"] == first.headers["Location"]
    assert PreOrder.objects.count() == Cart.objects.count() == 1
    assert world.fresh(offer).reserved_portions == 2


def test_another_browser_gets_an_order_of_its_own(
    world: Any, offer: SpecialOffer, ada: Any, api: Any
) -> None:
    """Whoever pays has the access, and nobody who typed the same name and address before."""
    first = order_of(send(ada, offer))
    world.later(minutes=3)
    assert order_of(send(ada, offer)) == first
    safari = api(at=world.restaurant)
    second = order_of(send(safari, offer))
    assert second != first
    assert f"order-{second.code.lower()}-change" in safari.cookies
    assert f"order-{second.code.lower()}-change" not in ada.cookies
    assert world.fresh(offer).reserved_portions == 2  # the first lapsed, so the portions move along


def test_a_changed_order_frees_what_the_same_guest_reserved_before(world: Any, ada: Any) -> None:
    offer = world.offer(max_preorders=3, max_per_order=4)
    first = order_of(send(ada, offer))
    order_of(send(ada, offer, note="No salt"))
    assert world.fresh(offer).reserved_portions == 2
    assert world.fresh(first).reservation == "lapsed"


def test_an_item_of_a_larger_cart_isnt_the_same_order(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    guest = {"name": "Ada Eater", "email": "ada@example.test"}
    items = [{"dishId": str(each.pk), "quantity": 2} for each in (offer, world.offer(name="Bread"))]
    body = {"items": items, "guest": guest}
    begun = ada.post("/api/create-multi-offer-payment-intent", body).json()
    order = order_of(send(ada, offer))
    assert str(order.cart_id) != begun["checkoutId"]
    assert PreOrder.objects.filter(cart=order.cart_id).count() == 1


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"quantity": "9"}, "4"),
        ({"customerName": ""}, "Name is required"),
        ({"customerEmail": "ada"}, "Valid email is required"),
    ],
)
def test_what_is_wrong_is_said_in_the_form_and_nothing_is_reserved(
    world: Any, offer: SpecialOffer, ada: Any, changed: dict[str, str], says: str
) -> None:
    answer = send(ada, offer, **changed)
    assert answer.status_code == 400
    assert says in text_of(answer)
    assert PreOrder.objects.count() == Cart.objects.count() == 0
    assert world.fresh(offer).reserved_portions == 0


def test_portions_that_are_gone_when_the_page_is_opened_are_said_in_one_sentence(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    world.later(minutes=11)
    world.begin(offer, quantity=4)
    answer = resumed(ada, order)
    assert (answer.status_code, answer.json()["code"]) == (409, "sold_out")
    assert answer.json()["message"] == "Sold out. Your card wasn't held or charged."


def test_while_the_payment_provider_is_away_the_order_waits_for_another_try(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    fault = {"kind": "500", "path_prefix": "/v1/customers", "method": "POST", "times": 2}
    world.stripe.control(http_fault=fault)
    answer = resumed(ada, order)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.json()["message"] == "Unable to initialize payment. Please try again."
    assert (world.fresh(order).status, world.fresh(order).reservation) == ("pending", "reserved")
    assert resumed(ada, order).json()["clientSecret"].startswith("pi_")


def test_a_page_opened_twice_at_once_has_one_intent(
    world: Any, offer: SpecialOffer, ada: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if each creates its own, after an answer that got lost."""
    order = order_of(send(ada, offer))
    create = intents._create_intent
    quicker: list[str] = []

    def slow(cart: Cart, items: list[PreOrder], customer_id: str) -> BrowserIntent:
        if quicker:
            return create(cart, items, customer_id)
        quicker.append("")
        own = gateway.create_intent(charge_of(items[0]), customer_id=customer_id, key="its-own")
        quicker[0] = resumed(ada, order).json()["clientSecret"]
        return own

    monkeypatch.setattr(intents, "_create_intent", slow)
    assert resumed(ada, order).json()["clientSecret"] == quicker[0]
    made = {intent.client_secret: intent.status for intent in world.intents(order)}
    assert made.pop(quicker[0]) == "requires_payment_method"
    assert list(made.values()) == ["canceled"]


def test_a_page_that_is_never_opened_ends_with_its_checkout(
    world: Any, offer: SpecialOffer, ada: Any
) -> None:
    order = order_of(send(ada, offer))
    world.at(offer.deadline + timedelta(minutes=40))
    world.close(offer)
    finish_open_checkouts(offer.pk, now=world.now)
    assert (world.fresh(order).status, world.fresh(order).payment_status) == ("cancelled", "unpaid")
    assert world.fresh(offer).reserved_portions == 0
    assert world.intents(order) == []


def test_from_the_platforms_host_it_leads_over_the_restaurants_which_gives_the_access(
    world: Any, offer: SpecialOffer, api: Any, ada: Any
) -> None:
    answer = send(api(), offer)
    order = PreOrder.objects.select_related("offer__restaurant").get()
    link = answer.headers["Location"]
    assert link.startswith(order_url(order, then="/open?access="))
    opened = ada.get(link[link.index("/order/") :])
    onward = ada.get(opened.headers["Location"]).headers["Location"]
    assert onward.endswith(f"/cart/return?checkout={order.cart_id}")
