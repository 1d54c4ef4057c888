"""From the order form to the checkout, and back with what was typed (X4)."""

import html
import re
from datetime import time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import translation

from apps.accounts.rate_limits import Limit
from apps.billing import stripe_gateway
from apps.billing.gateway import Busy, Unreachable
from apps.billing.hosted_checkout import Checkout, CheckoutState
from apps.common import rls
from apps.offers.card_terms import AGREES_TO_TERMS
from apps.offers.models import Dish, PickupSlot, SpecialOffer
from apps.offers.pickup_slots import slots_of
from apps.preorders.checkout.limits import PreOrderThrottle
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant
from tests.caching import forget_everything
from tests.conftest import NOON, Cast, Clock
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory, add_hours
from tests.pages import markup_of, text_of

pytestmark = pytest.mark.usefixtures("clock")

URL = "https://checkout.test/c/pay/1"
FILLED_IN = {
    "quantity": "2",
    "customerName": "Ada Eater",
    "customerEmail": "ada@example.test",
    "customerPhone": "+1 212 555 0142",
    "unitPrice": "24.00",
}


@pytest.fixture(autouse=True)
def processor(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[Any]:
    """A payment provider that opens a page for every request."""
    asked: list[Any] = []

    def create_checkout(request: Any, *, key: str) -> Checkout:
        asked.append(request)
        return Checkout(f"cs_{key}", URL, CheckoutState.OPEN, None, request.expires_at)

    monkeypatch.setattr(stripe_gateway, "create_checkout", create_checkout)
    return asked


@pytest.fixture
def send(guest: Any, special: Any) -> Any:
    """Post the form as a browser without scripts does."""

    def post(changed: dict[str, str] | None = None, **headers: str) -> Any:
        body = "&".join(f"{k}={v}" for k, v in ({**FILLED_IN, **(changed or {})}).items())
        return guest.post(
            f"/specials/{special.pk}/pre-order",
            body.replace("+", "%2B").replace(" ", "+"),
            "application/x-www-form-urlencoded",
            headers=headers,
        )

    return post


def orders() -> list[PreOrder]:
    with rls.acting_as(rls.PLATFORM):
        return list(PreOrder.objects.all())


def test_a_filled_in_form_leads_to_the_checkout(send: Any, processor: list[Any]) -> None:
    answer = send()
    assert answer.status_code == 303
    assert answer.headers["Location"] == URL
    (order,) = orders()
    assert (order.quantity, str(order.total_amount)) == (2, "51.84")
    assert order.customer_name == "Ada Eater"
    assert order.user_id is None
    assert processor[0].customer_email == "ada@example.test"
    # They let this browser change the order, and finish it; they name nobody.
    name = f"order-{order.code.lower()}"
    assert set(answer.cookies) == {f"{name}-change", f"{name}-finish"}


@pytest.mark.parametrize(
    ("chosen", "agreed"), [("", None), ("false", None), ("true", Decimal("20.00"))]
)
def test_the_choice_for_the_alternative_is_stored_at_its_price_of_today(
    send: Any, special: SpecialOffer, platform: None, chosen: str, agreed: Decimal | None
) -> None:
    Dish.objects.filter(pk=str(special.alternative_dish_id)).update(price="20.00")
    assert send({"alternativeConsent": chosen}).status_code == 303
    (order,) = orders()
    assert order.alternative_price == agreed


def test_the_form_offers_the_alternative_for_the_specials_price_at_the_most(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    Dish.objects.filter(pk=str(special.alternative_dish_id)).update(price="99.00")
    page = guest.get(f"/specials/{special.pk}")
    said = text_of(page)
    assert "If fewer than 12 portions are ordered" in said
    assert "Cancel my order, and I pay nothing" in said
    words = f"Make me Penne al forno instead, at ${special.special_price} a portion"
    assert words in said
    assert f"{words}, its menu price" not in said
    assert page.content.decode().count('name="alternativeConsent"') == 2


def test_once_a_special_is_on_the_form_says_that_only_cancellations_can_bring_the_alternative(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    SpecialOffer.objects.filter(pk=special.pk).update(ordered_portions=12, reserved_portions=12)
    said = text_of(guest.get(f"/specials/{special.pk}"))
    assert "If cancellations leave fewer than 12 portions" in said
    assert "If fewer than 12 portions are ordered" not in said


@pytest.mark.parametrize("hidden_at", [None, NOON])
def test_the_form_says_that_the_alternative_is_at_its_menu_price_if_the_menu_says_so(
    guest: Any, special: SpecialOffer, platform: None, hidden_at: Any
) -> None:
    alternative = Dish.objects.filter(pk=str(special.alternative_dish_id))
    alternative.update(price="20.00", hidden_at=hidden_at)
    said = text_of(guest.get(f"/specials/{special.pk}"))
    words = "Make me Penne al forno instead, at $20.00 a portion"
    assert words in said
    assert (f"{words}, its menu price" in said) is (hidden_at is None)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("dine_in", "Come any time between 6:00 and 10:00 PM."),
        ("pickup", "Pick it up any time between 6:00 and 10:00 PM."),
        # The style sheet shows what is meant by the choice above.
        (
            "both",
            "Come any time between 6:00 and 10:00 PM. Pick it up any time between 6:00 and "
            "10:00 PM.",
        ),
    ],
)
def test_the_form_says_when_to_come_where_a_special_has_a_time_window_but_no_times(
    guest: Any, special: SpecialOffer, platform: None, mode: str, words: str
) -> None:
    assert "any time" not in text_of(guest.get(f"/specials/{special.pk}"))
    window = {"serve_from": time(18), "serve_until": time(22)}
    SpecialOffer.objects.filter(pk=special.pk).update(service_mode=mode, **window)
    assert words in text_of(guest.get(f"/specials/{special.pk}?window"))
    begins = special.deadline + timedelta(days=1)
    PickupSlot.objects.create(
        restaurant_id=special.restaurant_id,
        offer=special,
        starts_at=begins,
        ends_at=begins + timedelta(hours=1),
        capacity=4,
    )
    assert "any time" not in text_of(guest.get(f"/specials/{special.pk}?times"))


def test_the_terms_stand_above_everything_that_orders(guest: Any, special: SpecialOffer) -> None:
    """A press on a wallet orders, too."""
    page = markup_of(guest.get(f"/specials/{special.pk}"))
    form = page.partition('id="pre-order"')[2]
    wallets = form.partition("data-express=")[2]
    said = " ".join(re.sub("<[^>]+>", "", wallets.partition(">")[2].partition("</p>")[0]).split())
    assert said == (
        "Held on your card, charged Tue, Mar 23, 6:00 PM EDT if it's on. Cancel for free until "
        "then. By ordering, you agree to the terms of service."
    )
    assert wallets.index('href="/terms-of-service"') < wallets.index('name="customerName"')
    parts = ('name="note"', 'id="card-note"', 'id="terms-note"', "data-preorder")
    places = [form.index(part) for part in parts]
    assert places == sorted(places)
    assert 'aria-describedby="card-note terms-note"' in form


def test_the_terms_of_a_special_that_is_on_say_that_it_could_fall_short_again(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    SpecialOffer.objects.filter(pk=special.pk).update(ordered_portions=12, reserved_portions=12)
    said = text_of(guest.get(f"/specials/{special.pk}?on"))
    assert "Held on your card, charged Tue, Mar 23, 6:00 PM EDT if it's still on. Cancel" in said


def test_an_offer_that_goes_ahead_in_any_case_asks_nothing_about_the_alternative(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    SpecialOffer.objects.filter(pk=special.pk).update(goes_ahead=True)
    assert "alternativeConsent" not in guest.get(f"/specials/{special.pk}").content.decode()


def test_the_form_says_what_the_alternative_costs_with_tax(
    send: Any, special: SpecialOffer, platform: None
) -> None:
    dish = DishFactory(restaurant=special.restaurant, name="Caprese", price="16.00")
    minimum = special.min_preorders
    SpecialOffer.objects.filter(pk=special.pk).update(has_alternative=True, alternative_dish=dish)
    forget_everything()
    for portions, total in (("1", "$17.28"), ("3", "$51.84")):
        answer = send({"show": "total", "quantity": portions})
        assert f"Fewer than {minimum}: you get Caprese instead and pay {total}" in text_of(answer)
        assert 'data-alternative-cents="1600"' in markup_of(answer)


def test_a_choice_that_is_none_is_told_and_the_form_keeps_what_was_typed(send: Any) -> None:
    answer = send({"alternativeConsent": "maybe"})
    assert answer.status_code == 400
    assert "Choose what happens if the minimum isn't met." in text_of(answer)
    assert orders() == []


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("customerName", "", "Name is required"),
        ("customerName", "   ", "Name is required"),
        ("customerEmail", "", "Valid email is required"),
        ("customerEmail", "ada", "Valid email is required"),
        ("quantity", "0", "Order at least 1 portion."),
        ("quantity", "-3", "Order at least 1 portion."),
        ("quantity", "many", "Quantity must be a whole number."),
        ("quantity", "21", "You can order up to 20 portions at once."),
        ("quantity", "1e30", "Quantity must be a whole number."),
        ("quantity", "9" * 60, "That's too many for one order. Order fewer portions."),
    ],
)
def test_an_error_comes_back_at_its_field_with_what_was_typed(
    send: Any, field: str, value: str, message: str
) -> None:
    answer = send({field: value})
    page = html.unescape(markup_of(answer))
    assert answer.status_code == 400
    assert f'<p class="error" id="{field}-error">{message}</p>' in page
    assert f'<a href="#{field}">{message}</a>' in page
    assert "<strong>Check 1 field</strong><br>Your card wasn't held" in page
    assert "<title>Not sent: Osso buco" in page
    assert 'aria-invalid="true"' in page
    if field != "customerName":
        assert 'value="Ada Eater"' in page
    assert "no-store" in answer.headers["Cache-Control"]
    assert orders() == []


def test_everything_missing_is_said_at_once(guest: Any, special: Any) -> None:
    page = guest.post(
        f"/specials/{special.pk}/pre-order", "", "application/x-www-form-urlencoded"
    ).content.decode()
    for message in ("Name is required", "Valid email is required"):
        assert page.count(f">{message}<") == 2
    assert "<strong>Check 3 fields</strong>" in page
    assert "Pre-order Failed" not in page
    assert "customerPhone" not in page


def test_more_portions_than_one_order_can_have_are_said_with_a_missing_name(send: Any) -> None:
    page = markup_of(send({"quantity": "21", "customerName": ""}))
    for field, message in {
        "quantity": "You can order up to 20 portions at once.",
        "customerName": "Name is required",
    }.items():
        assert f'<a href="#{field}">{message}</a>' in page


def test_too_many_portions_and_a_missing_time_are_said_with_a_missing_name(
    send: Any, special: Any
) -> None:
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(min_preorders=1, max_preorders=1, reserved_portions=0)
        begins = special.deadline + timedelta(days=1)
        PickupSlot.objects.create(
            restaurant_id=special.restaurant_id,
            offer=special,
            starts_at=begins,
            ends_at=begins + timedelta(hours=1),
        )
    answer = send({"quantity": "9", "customerName": ""})
    assert answer.status_code == 400
    page = markup_of(answer)
    for field, message in {
        "quantity": "Only 1 portion is left. Order 1 or choose another special.",
        "customerName": "Name is required",
        "slotId": "Choose a pickup time.",
    }.items():
        assert f'<a href="#{field}">{message}</a>' in page
        assert f'<p class="error" id="{field}-error">{message}</p>' in page
    assert orders() == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_form_says_the_terms_that_an_order_stores(
    guest: Any, special: Any, language: str
) -> None:
    page = guest.get(f"/specials/{special.pk}", headers={"Accept-Language": language})
    note = markup_of(page).partition('id="terms-note">')[2].partition("</p>")[0]
    with translation.override(language):
        assert " ".join(re.sub("<[^>]+>", "", note).split()) == str(AGREES_TO_TERMS)


def test_whom_to_ask_for_stands_below_the_choice_of_how_and_when(
    guest: Any, special: SpecialOffer, platform: None
) -> None:
    notes = {"dine_in_note": "Ask for Luisa.", "pickup_note": "Use the side door."}
    Restaurant.objects.filter(pk=special.restaurant_id).update(**notes)
    SpecialOffer.objects.filter(pk=special.pk).update(service_mode="both")
    order = ["Dine in or pickup", "Ask for Luisa.", "Use the side door.", "Email", "Subtotal"]
    for has_times in (False, True):
        if has_times:
            add_hours(special, None, None)
            order.insert(1, "(first available)")
        form = markup_of(guest.get(f"/specials/{special.pk}?{has_times}"))
        form = form[form.index('id="pre-order"') :]
        places = [form.index(words) for words in order]
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("capacities", "says"), [((4,), False), ((0, 4), False), ((None, 4), True), ((0, 4, 1), True)]
)
def test_the_first_time_is_called_so_only_where_another_could_be_chosen(
    guest: Any,
    special: SpecialOffer,
    platform: None,
    capacities: tuple[int | None, ...],
    says: bool,
) -> None:
    add_hours(special, *capacities)
    page = markup_of(guest.get(f"/specials/{special.pk}"))
    assert ("(first available)" in page) == says


