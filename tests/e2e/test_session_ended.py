"""Forms after the session ended elsewhere: nothing is sent, and nothing that was typed is lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
STAYS = "You've been signed out. What you entered is still here."


def owner_of_a_restaurant(page: Page, stack: Stack, name: str) -> str:
    """Register an owner with an own account, so that signing out ends nobody else's session;
    returns the email."""
    email = onboarding.new_email(name.lower())
    onboarding.open_account(page.context, stack, email, name=f"{name} Owner", confirmed=True)
    return email


def sign_out_in_another_tab(page: Page, stack: Stack) -> None:
    other = page.context.new_page()
    other.goto(stack.url("/account"))
    other.get_by_role("button", name="Sign out here").click()
    other.wait_for_url("**/login")
    other.close()


def sign_in_beside(page: Page, email: str) -> None:
    """Sign in by the link beside the form, which opens a page of its own."""
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in again in a new tab").click()
    other = opened.value
    other.get_by_label("Email").fill(email)
    other.get_by_label("Password").fill(onboarding.PASSWORD)
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.wait_for_url(page.url)
    other.close()


def test_invitation_typed_before_the_session_ended_is_sent_after_signing_in(
    stack: Stack, visitor: Visitor
) -> None:
    page, mate = visitor(phone=True), onboarding.new_email("mate")
    email = owner_of_a_restaurant(page, stack, "Ines")
    page.goto(stack.url("/restaurant/team"))
    page.get_by_label("Email").fill(mate)
    page.get_by_label("Kitchen.").check()
    sign_out_in_another_tab(page, stack)
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_role("alert").filter(has_text=STAYS)).to_be_visible()
    invited = "SELECT role FROM restaurants_invitation WHERE email = %s"
    assert stack.query(invited, mate) == []

    sign_in_beside(page, email)
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_role("button", name=f"Revoke the invitation for {mate}")).to_be_visible()
    assert stack.query(invited, mate) == [("kitchen",)]


def test_invitation_stays_typed_while_its_sender_proves_who_they_are(
    stack: Stack, visitor: Visitor
) -> None:
    page, mate = visitor(), onboarding.new_email("mate")
    owner_of_a_restaurant(page, stack, "Irma")
    page.goto(stack.url("/restaurant/team"))
    [key] = [each["value"] for each in page.context.cookies() if each["name"] == "sessionid"]
    stack.age_proofs(key, seconds=24 * 60 * 60)
    page.get_by_label("Email").fill(mate)
    page.get_by_label("Owner.").check()
    page.get_by_role("button", name="Send invitation").click()
    page.wait_for_url("**/account/again?**")
    page.get_by_label("Password").fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/restaurant/team")
    expect(page.get_by_label("Email")).to_have_value(mate)
    expect(page.get_by_label("Owner.")).to_be_checked()
    # It waits there once: a later visit starts empty.
    page.reload()
    expect(page.get_by_label("Email")).to_have_value("")


@pytest.mark.parametrize(
    ("path", "label", "button"),
    [
        ("/account", "Name", "Save name"),
        ("/restaurant/security", "New contact email", "Change address|Email a confirmation link"),
    ],
    ids=["account", "security"],
)
def test_form_of_the_server_stays_and_is_sent_after_signing_in(
    stack: Stack, visitor: Visitor, path: str, label: str, button: str
) -> None:
    page = visitor(phone=True)
    email = owner_of_a_restaurant(page, stack, "Otto")
    page.goto(stack.url(path))
    typed = onboarding.new_email("contact") if "email" in label else "Otto of the Night"
    page.get_by_label(label, exact=True).first.fill(typed)
    sign_out_in_another_tab(page, stack)
    page.get_by_role("button", name=re.compile(button)).first.click()
    expect(page.get_by_role("alert").filter(has_text=STAYS)).to_be_visible()
    expect(page.get_by_label(label, exact=True).first).to_have_value(typed)
    expect(page).to_have_url(stack.url(path))
    saved = "SELECT 1 FROM accounts_user WHERE email = %s AND name = %s"
    assert stack.query(saved, email, typed) == []

    sign_in_beside(page, email)
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(button)).first.click()
    expect(page.get_by_role("alert").filter(has_text=STAYS)).to_have_count(0)
    if path == "/account":
        expect(page.get_by_text("Name saved.")).to_be_visible()
        assert stack.query(saved, email, typed) == [(1,)]
    else:
        expect(page.get_by_text(typed).first).to_be_visible()


def test_form_of_the_server_stays_without_a_connection(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    owner_of_a_restaurant(page, stack, "Olaf")
    page.goto(stack.url("/account"))
    page.get_by_label("Name", exact=True).first.fill("Olaf in the Tunnel")
    page.context.set_offline(True)
    page.get_by_role("button", name="Save name").click()
    expect(page.get_by_text("Check your connection and try again.")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Save name").click()
    expect(page.get_by_text("Name saved.")).to_be_visible()
