"""A forgotten password: by email to a new one, which ends the sessions the old one opened."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e.stack import Stack
from tests.e2e.waiting import glimpse

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
NEW = "thyme-and-honey-2"


def ask_for_reset(page: Page, stack: Stack, email: str) -> None:
    """Ask in the dialog, which takes over the email typed into the sign-in form."""
    page.goto(stack.url("/login"))
    page.get_by_label("Email").fill(email)
    page.get_by_role("link", name="Forgot your password?").click()
    dialog = page.get_by_role("dialog", name="Forgot your password?")
    expect(dialog.get_by_label("Email")).to_have_value(email)
    dialog.get_by_role("button", name="Send reset link").click()
    expect(dialog.get_by_role("status")).not_to_be_empty()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def choose_password(page: Page, password: str, again: str) -> None:
    page.get_by_label("New password", exact=True).fill(password)
    page.get_by_label("Repeat the new password").fill(again)
    page.get_by_role("button", name="Change password").click()


def test_forgotten_password_is_replaced_by_email_and_ends_old_sessions(
    stack: Stack, visitor: Visitor
) -> None:
    email = onboarding.new_email("fran")
    elsewhere = visitor()
    onboarding.open_account(elsewhere.context, stack, email, name="Fran Forgetful")
    elsewhere.goto(stack.url("/account"))
    expect(elsewhere.get_by_text(email).first).to_be_visible()

    page = visitor(phone=True)
    ask_for_reset(page, stack, email)
    link = onboarding.link_to(stack, email, part="/reset-password")
    page.goto(link)
    choose_password(page, NEW, "thyme-and-lemon-2")
    expect(page.get_by_text("Passwords do not match")).to_be_visible()
    expect(page.get_by_label("New password", exact=True)).to_have_value(NEW)
    choose_password(page, NEW, NEW)
    glimpse(page.get_by_role("heading", name="Password changed"))
    expect(page).to_have_url(stack.url("/login"))

    elsewhere.goto(stack.url("/account"))
    expect(elsewhere).to_have_url(stack.url("/login?next=/account"))
    onboarding.sign_in(page, stack, email)
    expect(page.get_by_text("Invalid email or password")).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value(email)
    page.get_by_label("Password").fill(NEW)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/restaurant")

    # The link is spent, and the page offers another one.
    spent = visitor()
    spent.goto(link)
    expect(spent.get_by_text("This reset link is invalid or has expired.")).to_be_visible()
    expect(spent.get_by_role("button", name="Send reset link")).to_be_visible()


def test_address_without_an_account_gets_the_same_answer_and_no_email(
    stack: Stack, visitor: Visitor
) -> None:
    stranger, known = onboarding.new_email("stranger"), onboarding.new_email("known")
    page = visitor()
    onboarding.open_account(visitor().context, stack, known, name="Known Person")
    answers = []
    for email in (stranger, known):
        ask_for_reset(page, stack, email)
        answers.append(page.locator("dialog [data-sent]").inner_text())
    assert answers[0] == answers[1]
    onboarding.link_to(stack, known, part="/reset-password")
    assert stack.emails(to=stranger) == []


def test_reset_page_without_a_token_says_what_is_missing(stack: Stack, visitor: Visitor) -> None:
    for path in ("/reset-password", "/restaurant/reset-password"):
        page = visitor(java_script=path.startswith("/restaurant"))
        page.goto(stack.url(path))
        expect(page.get_by_text("Invalid or missing reset token")).to_be_visible()