def test_the_first_time_with_room_is_chosen_where_a_special_has_times(
    guest: Any, special: Any
) -> None:
    """A browser chooses the first option that isn't disabled, so no empty one precedes the times:
    https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm"""
    with rls.acting_as(rls.PLATFORM):
        full, free = add_hours(special, 0, 4)
    page = " ".join(markup_of(guest.get(f"/specials/{special.pk}")).split())
    options = re.findall(r"<option value=\"(\d*)\"( disabled)?", page)
    assert options == [(str(full.pk), " disabled"), (str(free.pk), "")]


@pytest.fixture
def times(special: SpecialOffer, platform: None) -> list[PickupSlot]:
    """One hour each, with room for 1, 8, and 3 portions; orders of up to 20."""
    SpecialOffer.objects.filter(pk=special.pk).update(max_preorders=None)
    return add_hours(special, 1, 8, 3)


def options_of(answer: Any) -> list[str]:
    """The times of the form in its answer, each with what a browser sees in it."""
    options = re.findall(r"<option ([^>]*)>(.*?)</option>", markup_of(answer))
    return [
        " ".join(
            [
                *re.findall(r"\b(disabled|selected)\b", attributes),
                *re.findall(r"\(.*\)", text),
            ]
        )
        for attributes, text in options
    ]


