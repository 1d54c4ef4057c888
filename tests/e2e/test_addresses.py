"""Web addresses and several restaurants: what happens when a session or an address is lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e.stack import Stack
from tests.e2e.waiting import glimpse

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
TAKEN = "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens."


def test_session_lost_while_saving_leads_to_sign_in_and_back(
    stack: Stack, visitor: Visitor
) -> None:
    email = onboarding.new_email("lola")
    page = visitor()
    onboarding.open_account(page.context, stack, email, name="Lola Lost")
    page.goto(stack.url("/onboarding/subdomain-setup"))
    onboarding.type_address(page, "lolas-lost-place")
    expect(page.get_by_text("is available")).to_be_visible()
    page.context.clear_cookies()
    page.get_by_role("button", name="Save address").click()

    expect(page).to_have_url(re.compile(r"/login\?next=%2Fonboarding%2Fsubdomain-setup$"))
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/onboarding/subdomain-setup")
    expect(page.get_by_label("Your web address")).to_have_value("lolas-lost-place")
    page.get_by_role("button", name="Save address").click()
    glimpse(page.get_by_role("heading", name="Your address is saved"))
    page.wait_for_url("**/restaurant")


def test_two_people_take_the_same_address_and_one_gets_it(stack: Stack, visitor: Visitor) -> None:
    tabs = [visitor(), visitor(phone=True)]
    for number, tab in enumerate(tabs):
        email = onboarding.new_email(f"rival{number}")
        onboarding.open_account(tab.context, stack, email, name=f"Rival {number}")
        tab.goto(stack.url("/launch-setup?step=subdomain"))
        onboarding.type_address(tab, "the-same-corner")
    for tab in tabs:
        # Both hear that it is free before either saves.
        expect(tab.get_by_text("is available")).to_be_visible()
    for tab in tabs:
        tab.get_by_role("button", name="Save and continue").click()

    # The first press arrives first as a rule.
    ready = tabs[0].get_by_role("heading", name="is ready")
    expect(ready.or_(tabs[0].get_by_text(TAKEN).first)).to_be_visible()
    winner, loser = tabs if ready.is_visible() else tabs[::-1]
    expect(winner.get_by_role("heading", name="is ready")).to_be_visible()
    expect(loser.get_by_text(TAKEN).first).to_be_visible()
    expect(loser.get_by_label("Your web address")).to_have_value("the-same-corner")
    # The way out is one press away.
    onboarding.save_address(loser, stack, "the-other-corner")
    expect(loser.get_by_role("heading", name="is ready")).to_be_visible()


def test_old_address_leads_to_the_new_one(stack: Stack, visitor: Visitor) -> None:
    page = visitor()
    onboarding.open_account(page.context, stack, onboarding.new_email("moira"), name="Moira Mover")
    for label in ("before-the-move", "after-the-move"):
        page.goto(stack.url("/onboarding/subdomain-setup?change"))
        onboarding.type_address(page, label)
        page.get_by_role("button", name="Save address").click()
        glimpse(page.get_by_role("heading", name="Your address is saved"))
    guest = visitor()
    guest.goto(stack.url("/specials", restaurant="before-the-move"))
    expect(guest).to_have_url(stack.url("/specials", restaurant="after-the-move"))


def register_business(page: Page, stack: Stack, name: str, *, email: str = "") -> None:
    """The first step of the registration; without an email for somebody signed in."""
    page.goto(stack.url("/platform/register"))
    page.get_by_label("Business name").fill(name)
    if email:
        page.get_by_label("Your name").fill("Greta Group")
        page.get_by_label("Email").fill(email)
        page.get_by_label("Password", exact=True).fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Continue").click()


def fill_restaurant(page: Page) -> None:
    page.get_by_label("Street address").fill("12 Harbour Road")
    page.get_by_label("City").fill("Portland")
    page.get_by_label("Phone").fill("503 555 0134")


def test_business_registers_goes_back_and_forth_and_adds_a_second_restaurant(
    stack: Stack, visitor: Visitor
) -> None:
    page, email = visitor(), onboarding.new_email("greta")
    register_business(page, stack, "Greta's Harbour", email=email)
    expect(page.get_by_label("Restaurant name")).to_have_value("Greta's Harbour")
    fill_restaurant(page)
    page.get_by_label("State").select_option("Oregon")

    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("URL slug")).to_have_value("gretas-harbour")
    expect(page.get_by_label("Email")).to_have_value(email)
    expect(page.get_by_label("Password", exact=True)).to_have_value(onboarding.PASSWORD)
    page.get_by_label("Your name").fill("Greta Groupe")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_label("Street address")).to_have_value("12 Harbour Road")
    expect(page.get_by_label("State")).to_have_value("Oregon")
    page.go_back()
    expect(page.get_by_label("Your name")).to_have_value("Greta Groupe")
    page.go_forward()

    page.get_by_role("button", name="Register restaurant").click()
    terms = "You must agree to the Terms of Service to register"
    expect(page.get_by_text(terms)).to_be_visible()
    page.get_by_label("I agree to the").check()
    page.get_by_role("button", name="Register restaurant").click()
    page.wait_for_url("**/tier-selection")

    # One more on the same account: nothing is asked twice.
    register_business(page, stack, "Greta's Hill")
    expect(page.get_by_role("heading", name="The restaurant")).to_be_visible()
    fill_restaurant(page)
    page.get_by_label("I agree to the").check()
    page.get_by_role("button", name="Register restaurant").click()
    page.wait_for_url("**/tier-selection")

    for name in ("Greta's Harbour", "Greta's Hill"):
        page.goto(stack.url("/platform/tenants"))
        page.get_by_role("link", name=name).click()
        page.wait_for_url("**/restaurant")
        dismiss = page.get_by_role("button", name="Start")
        heading = page.get_by_role("heading", level=1, name=name)
        expect(dismiss.or_(heading).first).to_be_visible()
        if dismiss.is_visible():
            dismiss.click()
            # A closing dialog goes back over its own entry of the history, which would end the
            # next navigation.
            expect(dismiss).to_be_hidden()
            page.wait_for_function("!history.state?.dialogs")
        expect(heading).to_be_visible()
    page.goto(stack.url("/platform/tenants"))
    page.get_by_label("Search by name or slug").fill("hill")
    expect(page.get_by_role("link", name="Greta's Harbour")).to_be_hidden()
    expect(page.get_by_role("link", name="Greta's Hill")).to_be_visible()


def test_address_of_somebody_elses_account_is_refused_with_what_was_typed_stored(
    stack: Stack, visitor: Visitor
) -> None:
    email = onboarding.new_email("taken")
    onboarding.open_account(visitor().context, stack, email, name="First Here")
    page = visitor(phone=True)
    register_business(page, stack, "Second Here", email=email)
    fill_restaurant(page)
    page.get_by_label("I agree to the").check()
    page.get_by_role("button", name="Register restaurant").click()
    expect(page.get_by_text("Email Already Registered").first).to_be_visible()
    expect(page.get_by_label("Business name")).to_have_value("Second Here")
    expect(page.get_by_label("Email")).to_have_value(email)
