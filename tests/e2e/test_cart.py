"""The cart: several specials, one card, and an outcome for each (X18, X23)."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.cart_steps import (
    answer_bank,
    expect_all_held,
    put_into_cart,
    result,
    see_specials,
    type_card,
)
from tests.e2e.stack import Stack
from tests.e2e.test_form_errors import expect_in_view
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
EVERY_TIME = "4000000000003220"  # its bank asks at every payment
BANK_PRICES = {"Bank brasato": "18", "Bank bigoli": "17"}


@pytest.fixture
def publish(stack: Stack) -> Callable[..., str]:
    """Publish a special as the demo owner; returns its id."""
    return partial(calls.publish, stack)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_a_laptop_shows_who_orders_beside_the_dishes(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], width: int, height: int
) -> None:
    names = [f"Beside {name} {width}" for name in ("bigoli", "cavatelli", "ditali")]
    for name in names:
        publish(name, serviceMode="both")
    guest = visitor()
    guest.set_viewport_size({"width": width, "height": height})
    see_specials(guest, stack)
    cart = put_into_cart(guest, *names)
    dishes = cart.get_by_role("list", name="Specials in your cart").get_by_role("listitem")
    fields = [cart.get_by_label("Name"), cart.get_by_label("Email")]
    expect(cart.get_by_text("Or enter your name and email")).to_be_visible()
    dishes.last.scroll_into_view_if_needed()
    for part in (*fields, cart.get_by_role("button", name="Continue to payment")):
        expect(part).to_be_in_viewport(ratio=1)
    is_beside = "each => each.getBoundingClientRect().left > innerWidth / 2"
    assert fields[0].evaluate(is_beside)
    guest.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not fields[0].evaluate(is_beside)


def begin_checkout(page: Page, *offers: str, email: str) -> dict[str, Any]:
    """Begin the checkout of a cart from an open page of the restaurant, as its script would."""
    begun = page.evaluate(
        """(body) => fetch("/api/create-multi-offer-payment-intent", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }).then((answer) => answer.json())""",
        {
            "items": [{"dishId": offer, "quantity": 1} for offer in offers],
            "guest": {"name": "Dana Guest", "email": email, "phone": "212 555 0199"},
        },
    )
    return dict(begun)


def test_each_of_three_specials_ends_by_itself_when_one_is_declined_and_one_authenticated(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    offers = {
        "Cart anelli": publish("Cart anelli", price="18"),
        "Cart busiate": publish("Cart busiate", price="16"),
        "Cart corzetti": publish("Cart corzetti", price="15"),
    }
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, *offers)
    guest.reload()  # which loses nothing
    guest.locator("[data-cart-bar]").click()
    expect(cart.get_by_text("$52.92", exact=True)).to_be_visible()  # 49.00 and 8 % on each line
    pay = cart.get_by_role("button", name="Continue to payment")
    # Fields that nobody has seen aren't wrong yet: the first press leads to them.
    expect(cart.get_by_label("Name")).not_to_be_in_viewport()
    pay.click()
    expect(cart.get_by_label("Name")).to_be_focused()
    expect_in_view(cart.get_by_label("Name"), cart.get_by_label("Email"))
    expect(cart.locator("[aria-invalid]")).to_have_count(0)
    pay.click()
    # All that is missing is said at once, with the focus in the first.
    expect(cart.get_by_text("Name is required")).to_be_visible()
    expect(cart.get_by_text("Valid email is required")).to_be_visible()
    expect(cart.locator("[aria-invalid]")).to_have_count(2)
    expect(cart.get_by_label("Name")).to_be_focused()
    cart.get_by_label("Name").fill("Dana Guest")
    expect(cart.locator("[aria-invalid]")).to_have_count(1)
    pay.click()
    expect(cart.get_by_label("Email")).to_be_focused()
    cart.get_by_label("Email").fill("cart@guests.test")
    guest.reload()  # which loses what was typed as little
    guest.locator("[data-cart-bar]").click()
    expect(cart.get_by_label("Name")).to_have_value("Dana Guest")
    pay.click()
    expect(cart.get_by_text(re.compile(r"Reserved for you\. \d+:\d\d left"))).to_be_visible()

    # Back, which gives the portions back, and on again.
    expect(guest.frame_locator(".card-fields iframe").get_by_label("CVC")).to_be_visible()
    cart.get_by_role("button", name="Back", exact=True).click()
    expect(pay).to_be_visible()
    left = stack.orders(offers["Cart anelli"])
    assert left == [("cart@guests.test", "cancelled", "unpaid")]
    pay.click()

    stack.stripe.control(hold_fault={"kind": "generic_decline", "amount": 1728})
    stack.stripe.control(hold_fault={"kind": "authentication_required", "amount": 1620})
    type_card(guest, steps.GOOD)
    cart.get_by_role("button", name="Pre-Order Now · $52.92").click()
    item = {name: result(guest, name) for name in offers}
    expect(item["Cart anelli"].get_by_text("Held", exact=True)).to_be_visible()
    expect(item["Cart busiate"].get_by_text("Declined", exact=True)).to_be_visible()
    expect(item["Cart corzetti"].get_by_text("Confirm with your bank", exact=True)).to_be_visible()

    guest.get_by_role("button", name="Confirm with your bank").click()
    bank = guest.frame_locator("iframe[title='3-D Secure']")
    bank.get_by_role("button", name="Complete authentication").click()
    expect(item["Cart corzetti"].get_by_text("Held", exact=True)).to_be_visible()
    expect(guest.get_by_text("1 special isn't confirmed yet")).to_be_visible()
    guest.reload()  # the page has an address of its own
    expect(item["Cart corzetti"].get_by_text("Held", exact=True)).to_be_visible()
    expect(item["Cart busiate"].get_by_text("Declined", exact=True)).to_be_visible()

    stack.bring_deadline(offers["Cart anelli"], seconds=1)
    stack.bring_deadline(offers["Cart corzetti"], seconds=1)
    stack.bring_deadline(offers["Cart busiate"], seconds=-601)  # the grace is over, too
    for name, end in {
        "Cart anelli": ("cart@guests.test", "confirmed", "captured"),
        "Cart corzetti": ("cart@guests.test", "confirmed", "captured"),
        "Cart busiate": ("cart@guests.test", "cancelled", "unpaid"),
    }.items():
        eventually(lambda name=name: stack.orders(offers[name])[-1], end)  # type: ignore[misc]


def test_a_declined_item_is_fixed_on_its_order_page_after_the_bank_had_the_page(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    prices = {"Return risotto": "18", "Return ravioli": "16"}
    offers = {name: publish(name, price=price) for name, price in prices.items()}
    guest = visitor(phone=True)
    guest.goto(stack.url("/specials", restaurant="luigis"))
    begun = begin_checkout(guest, *offers.values(), email="return@guests.test")
    stack.stripe.control(hold_fault={"kind": "generic_decline", "amount": 1728})
    # What the browser, which is at the bank's page, would have done before it comes back.
    stack.stripe.confirm(begun["clientSecret"], steps.GOOD)
    back = f"/cart/return?checkout={begun['checkoutId']}&given=1&redirect_status=succeeded"
    guest.goto(stack.url(back, restaurant="luigis"))
    item = {name: result(guest, name) for name in offers}
    expect(item["Return risotto"].get_by_text("Held", exact=True)).to_be_visible()
    expect(item["Return ravioli"].get_by_text("Declined", exact=True)).to_be_visible()
    expect(guest.get_by_text("1 special isn't confirmed yet")).to_be_visible()

    reported = guest.request.get(stack.url(f"/api/checkouts/{begun['checkoutId']}")).json()
    [declined] = [each for each in reported["items"] if each["status"] == "declined"]
    guest.goto(declined["orderUrl"])
    expect(guest.get_by_role("heading", level=1)).to_have_text("Your card was declined")
    # The browser that began the cart may change each of its orders, without an emailed link.
    guest.get_by_role("link", name="Add a card").click()
    guest.wait_for_url("**/cart/return*")
    item["Return ravioli"].get_by_role("button", name="Try another card Return ravioli").click()
    type_card(guest, steps.GOOD)
    guest.get_by_role("button", name="Pre-Order Now · $17.28").click()
    expect_all_held(guest, 2)
    for offer in offers.values():
        ordered = ("return@guests.test", "pending", "authorized")
        eventually(lambda offer=offer: stack.orders(offer), [ordered])  # type: ignore[misc]


def test_the_choice_for_the_alternative_is_made_without_a_script_and_stored_at_the_deadline(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    [(dish, name)] = stack.query(
        "SELECT dish.id, dish.name FROM offers_dish dish"
        " JOIN restaurants_restaurant restaurant ON restaurant.id = dish.restaurant_id"
        " WHERE restaurant.subdomain = 'luigis' AND dish.deleted_at IS NULL AND dish.price > 18"
        " ORDER BY dish.price LIMIT 1"
    )
    special = publish(
        "Lonely linguine", minimum=9, hasAlternative=True, alternativeDishId=str(dish)
    )
    link = stack.url(f"/specials/{special}", restaurant="luigis")
    nothing, instead = "you pay nothing", f"you get {name} instead"
    for email, choice, outcome in (
        ("keen@guests.test", f"Make me {name} instead, at $18.00 a portion", instead),
        ("strict@guests.test", "Cancel my order, and I pay nothing", nothing),
    ):
        guest = visitor(java_script=False, phone=True)
        guest.goto(link)
        expect(guest.get_by_role("button", name="Add to cart")).to_be_hidden()
        guest.get_by_label(choice).check()
        form = guest.locator("#pre-order")
        for each in (nothing, instead):
            shown = form.get_by_text(f"Fewer than 9: {each}")
            expect(shown).to_be_visible(visible=each == outcome)
        form.get_by_label("Name").fill("Dana Guest")
        form.get_by_label("Email").fill(email)
        form.get_by_role("button", name="Pre-Order Now").click()
        steps.give_card(guest, steps.GOOD)
        steps.expect_held(guest)
        eventually(lambda: stack.orders(special)[-1][2], "authorized")
    stack.bring_deadline(special, seconds=1)
    eventually(
        lambda: stack.orders(special),
        [
            ("keen@guests.test", "confirmed", "captured"),
            ("strict@guests.test", "cancelled", "released"),
        ],
    )


def test_the_keyboard_alone_completes_an_order(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    special = publish("Keyboard carbonara")
    guest = visitor()
    see_specials(guest, stack)
    add = guest.locator("[data-add-to-cart]").filter(has_text="Keyboard carbonara")
    expect(add).to_be_visible()
    steps.tab_to(guest, add)
    guest.keyboard.press("Enter")
    expect(guest.locator("[data-live]")).to_have_text("Added to cart: Keyboard carbonara")
    steps.tab_to(guest, guest.locator("[data-cart-bar]"))
    guest.keyboard.press("Enter")
    cart = guest.get_by_role("dialog")
    for label, text in {
        "Name": "Kay Board",
        "Email": "keys@guests.test",
    }.items():
        expect(cart.get_by_label(label)).to_be_visible()
        steps.tab_to(guest, cart.get_by_label(label))
        guest.keyboard.type(text)
    steps.tab_to(guest, cart.get_by_role("button", name="Continue to payment"))
    guest.keyboard.press("Enter")
    fields = guest.frame_locator(".card-fields iframe")
    for label, text in {"Card number": steps.GOOD, "Expiry": "1240", "CVC": "123"}.items():
        expect(fields.get_by_label(label)).to_be_visible()
        steps.tab_to(guest, fields.get_by_label(label))
        guest.keyboard.type(text)
    steps.tab_to(guest, cart.get_by_role("button", name="Pre-Order Now · $19.44"))
    guest.keyboard.press("Enter")
    steps.expect_held(guest)
    eventually(lambda: stack.orders(special), [("keys@guests.test", "pending", "authorized")])
    expect(guest.get_by_role("heading", name="Keyboard carbonara").first).to_be_visible()


@pytest.mark.parametrize("again_with", [EVERY_TIME, steps.GOOD], ids=["same", "other"])
def test_a_bank_check_that_fails_for_one_special_takes_the_same_or_another_card(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], again_with: str
) -> None:
    name = f"Checked chitarra {again_with[-4:]}"
    special = publish(name)
    guest = visitor(phone=True)
    see_specials(guest, stack)
    sheet = put_into_cart(guest, name)
    sheet.get_by_label("Name").fill("Dana Guest")
    sheet.get_by_label("Email").fill("one@guests.test")
    sheet.get_by_role("button", name="Continue to payment").click()
    type_card(guest, EVERY_TIME)
    hold = sheet.get_by_role("button", name="Pre-Order Now · $19.44")
    hold.click()
    answer_bank(guest, "Fail authentication")
    expect(sheet.get_by_text("Payment Failed")).to_be_visible()
    eventually(lambda: stack.orders(special), [("one@guests.test", "pending", "unpaid")])
    if again_with == EVERY_TIME:  # as it was typed
        hold.click()
        answer_bank(guest, "Complete authentication")
    else:
        type_card(guest, again_with)
        hold.click()
    steps.expect_held(guest)
    eventually(lambda: stack.orders(special), [("one@guests.test", "pending", "authorized")])
    assert stack.holds(special) == [1]


def test_of_two_bank_checks_that_fail_one_is_passed_later_and_one_gets_another_card(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    prices = {"Checked cavatelli": "18", "Checked cicatelli": "17"}
    offers = {name: publish(name, price=price) for name, price in prices.items()}
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, *offers)
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill("two@guests.test")
    cart.get_by_role("button", name="Continue to payment").click()
    type_card(guest, EVERY_TIME)
    cart.get_by_role("button", name="Pre-Order Now · $37.80").click()
    answer_bank(guest, "Complete authentication")  # saves the card
    confirm = guest.get_by_role("button", name="Confirm with your bank")
    confirm.click()
    answer_bank(guest, "Fail authentication")
    expect(guest.get_by_text("Payment Failed")).to_be_visible()
    item = {name: result(guest, name) for name in offers}
    held = {name: each.get_by_text("Held", exact=True) for name, each in item.items()}

    # Another card for one item; the other item's check by the bank stays open.
    first, second = offers
    guest.get_by_role("button", name=f"Use another card {first}").click()
    type_card(guest, steps.GOOD)
    guest.get_by_role("button", name="Pre-Order Now · $19.44").click()
    expect(held[first]).to_be_visible()
    expect(held[second]).to_be_hidden()
    # The same card again for the other.
    confirm.click()
    answer_bank(guest, "Complete authentication")
    expect_all_held(guest, 2)
    for offer in offers.values():
        ordered = ("two@guests.test", "pending", "authorized")
        eventually(lambda offer=offer: stack.orders(offer), [ordered])  # type: ignore[misc]
        assert stack.holds(offer) == [1]

    # The header lists both; who forgets them sees neither later.
    guest.get_by_role("link", name="See other specials").click()
    own = guest.locator("header [data-own-orders]")
    expect(own.locator("[data-own-count]")).to_have_text("2")
    own.locator("summary").click()
    assert set(own.get_by_role("link").all_inner_texts()) == set(offers)
    own.get_by_role("button", name="Remove these from this device").click()
    guest.reload()
    expect(own).to_be_hidden()


def test_a_bank_check_that_fails_leaves_the_other_special_held_and_the_choice_to_the_guest(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    offers = {name: publish(name, price=price) for name, price in BANK_PRICES.items()}
    email = "bank@guests.test"
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, *offers)
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill(email)
    cart.get_by_role("button", name="Continue to payment").click()
    stack.stripe.control(hold_fault={"kind": "authentication_required", "amount": 1836})
    type_card(guest, steps.GOOD)
    cart.get_by_role("button", name="Pre-Order Now · $37.80").click()
    item = {name: result(guest, name) for name in offers}

    still_held = [(email, "pending", "authorized")]
    guest.get_by_role("button", name="Confirm with your bank").click()
    bank = guest.frame_locator("iframe[title='3-D Secure']")
    bank.get_by_role("button", name="Fail authentication").click()
    expect(guest.get_by_text("Payment Failed")).to_be_visible()
    expect(item["Bank brasato"].get_by_text("Held", exact=True)).to_be_visible()
    asked = item["Bank bigoli"].get_by_text("Confirm with your bank", exact=True)
    expect(asked).to_be_visible()
    expect(
        guest.get_by_text("Your bank is holding $19.44 for the rest of your order.")
    ).to_be_visible()
    assert stack.orders(offers["Bank brasato"]) == still_held
    assert stack.orders(offers["Bank bigoli"])[0][1] == "pending"

    # The cart is dropped: held items stay, the rest are free again, and nobody is emailed about
    # them.
    guest.get_by_role("button", name="Order without Bank bigoli").click()
    expect(item["Bank bigoli"].get_by_text("Not ordered", exact=True)).to_be_visible()
    expect(guest.get_by_text("Payment Successful!")).to_be_visible()
    assert stack.orders(offers["Bank bigoli"]) == [(email, "cancelled", "unpaid")]
    assert stack.orders(offers["Bank brasato"]) == still_held
    eventually(lambda: len(stack.emails(to=email)), 1)
    unsent = stack.query(
        "SELECT kind FROM preorders_email email"
        " JOIN preorders_preorder pre_order ON pre_order.id = email.pre_order_id"
        " WHERE pre_order.customer_email = %s AND sent_at IS NULL AND dropped_at IS NULL",
        email,
    )
    assert unsent == []
    guest.get_by_role("link", name="See other specials").click()
    expect(guest.locator("[data-own-count]")).to_have_text("1")
    expect(guest.locator("[data-cart-bar]")).to_be_hidden()


def test_the_cart_asks_how_a_special_is_eaten_and_says_it_after_ordering(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    publish("Cart culurgiones")
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, "Cart culurgiones")
    expect(cart.get_by_label("Dine in", exact=True)).to_be_checked()
    served = cart.get_by_role("listitem").locator("p").filter(has_text=" · ").first
    expect(served).to_contain_text("· Dine in")
    cart.get_by_label("Pickup", exact=True).check()
    expect(served).to_contain_text("· Pickup")
    expect(served).not_to_contain_text("Dine in")
    guest.reload()
    guest.locator("[data-cart-bar]").click()
    expect(cart.get_by_label("Pickup", exact=True)).to_be_checked()
    cart.get_by_label("Name").fill("Dana Guest")
    cart.get_by_label("Email").fill("both-ways@guests.test")
    cart.get_by_role("button", name="Continue to payment").click()
    type_card(guest, steps.GOOD)
    cart.get_by_role("button", name=re.compile("^Pre-Order Now · ")).click()
    steps.expect_held(guest)
    chosen = stack.query(
        "SELECT service_mode FROM preorders_preorder WHERE customer_email = %s",
        "both-ways@guests.test",
    )
    assert chosen == [("pickup",)]


def test_who_cancels_the_payment_of_a_cart_in_another_tab_gives_its_portions_back(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    offers = [publish("Canceled canederli"), publish("Canceled casoncelli")]
    guest = visitor(phone=True)
    guest.goto(stack.url("/specials", restaurant="luigis"))
    begun = begin_checkout(guest, *offers, email="canceled@guests.test")
    guest.goto(stack.url(f"/cart/return?checkout={begun['checkoutId']}", restaurant="luigis"))
    guest.get_by_role("button", name="Back", exact=True).click()
    guest.wait_for_url("**/specials*")
    for offer in offers:
        assert stack.orders(offer) == [("canceled@guests.test", "cancelled", "unpaid")]


def pay_for(
    page: Page, stack: Stack, publish: Callable[..., str], *names: str, email: str
) -> Locator:
    """Put new specials into the cart and go on to its payment."""
    for name in names:
        publish(name)
    see_specials(page, stack)
    cart = put_into_cart(page, *names)
    cart.locator("[name=customerName]").fill("Dana Guest")
    cart.locator("[name=customerEmail]").fill(email)
    cart.locator(".dialog-foot .button-primary").click()
    expect(page.frame_locator(".card-fields iframe").locator("#number")).to_be_visible()
    return cart


def test_the_card_fields_and_a_decline_are_in_the_pages_language(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    guest = visitor(phone=True)
    guest.goto(stack.url("/specials?lang=es", restaurant="luigis"))
    cart = pay_for(guest, stack, publish, "Cart fregola", email="es@guests.test")
    fields = guest.frame_locator(".card-fields iframe")
    for label in ("Número de tarjeta", "Vencimiento", "Código de seguridad"):
        expect(fields.get_by_label(label)).to_be_visible()
    type_card(guest, steps.DECLINED)
    pay = cart.get_by_role("button", name="Reservar ahora · ")
    pay.click()
    expect(cart.get_by_role("alert")).to_have_text(
        "El pago falló No se retuvo ni se cobró nada. Revisa la tarjeta o usa otra."
    )
    type_card(guest, EVERY_TIME)
    pay.click()
    answer_bank(guest, "Fail authentication")
    unconfirmed = "Tu banco no pudo confirmar tu identidad. Inténtalo de nuevo o usa otra tarjeta."
    expect(cart.get_by_role("alert")).to_have_text(
        f"El pago falló{unconfirmed} No se retuvo ni se cobró nada."
    )


def test_an_incomplete_card_is_told_by_its_field_and_a_declined_one_as_a_failed_payment(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    guest = visitor(phone=True)
    cart = pay_for(guest, stack, publish, "Cart gramigna", email="incomplete@guests.test")
    fields = guest.frame_locator(".card-fields iframe")
    pay = cart.get_by_role("button", name="Pre-Order Now")
    failed = cart.get_by_text("Payment Failed")
    pay.click()
    expect(fields.get_by_role("alert")).to_have_text("Your card number is incomplete.")
    expect(fields.get_by_label("Card number")).to_be_focused()
    expect(fields.get_by_label("Card number")).to_be_in_viewport()
    fields.get_by_label("Card number").fill(steps.DECLINED)
    pay.click()
    expect(fields.get_by_role("alert")).to_have_text("Your card's expiration date is incomplete.")
    expect(fields.get_by_label("Expiry")).to_be_focused()
    expect(failed).to_be_hidden()
    type_card(guest, steps.DECLINED)
    pay.click()
    expect(failed).to_be_visible()
    # The fields say why; the line below them, what that means and what to do.
    expect(fields.get_by_role("alert")).to_have_text("Your card was declined.")
    notice = cart.get_by_role("alert")
    expect(notice).to_have_text(
        "Payment Failed Nothing was held or charged. Check the card or use another one."
    )
    for each in (notice, fields.get_by_label("Card number"), fields.get_by_role("alert"), pay):
        expect(each).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(360, 800), (390, 664)])
def test_a_name_that_is_missing_is_shown_with_what_is_wrong_above_the_buttons(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], width: int, height: int
) -> None:
    dish = f"Cart lumache {width}"
    publish(dish)
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": width, "height": height})
    see_specials(guest, stack)
    cart = put_into_cart(guest, dish)
    name = cart.get_by_label("Name")
    for _ in range(2):  # the first leads to what isn't in view
        cart.get_by_role("button", name="Continue to payment").click()
        expect(name).to_be_focused()
    error, buttons = cart.get_by_text("Name is required"), cart.locator(".dialog-foot")
    expect(error).to_be_visible()
    head, field, said, foot = [
        box
        for each in (cart.locator(".dialog-head"), name, error, buttons)
        if (box := each.bounding_box())
    ]
    assert head["y"] + head["height"] <= field["y"]
    assert said["y"] + said["height"] <= foot["y"]
    # And the other one that is missing.
    also = cart.get_by_text("Valid email is required").bounding_box()
    assert also
    assert also["y"] + also["height"] <= foot["y"]


def test_the_sum_of_three_dishes_and_all_card_fields_are_in_view_on_a_phone(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": 360, "height": 640})
    dishes = ("Cart mafaldine with duck", "Cart nuvole", "Cart orecchiette")
    cart = pay_for(guest, stack, publish, *dishes, email="short@guests.test")
    code = guest.frame_locator(".card-fields iframe").get_by_label("CVC")
    expect(code).to_be_in_viewport(ratio=1)
    pay = cart.get_by_role("button", name="Pre-Order Now")
    expect(pay).to_be_in_viewport(ratio=1)
    field, button = code.bounding_box(), pay.bounding_box()
    assert field
    assert button
    assert field["y"] + field["height"] < button["y"]
    ordered = cart.locator(".cart-head")
    expect(ordered).to_contain_text(re.compile(r"^3 dishes\s*Total with \$4.32 tax \$58.32"))
    # And, for each dish, its price and when it is charged.
    shown = cart.locator(".cart-sum > div")
    prices = [f"1 × {dish}$19.44" for dish in dishes]
    expect(shown).to_contain_text(prices)
    expect(shown).to_contain_text([re.compile(r"Charged .+\sE[SD]T$")] * 3)
    facts = [shown.first.get_by_text(text) for text in ("Dine in", "Your portion makes it happen!")]
    for fact in facts:
        expect(fact).to_be_hidden()
    guest.set_viewport_size({"width": 360, "height": 740})
    for fact in facts:
        expect(fact).to_be_visible()
    expect(shown.first.get_by_role("strong").last).to_have_text("Your portion makes it happen!")
    # That is all there is to know, so nothing is folded.
    expect(cart.locator("summary")).to_have_count(0)


def test_three_specials_in_the_cart_take_less_than_two_screens_of_a_phone(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    dishes = ("Short pici", "Short paccheri", "Short pappardelle")
    for name, mode in zip(dishes, ("both", "dine_in", "both"), strict=True):
        publish(name, serviceMode=mode)
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": 360, "height": 640})
    see_specials(guest, stack)
    cart = put_into_cart(guest, *dishes)
    first = cart.get_by_role("listitem").filter(has_text=dishes[0])
    for fact in ("· Dine in", "$19.44", "Allergens"):
        expect(first).to_contain_text(fact)
    expect(first).to_contain_text(re.compile(r"Charged .+ \d{1,2}:\d\d\s[AP]M\sE[SD]T"))
    expect(cart.locator(".cart-item")).to_have_count(3)
    # Below the name, all begin at the same edge.
    told = first.get_by_text("Your portion makes it happen!")
    note = first.get_by_role("button", name=f"Allergies or requests {dishes[0]}")
    edges = [each.bounding_box() for each in (told, first.locator(".stepper"), note)]
    assert len({edge and edge["x"] for edge in edges}) == 1
    # A note takes no row of its own where nothing else is chosen.
    second = cart.get_by_role("listitem").filter(has_text=dishes[1])
    note = second.get_by_role("button", name=f"Allergies or requests {dishes[1]}")
    rows = [each.bounding_box() for each in (second.locator(".stepper"), note)]
    assert len({row and row["y"] + row["height"] / 2 for row in rows}) == 1
    screen, items = (
        each.evaluate("each => each.clientHeight")
        for each in (cart.locator(".dialog-body"), cart.get_by_role("list").first)
    )
    assert items < 1.4 * screen
    # Each line has its tax, so that they add up to the total, which comes next.
    expect(first.locator(".cart-name > p")).to_have_text("$19.44with tax")
    sums = cart.locator(".sum > div").all_inner_texts()
    assert [each.split() for each in sums] == [
        ["Total", "Tip", "not", "included", "$58.32"],
        ["Subtotal", "$54.00"],
        ["Tax", "(8%)", "$4.32"],
    ]
    first.get_by_role("button", name="Remove from the cart").click()
    expect(cart.get_by_role("heading", name=dishes[0])).to_be_hidden()
    expect(cart.locator(".sum-total")).to_contain_text("$38.88")
    undo = cart.get_by_role("button", name=f"Undo {dishes[0]}")
    expect(undo).to_be_focused()
    guest.keyboard.press("Enter")
    expect(first.get_by_role("heading")).to_have_text(dishes[0])
    expect(undo).to_be_hidden()
    expect(cart.locator(".sum-total")).to_contain_text("$58.32")


def test_card_fields_load_while_a_guest_types_and_take_what_is_ordered_in_the_end(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    offers = {name: publish(name, price="18") for name in ("Ahead fregola", "Ahead gnudi")}
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, *offers)
    fields = cart.locator(".card-fields")
    expect(cart.get_by_label("Name")).to_be_visible()
    expect(fields).to_have_count(0)
    cart.get_by_label("Name").fill("Dana Guest")
    expect(fields).to_have_attribute("data-ready", "true")
    expect(fields).to_be_hidden()
    for offer in offers.values():
        assert stack.orders(offer) == []

    # Another number of portions, and one special instead of two.
    cart.get_by_role("button", name="Remove from the cart").last.click()
    cart.get_by_role("button", name="One portion more").click()
    cart.get_by_label("Email").fill("ahead@guests.test")
    cart.get_by_role("button", name="Continue to payment · $38.88").click()
    expect(fields).to_be_visible()
    pay = cart.get_by_role("button", name="Pre-Order Now · $38.88")
    pay.click()
    fields_frame = guest.frame_locator(".card-fields iframe")
    expect(fields_frame.get_by_text("Your card number is incomplete.")).to_be_visible()
    type_card(guest, steps.GOOD)
    pay.click()
    steps.expect_held(guest)
    eventually(
        lambda: stack.query(
            "SELECT quantity, total_amount::text, payment_status FROM preorders_preorder"
            " WHERE offer_id = %s",
            offers["Ahead fregola"],
        ),
        [(2, "38.88", "authorized")],
    )


def test_a_cart_that_was_emptied_by_mistake_is_filled_again(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    publish("Undone udon")
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, "Undone udon")
    cart.get_by_role("button", name="One portion more").click()
    cart.get_by_role("button", name="Allergies or requests").click()
    cart.get_by_label("Allergies or requests").fill("No parsley")
    cart.get_by_role("button", name="One portion fewer").click()
    cart.get_by_role("button", name="Remove from the cart").click()
    expect(cart.get_by_role("heading", name="Empty Cart")).to_be_visible()
    expect(cart.get_by_text("Undone udon was removed from your cart.")).to_be_visible()
    cart.get_by_role("button", name="Undo").click()
    expect(cart.get_by_label("Allergies or requests")).to_have_value("No parsley")
    expect(cart.locator(".sum-total")).to_contain_text("$19.44")


def test_a_dish_in_the_cart_is_named_in_the_language_of_the_page(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    see_specials(guest, stack)
    cart = put_into_cart(guest, "Pizza Margherita from the Wood Oven")
    expect(cart.get_by_role("heading", name="Pizza Margherita from the Wood Oven")).to_be_visible()
    guest.goto(stack.url("/specials?lang=es", restaurant="luigis"))
    guest.locator("[data-cart-bar]").click()
    expect(cart.get_by_role("heading", name="Pizza margarita al horno de leña")).to_be_visible()
    expect(cart.get_by_text("Margherita")).to_have_count(0)


@pytest.mark.parametrize("path", ["/specials", "/patron"])
def test_the_late_styles_of_the_cart_change_no_distance_on_the_page(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], path: str
) -> None:
    publish("Steady stracci")
    guest = visitor()
    guest.set_viewport_size({"width": 1440, "height": 900})
    guest.goto(stack.url(f"{path}?afresh=1", restaurant="luigis"))
    # What moves a page's parts by itself, such as a special that another guest orders, isn't meant.
    gaps = """() => [...document.querySelectorAll("main > .stack, main > section.stack")]
      .map((part) => getComputedStyle(part).getPropertyValue("--gap"))"""
    before = guest.evaluate(gaps)
    assert before
    # They come with the first press.
    with guest.expect_response(re.compile(r"/styles/cart.*\.css")):
        guest.locator("[data-add-to-cart]").first.click()
    guest.wait_for_function(
        "[...document.styleSheets].some(({ href }) => href?.includes('styles/cart'))"
    )
    assert guest.evaluate(gaps) == before


# Which of the parts that the header leaves in view one of these lies on.
COVERED = """(shown) => [
    ...document.querySelectorAll(".special-tools > :not(.cart-dock), [data-preorder], .order-end")
  ]
  .filter((part) => part.checkVisibility()
    && part.getBoundingClientRect().top
      >= document.querySelector(".site-header").getBoundingClientRect().bottom)
  .filter((part) => {
    const [one, other] = [shown, part].map((each) => each.getBoundingClientRect());
    return one.left < other.right && other.left < one.right
      && one.top < other.bottom && other.top < one.bottom;
  }).map((part) => part.outerHTML)"""


# For as long as a slow machine looks at it.
THE_NOTICE_STAYS = """{
    const wait = window.setTimeout;
    window.setTimeout = (run, ms, ...more) => wait(run, ms === 3500 ? 600_000 : ms, ...more);
}"""


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "wide"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_said_of_the_cart_covers_no_button_of_a_special(
    stack: Stack, visitor: Visitor, publish: Callable[..., str], language: str, phone: bool
) -> None:
    special = publish("Noticed nidi")
    guest = visitor(phone=phone)
    size = {"width": 360, "height": 640} if phone else {"width": 1440, "height": 900}
    guest.set_viewport_size(size)  # type: ignore[arg-type]
    guest.add_init_script(THE_NOTICE_STAYS)
    guest.goto(stack.url(f"/specials/{special}?lang={language}", restaurant="luigis"))
    if phone:
        guest.locator("[data-open-sheet]").click()
    guest.locator("#pre-order [data-add-to-cart]").click()
    notice = guest.locator("[data-cart-notice]")
    expect(notice).to_be_visible()
    expect(guest.locator("[data-live]")).to_contain_text(": Noticed nidi")
    notice.evaluate("each => Promise.all(each.getAnimations().map((one) => one.finished))")
    for shown in (notice, guest.locator("[data-cart-bar]")):
        assert shown.evaluate(COVERED) == []


def test_a_mistyped_address_is_corrected_for_every_order_of_the_cart(
    stack: Stack, visitor: Visitor, publish: Callable[..., str]
) -> None:
    guest = visitor(phone=True)
    cart = pay_for(guest, stack, publish, "Mistyped moro", "Mistyped mezze", email="ana@gmial.test")
    type_card(guest, steps.GOOD)
    cart.get_by_role("button", name="Pre-Order Now").click()
    expect_all_held(guest, 2)
    expect(guest.get_by_text("ana@gmial.test")).to_be_visible()
    guest.get_by_role("link", name="Wrong email?").click()
    guest.wait_for_url("**/order/*")
    address = guest.get_by_label("Email", exact=True)
    expect(address).to_be_in_viewport()
    expect(guest.get_by_text("We'll change it for everything you ordered together")).to_be_visible()
    address.fill("ana@gmail.test")
    guest.get_by_role("button", name="Change email").click()
    expect(guest.get_by_text("We're sending the confirmation to ana@gmail.test.")).to_be_visible()
    # The device's list leads to the others, and they can still be changed.
    own = guest.locator("header [data-own-orders]")
    own.locator("summary").click()
    for name in own.get_by_role("link").all_inner_texts():
        guest.locator("header [data-own-orders]").get_by_role("link", name=name).click()
        expect(guest.get_by_role("heading", level=1)).to_contain_text(name)
        expect(guest.get_by_role("link", name="Change").first).to_be_visible()
        expect(guest.locator("#change-order [name=email]")).to_have_value("ana@gmail.test")
        own.locator("summary").click()