@pytest.mark.parametrize(
    ("portions", "options"),
    [
        ("1", ["selected (1 left)", "", "(3 left)"]),
        ("2", ["disabled (1 left)", "selected", "(3 left)"]),
        ("8", ["disabled (1 left)", "selected", "disabled (3 left)"]),
        # No time has so many, so the number must change.
        ("9", ["(1 left)", "", "(3 left)"]),
    ],
)
def test_the_first_time_with_enough_for_the_number_is_chosen(
    send: Any, times: list[PickupSlot], portions: str, options: list[str]
) -> None:
    answer = send({"show": "total", "quantity": portions})
    assert options_of(answer) == options
    assert 'max="8" data-at-one-time="8"' in markup_of(answer)
    assert "Up to 8, at 7:00–8:00 PM" in text_of(answer)
    without_script = '<noscript><p class="hint">Choose a time with enough left'
    assert without_script in answer.content.decode()


@pytest.mark.parametrize(
    ("left", "says"), [(8, "Up to 8, at 7:00–8:00 PM"), (3, "Up to 3 at each")]
)
def test_more_than_one_order_can_have_is_refused_with_the_most_that_a_time_has(
    send: Any, times: list[PickupSlot], left: int, says: str
) -> None:
    if left == 3:
        PickupSlot.objects.update(capacity=left)
    answer = send({"quantity": "21", "slotId": str(times[1].pk)})
    assert answer.status_code == 400
    page = markup_of(answer)
    assert f'<p class="error" id="quantity-error">{says}' in page
    assert "You can order up to 20" not in page
    assert orders() == []


