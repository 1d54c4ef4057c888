"""A team: an invitation by email, what the kitchen can do, and removing a member."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def agree(dialog: Dialog) -> None:
    dialog.accept()


def test_kitchen_is_invited_sees_orders_publishes_nothing_and_is_gone_at_once(
    stack: Stack, visitor: Visitor
) -> None:
    owner, email = visitor(), onboarding.new_email("kim")
    steps.sign_in(owner, stack)
    link = onboarding.invite(owner, stack, email, "Kitchen")

    kim = visitor(phone=True)
    kim.goto(link)
    expect(kim.get_by_role("heading", name="Join Luigi's")).to_be_visible()
    kim.get_by_label("Your name").fill("Kim Kitchen")
    kim.get_by_label("Password", exact=True).fill(onboarding.PASSWORD)
    kim.get_by_role("button", name="Create account and join").click()
    kim.wait_for_url("**/restaurant")
    kim.get_by_role("tab", name="Orders").click()
    kim.get_by_role("searchbox", name="Search").fill("Amara")
    expect(kim.get_by_text("Amara Okafor").first).to_be_visible()

    # Neither on the page nor by the call behind it.
    kim.get_by_role("tab", name="Specials").click()
    expect(kim.get_by_role("heading", name="Active Special Offers")).to_be_visible()
    expect(kim.get_by_role("button", name="Add special offer")).to_be_hidden()
    kim.get_by_role("button", name="Actions for Osso Buco alla Milanese").click()
    expect(kim.get_by_role("menuitem", name="Guest page")).to_be_visible()
    for action in ("Edit", "Delete"):
        expect(kim.get_by_role("menuitem", name=action)).to_have_count(0)
    kim.keyboard.press("Escape")
    refused = kim.request.post(
        stack.url("/api/dishes/special-offers"),
        data={"name": "Mutiny soup"},
        headers=onboarding.csrf(kim),
    )
    assert refused.status == 403
    assert "Your role can't change specials." in refused.json()["message"]
    answer = kim.goto(stack.url("/restaurant/team"))
    assert answer is not None
    assert answer.status == 403

    owner.on("dialog", agree)
    owner.goto(stack.url("/restaurant/team"))
    owner.get_by_role("button", name="Remove Kim Kitchen").click()
    expect(owner.get_by_text("Kim Kitchen was removed")).to_be_visible()
    kim.goto(stack.url("/restaurant"))
    expect(kim).to_have_url(stack.url("/"))
    assert kim.request.get(stack.url("/api/orders")).status == 403


def test_invitation_to_somebody_with_an_account_leads_through_sign_in(
    stack: Stack, visitor: Visitor
) -> None:
    owner, email = visitor(), onboarding.new_email("max")
    onboarding.open_account(visitor().context, stack, email, name="Max Manager")
    host = onboarding.new_email("hanna")
    onboarding.open_account(owner.context, stack, host, name="Hanna Host", confirmed=True)
    link = onboarding.invite(owner, stack, email, "Manager")

    # The link in the wrong hands does nothing but say whose it is.
    owner.goto(link)
    expect(owner.get_by_text(f"You are signed in as {host}")).to_be_visible()

    guest = visitor()
    guest.goto(link)
    guest.get_by_role("link", name="Sign in to accept").click()
    guest.get_by_label("Email").fill(email)
    guest.get_by_label("Password").fill(onboarding.PASSWORD)
    guest.get_by_role("button", name="Sign in", exact=True).click()
    guest.get_by_role("button", name="Accept invitation").click()
    guest.wait_for_url("**/restaurant")
    # The account works in the inviting restaurant, and keeps its own.
    expect(guest.get_by_role("button", name="Add special offer")).to_be_visible()
    guest.get_by_role("button", name="More").click()
    expect(guest.get_by_role("menuitem", name="Switch restaurant")).to_be_visible()
    again = visitor()
    again.goto(link)
    expect(again.get_by_text("This invitation is no longer valid.")).to_be_visible()


def test_invitation_taken_back_no_longer_opens(stack: Stack, visitor: Visitor) -> None:
    owner, email = visitor(phone=True), onboarding.new_email("rob")
    host = onboarding.new_email("hugo")
    onboarding.open_account(owner.context, stack, host, name="Hugo Host", confirmed=True)
    link = onboarding.invite(owner, stack, email, "Owner")
    owner.once("dialog", agree)
    owner.get_by_role("button", name=f"Revoke the invitation for {email}").click()
    expect(owner.get_by_text(f"The invitation for {email} was revoked")).to_be_visible()
    late = visitor()
    late.goto(link)
    expect(late.get_by_text("This invitation is no longer valid.")).to_be_visible()
