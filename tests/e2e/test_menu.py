"""The regular menu: a dish is added, moved by mouse and by keyboard, hidden, and removed. What
guests see of it, and of the list of specials."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e import onboarding_steps as onboarding
from tests.e2e.pictures import photo_of_a_dish
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually, press_until

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def add_dish(page: Page, name: str, price: str) -> None:
    page.get_by_role("button", name=re.compile("^Add (a|your first) dish$")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Price").fill(price)
    dialog.get_by_role("button", name="Add dish").click()
    expect(page.get_by_text(f"{name} is on your menu")).to_be_visible()
    expect(dialog).to_be_hidden()


def names_of(page: Page) -> list[str]:
    return page.locator("ol.rows .font-title").all_inner_texts()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_menu_is_written_and_put_in_order(stack: Stack, visitor: Visitor, phone: bool) -> None:
    page = visitor(phone=phone)
    onboarding.open_account(page.context, stack, onboarding.new_email("mia"), name="Mia Menu")
    page.goto(stack.url("/restaurant/menu"))
    expect(page.get_by_text("No dishes yet")).to_be_visible()
    page.get_by_role("button", name="Add your first dish").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Add dish").click()
    expect(dialog.get_by_text("Name is required")).to_be_visible()
    expect(dialog.get_by_text("Price is required")).to_be_visible()
    dialog.get_by_label("Name").fill("Lasagne")
    dialog.get_by_label("Price").fill("18.50")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "dish.png", "mimeType": "image/png", "buffer": photo_of_a_dish()}
    )
    dialog.get_by_label("Vegetarian").check()
    dialog.get_by_label("Milk").check()
    dialog.get_by_role("button", name="Add dish").click()
    expect(page.get_by_text("Lasagne is on your menu")).to_be_visible()
    expect(page.get_by_text("Contains milk")).to_be_visible()
    add_dish(page, "Soup", "7")
    add_dish(page, "Tart", "9")
    eventually(lambda: names_of(page), ["Lasagne", "Soup", "Tart"])

    # One place at a time, and the keyboard's focus goes along.
    page.get_by_role("button", name="Move Tart up").click()
    eventually(lambda: names_of(page), ["Lasagne", "Tart", "Soup"])
    expect(page.get_by_role("button", name="Move Tart up")).to_be_focused()
    page.keyboard.press("Enter")
    eventually(lambda: names_of(page), ["Tart", "Lasagne", "Soup"])
    expect(page.get_by_role("button", name="Move Tart down")).to_be_focused()
    # Picked up and put down with the keyboard. The first arrow can come before the list listens, so
    # the dish goes to the top, where one more press does nothing.
    page.get_by_role("button", name="Drag Soup").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Soup is at position 3 of 3.")).to_be_attached()
    press_until(page.keyboard, "ArrowUp", page.get_by_text("Soup is at position 1 of 3."))
    page.keyboard.press("Space")
    eventually(lambda: names_of(page), ["Soup", "Tart", "Lasagne"])

    with page.expect_response("**/api/menu/dishes/*"):
        page.get_by_role("button", name="Hide Soup").click()
    expect(page.get_by_text("Hidden from guests", exact=True)).to_be_visible()
    page.once("dialog", lambda question: question.accept())
    page.get_by_role("button", name="Delete Tart").click()
    expect(page.get_by_text("Tart was removed from your menu")).to_be_visible()
    page.get_by_role("button", name="Edit Lasagne").click()
    expect(dialog.get_by_label("Vegetarian")).to_be_checked()
    dialog.get_by_label("Price").fill("19")
    dialog.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Lasagne was updated")).to_be_visible()
    expect(dialog).to_be_hidden()
    expect(page.locator("ol.rows").get_by_text("$19.00")).to_be_visible()
    page.reload()
    expect(page.get_by_text("2 dishes, 1 hidden")).to_be_visible()
    eventually(lambda: names_of(page), ["Soup", "Lasagne"])


def test_what_was_typed_stays_when_the_connection_breaks(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    steps.sign_in(page, stack)
    page.goto(stack.url("/restaurant/menu"))
    page.get_by_role("button", name="Add a dish").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Offline soup")
    dialog.get_by_label("Price").fill("7")
    page.context.set_offline(True)
    dialog.get_by_role("button", name="Add dish").click()
    expect(dialog.get_by_role("alert")).to_contain_text("What you entered is still here.")
    page.context.set_offline(False)
    dialog.get_by_role("button", name="Add dish").click()
    expect(page.get_by_text("Offline soup is on your menu")).to_be_visible()


def test_one_choice_of_diets_rules_specials_and_dishes(stack: Stack, visitor: Visitor) -> None:
    guest = visitor(phone=True)
    guest.goto(stack.url("/patron", restaurant="luigis"))
    specials = guest.locator(".menu-specials > li:visible")
    before = specials.count()
    diets = guest.get_by_role("group", name="Show")
    diets.get_by_label("Vegan", exact=True).check()
    expect(guest.get_by_text("Minestrone della Nonna")).to_be_visible()
    expect(guest.get_by_role("heading", name="Pizza Margherita")).to_be_hidden()
    expect(specials).to_have_count(0)
    expect(guest.get_by_text("No specials match.")).to_be_visible()
    expect(guest.get_by_text("No dishes match.")).to_be_hidden()
    diets.get_by_label("Everything").check()
    expect(specials).to_have_count(before)
    expect(guest.get_by_text("No specials match.")).to_be_hidden()


def test_a_guest_who_comes_back_to_the_list_finds_the_diet_they_chose(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    guest.goto(stack.url("/specials", restaurant="luigis"))
    diets = guest.get_by_role("group", name="Show")
    diets.get_by_label("Vegetarian").check()
    expect(diets.get_by_label("Vegetarian")).to_be_in_viewport(ratio=1)
    guest.locator(".offers .card-link:visible").first.click()
    guest.get_by_role("link", name="Back to all specials").click()
    expect(diets.get_by_label("Vegetarian")).to_be_checked()
    guest.goto(stack.url("/specials", restaurant="luigis"))
    expect(diets.get_by_label("Everything")).to_be_checked()


def test_a_phones_first_screen_shows_a_special_and_the_photo_of_the_next(
    stack: Stack, visitor: Visitor
) -> None:
    # The first of the list, whatever other tests publish.
    special = calls.publish(stack, "First-screen focaccia", deadline=timedelta(minutes=40))
    guest = visitor(phone=True)
    guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
    guest.evaluate("document.fonts.ready")
    first, second = (guest.locator("[data-offer]").nth(number) for number in range(2))
    expect(first).to_have_attribute("data-special", special)
    card, next_photo = first.bounding_box(), second.locator(".media").bounding_box()
    assert card
    assert card["height"] <= 410
    assert next_photo
    assert next_photo["y"] + next_photo["height"] / 2 <= 740
    # The photo leads to the special, as does the rest of the card.
    guest.mouse.click(card["x"] + card["width"] / 2, card["y"] + 80)
    expect(guest).to_have_url(re.compile(r"/specials/[0-9a-f-]{36}$"))


def test_a_phones_menu_begins_with_the_photo_of_a_special_and_keeps_its_diets_in_view(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    guest.goto(stack.url("/patron", restaurant="luigis"))
    guest.evaluate("document.fonts.ready")
    photo = guest.locator(".menu-specials .media").first.bounding_box()
    assert photo
    assert photo["y"] <= 310
    # Below the specials, the first sentence about the restaurant. The next card peeks in.
    expect(guest.get_by_text("Three generations").filter(visible=True)).to_have_count(1)
    expect(guest.get_by_text("When enough of you order").filter(visible=True)).to_have_count(1)
    peeking = guest.locator(".menu-specials > li").nth(1).bounding_box()
    assert peeking
    assert peeking["x"] <= 360 * 0.9
    expect(guest.locator(".menu-specials .dish-story").first).to_be_visible()
    sections = guest.get_by_role("navigation", name="On this page").get_by_role("link")
    expect(sections.and_(guest.locator("[aria-current=true]"))).to_have_text(["Specials"])
    sections.get_by_text("Menu").click()
    expect(guest.get_by_role("heading", name="Regular Menu")).to_be_in_viewport()
    expect(sections.and_(guest.locator("[aria-current=true]"))).to_have_text(["Menu"])
    diets = guest.get_by_role("group", name="Show")
    expect(diets).to_be_in_viewport()
    bar = guest.locator(".menu-bar").bounding_box()
    assert bar
    assert bar["height"] <= 56
    diets.get_by_label("Everything").check()