def test_times_with_the_same_room_are_not_told_apart(send: Any, times: list[PickupSlot]) -> None:
    PickupSlot.objects.update(capacity=8)
    assert "Up to 8 at each time" in text_of(send({"show": "total", "quantity": "1"}))


def test_a_special_with_every_time_full_says_so_in_place_of_the_form(
    guest: Any, times: list[PickupSlot]
) -> None:
    PickupSlot.objects.update(capacity=0)
    page = guest.get(f"/specials/{times[0].offer_id}")
    words = text_of(page)
    assert "Guests can change or cancel until orders close, so one can open up." in words
    assert "Every time is full right now Closes in" in words  # where "2 more and it's on" was
    markup = markup_of(page)
    assert 'button-wide" href="#follow">Email me if a time opens</a>' in markup
    for part in ('id="pre-order"', "data-open-sheet", 'id="waiting-list"', "Join the waitlist"):
        assert part not in markup


def test_a_special_whose_every_time_filled_up_meanwhile_leads_to_news_of_a_time(
    send: Any, times: list[PickupSlot]
) -> None:
    PickupSlot.objects.update(capacity=0)
    answer = send({"slotId": str(times[0].pk)})
    assert answer.status_code == 409
    words = "Every time just filled up Your card wasn't held or charged. Get an email if one opens"
    assert words in text_of(answer)
    assert "Check 1 field" not in text_of(answer)
    assert orders() == []


def test_the_time_nearest_to_a_full_one_is_chosen_and_said(
    send: Any, times: list[PickupSlot]
) -> None:
    PickupSlot.objects.filter(pk=times[2].pk).update(capacity=1)
    answer = send({"show": "total", "quantity": "1", "slotId": str(times[2].pk)})
    assert "so we chose" not in text_of(answer)
    answer = send({"quantity": "2", "slotId": str(times[2].pk)})
    assert options_of(answer)[1].startswith("selected")
    page = markup_of(answer)
    assert "has room for 1 portion, so we chose" in text_of(answer)
    assert '<select class="control" id="slotId" name="slotId" required aria-describedby' in page


def test_a_time_that_fits_stays_chosen(send: Any, times: list[PickupSlot]) -> None:
    for quantity, at in (("2", 2), ("4", 1)):
        answer = send({"show": "total", "quantity": quantity, "slotId": str(times[2].pk)})
        assert options_of(answer)[at].startswith("selected")


def test_times_without_a_limit_do_not_limit_the_number(guest: Any, times: list[PickupSlot]) -> None:
    PickupSlot.objects.update(capacity=None)
    assert "Up to 20 in one order" in text_of(guest.get(f"/specials/{times[0].offer_id}"))


@pytest.mark.parametrize(
    ("at", "portions", "says", "is_moved"),
    [
        (0, "2", "has room for 1 portion, so we chose {1}.", True),
        (0, "4", "has room for 1 portion, so we chose {1}.", True),
        (0, "9", "has room for 1 portion. The most at one time is 8 portions, at {1}.", False),
        (1, "9", "has room for 8 portions. Choose 8 or fewer.", False),
    ],
)
def test_a_refused_time_says_what_fits(
    send: Any, times: list[PickupSlot], at: int, portions: str, says: str, is_moved: bool
) -> None:
    labels = [each.label for each in slots_of(times[0].offer)]
    answer = send({"quantity": portions, "slotId": str(times[at].pk)})
    assert answer.status_code == 409
    message = f"{labels[at]} {says.format(*labels)}"
    page = html.unescape(markup_of(answer))
    title = "Check the new time, then press Pre-Order Now again"
    assert (title in page, "Check 1 field" in page) == (is_moved, not is_moved)
    assert f'<a href="#slotId">{message}</a>' in page
    assert f'<p class="error" id="slotId-error">{message}</p>' in page
    assert orders() == []


def test_a_phone_number_is_asked_for_only_where_the_restaurant_wants_one(
    send: Any, guest: Any, special: Any
) -> None:
    assert "customerPhone" not in markup_of(guest.get(f"/specials/{special.pk}"))
    with rls.acting_as(rls.PLATFORM):
        Restaurant.objects.update(asks_for_phone=True)
    forget_everything()
    answer = send({"customerPhone": "", "customerName": ""})
    assert answer.status_code == 400
    page = markup_of(answer)
    assert '<p class="error" id="customerPhone-error">Phone is required</p>' in page
    assert '<p class="error" id="customerName-error">Name is required</p>' in page
    page = markup_of(send({"customerPhone": "x"}))
    assert (
        '<p class="error" id="customerPhone-error">Enter a phone number, using digits.</p>' in page
    )
    assert orders() == []
    assert send({"customerPhone": "+1 212 555 0142"}).status_code == 303


def test_what_was_typed_is_data_never_markup(send: Any) -> None:
    page = markup_of(send({"customerName": '"><script>alert(1)</script>', "customerEmail": ""}))
    assert 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in page
    assert "<script>alert" not in page


def test_a_price_changed_meanwhile_asks_again(send: Any, special: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(special_price="25.00")
    answer = send()
    assert answer.status_code == 400
    says = text_of(answer)
    assert "Price has changed Your card wasn't held or charged. Check the new total below" in says
    assert "Total $54.00" in text_of(answer)
    assert 'name="unitPrice" value="25.00"' in answer.content.decode()
    assert orders() == []


@pytest.mark.parametrize("claimed", ["free", "NaN", "-24", "1e400", "0"])
def test_an_absurd_price_is_a_changed_price(send: Any, claimed: str) -> None:
    answer = send({"unitPrice": claimed})
    assert answer.status_code == 400
    assert "Price has changed" in text_of(answer)


def test_ordering_too_many_says_how_many_are_left(guest: Any, send: Any, special: Any) -> None:
    with rls.acting_as(rls.PLATFORM):
        SpecialOffer.objects.update(min_preorders=1, max_preorders=1, reserved_portions=0)
    answer = send()
    assert answer.status_code == 409
    assert "Only 1 portion is left. Order 1 or choose another special." in text_of(answer)


def test_the_deadline_passed_while_the_form_was_open(
    send: Any, special: SpecialOffer, clock: Clock
) -> None:
    clock.set(special.deadline + timedelta(seconds=1))
    answer = send()
    assert answer.status_code == 409
    assert "Deciding now" in text_of(answer)
    assert "Orders have closed Your card wasn't held or charged." in text_of(answer)
    assert text_of(answer).count("wasn't held or charged") == 1
    assert orders() == []


@pytest.mark.parametrize(
    ("ordered", "said"),
    [
        (1, "Just sold out Your card wasn't held or charged. Join the waitlist"),
        (
            0,
            "Somebody was quicker Last portion reserved. It may open up. "
            "Your card wasn't held or charged. Join the waitlist",
        ),
    ],
    ids=["ordered", "being ordered"],
)
def test_the_last_portion_was_ordered_while_the_form_was_filled_in(
    send: Any, special: SpecialOffer, platform: None, ordered: int, said: str
) -> None:
    counts = {"reserved_portions": 1, "ordered_portions": ordered}
    SpecialOffer.objects.update(min_preorders=1, max_preorders=1, **counts)
    PreOrderFactory(offer=special, quantity=1)
    answer = send()
    assert answer.status_code == 409
    says = text_of(answer)
    assert said in says
    assert ("Just sold out" in says) == bool(ordered)
    assert says.count("wasn't held or charged") == 1
    assert "Check 1 field" not in says
    page = markup_of(answer)
    box = page.index('id="problems"')
    assert page.index('class="notices"') < box < page.index("<h1")
    waitlist = page.partition('id="waiting-list"')[2]
    for typed in ("2", "Ada Eater", "ada@example.test"):
        assert f'value="{typed}"' in waitlist


def test_a_processor_that_does_not_answer(send: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(request: Any, *, key: str) -> Checkout:
        raise Unreachable

    monkeypatch.setattr(stripe_gateway, "create_checkout", silent)
    answer = send()
    assert answer.status_code == 503
    assert "Pre-order Failed" in text_of(answer)
    assert "Payment Error: Failed to process payment. Please try again." in text_of(answer)
    assert 'value="Ada Eater"' in answer.content.decode()


def test_a_guest_is_told_while_stripe_is_busy_and_the_page_tries_again(
    send: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(request: Any, *, key: str) -> Checkout:
        raise Busy

    with monkeypatch.context() as patched:
        patched.setattr(stripe_gateway, "create_checkout", busy)
        answer = send()
    assert answer.status_code == 503
    page = answer.content.decode()
    assert 'data-retry-after="3"' in page
    assert 'role="status"' in page
    assert "Still trying Lots of people are ordering right now. Your portions are set aside" in (
        text_of(answer)
    )
    assert "Pre-order Failed" not in page
    assert 'value="Ada Eater"' in page
    (order,) = orders()
    assert (order.status, order.checkout_url) == ("pending", "")
    assert send().headers["Location"] == URL
    assert [each.pk for each in orders()] == [order.pk]


def test_a_guest_without_scripts_can_ask_for_the_total(send: Any) -> None:
    answer = send({"quantity": "3", "show": "total", "customerEmail": ""})
    page = text_of(answer)
    assert answer.status_code == 200
    assert "Subtotal $72.00 Tax (8%) $5.76 Total $77.76" in page
    assert "Today: $77.76 held, not charged" in page
    unscripted = '<noscript><p class="small muted">These amounts are for'
    assert f"{unscripted} 3 portions.</p>" in answer.content.decode()
    one = send({"quantity": "1", "show": "total"})
    assert f"{unscripted} 1 portion.</p>" in one.content.decode()
    assert "Valid email is required" not in page
    assert orders() == []


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.test"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://mings.localhost"},
    ],
)
def test_another_sites_page_cannot_order(send: Any, headers: dict[str, str]) -> None:
    answer = send(**headers)
    assert answer.status_code == 403
    assert "came from another site" in text_of(answer)
    assert orders() == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://luigis.localhost"},
        {"sec-fetch-site": "same-origin", "origin": "null"},
    ],
)
def test_our_own_page_can_send_the_form(send: Any, headers: dict[str, str]) -> None:
    assert send(**headers).status_code == 303


def test_the_form_belongs_to_the_hosts_restaurant(api: Any, cast: Cast, special: Any) -> None:
    foreign = SpecialOfferFactory(restaurant=cast.other)
    answer = api(at=cast.restaurant).post(
        f"/specials/{foreign.pk}/pre-order",
        "quantity=1",
        "application/x-www-form-urlencoded",
    )
    assert answer.status_code == 404


def test_a_pre_order_is_posted_never_linked(guest: Any, special: Any) -> None:
    answer = guest.get(f"/specials/{special.pk}/pre-order?lang=es")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/specials/{special.pk}?lang=es"


def test_a_client_can_order_a_limited_number_of_times(
    send: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PreOrderThrottle, "limit", Limit("pre-orders", times=1, window=60))
    assert send().status_code == 303
    answer = send({"quantity": "3"})
    assert answer.status_code == 429
    assert "Too many attempts. Wait" in text_of(answer)
