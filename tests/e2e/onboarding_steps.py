"""The steps of a new owner on the way to a restaurant, as functions that make tests readable."""

import itertools
import re
from email import message_from_bytes, policy
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

PASSWORD = "basil-and-lemon-1"
AFTER_CONFIRMATION = "**/free-tier-quick-start"
_people = itertools.count(1)


def new_email(name: str) -> str:
    """An address nobody has used before in this run."""
    return f"{name}-{next(_people)}@newcomers.test"


# --- emails ---------------------------------------------------------------------------------------
def words_in(email: str) -> str:
    """The plain text of an email."""
    body = message_from_bytes(email.encode(), policy=policy.default).get_body(("plain",))
    assert body is not None
    words: str = body.get_content()
    return words


def link_in(email: str) -> str:
    """The address of an email's button."""
    words = words_in(email)
    found = re.search(r"^http\S+$", words, re.MULTILINE)
    assert found, words
    return found.group()


def link_to(stack: Stack, email: str, *, part: str) -> str:
    """The newest link to a page whose address has `part`, once its email has come."""

    eventually(lambda: bool(_links(stack, email, part)), True)
    return _links(stack, email, part)[-1]


def newer_link(stack: Stack, email: str, *, than: str) -> str:
    """The link of the email that comes after the one with the link `than`."""
    part = urlsplit(than).path
    eventually(lambda: _links(stack, email, part)[-1] != than, True)
    return _links(stack, email, part)[-1]


def _links(stack: Stack, email: str, part: str) -> list[str]:
    return [link for message in stack.emails(to=email) if part in (link := link_in(message))]


# --- the front door -------------------------------------------------------------------------------
def ask_for_link(page: Page, stack: Stack, email: str) -> None:
    page.goto(stack.url("/"))
    page.get_by_label("Email", exact=True).fill(email)
    page.get_by_role("button", name="Get started free").click()


def confirm(page: Page, stack: Stack, email: str) -> str:
    """Go from the start page to Quick Start by the email's link; returns that link."""
    ask_for_link(page, stack, email)
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    link = link_to(stack, email, part="/verify-email")
    page.goto(link)
    page.wait_for_url(AFTER_CONFIRMATION)
    return link


def open_account(
    context: BrowserContext, stack: Stack, email: str, *, name: str, confirmed: bool = False
) -> None:
    """Register a signed-in owner with a password, by the registration form's call without its
    page."""
    answer = context.request.post(
        stack.url("/api/register"), data={"name": name, "email": email, "password": PASSWORD}
    )
    assert answer.status == 201, answer.text()
    # The country decides whether a restaurant can be paid, so Stripe's setup asks for it first.
    stack.query("UPDATE restaurants_restaurant SET country = 'US' WHERE email = %s", email)
    if confirmed:
        stack.query("UPDATE account_emailaddress SET verified = true WHERE email = %s", email)


def sign_in(page: Page, stack: Stack, email: str, password: str = PASSWORD) -> None:
    page.goto(stack.url("/login"))
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


# --- the wizards ----------------------------------------------------------------------------------
def see_plans(page: Page) -> None:
    """Choose a plan, which a new restaurant can do before it has published anything."""
    page.goto(urljoin(page.url, "/tier-selection"))


def choose_plan(page: Page, plan: str) -> None:
    page.get_by_role("button", name=re.compile(rf"^(Choose|Continue with) {plan}$")).click()


def name_restaurant(page: Page, name: str) -> None:
    page.get_by_label("What's your restaurant called?").fill(name)
    page.get_by_role("button", name="Continue").click()


def type_address(page: Page, label: str) -> None:
    page.get_by_label("Your web address").fill(label)


def save_address(page: Page, stack: Stack, label: str) -> None:
    """Type the address, see that it is free, and save it."""
    type_address(page, label)
    expect(page.get_by_text(f"{label}.localhost:{stack.port} is available")).to_be_visible()
    page.get_by_role("button", name="Save and continue").click()


def go_to_work(page: Page) -> None:
    """Go from the wizard's last step through the welcome to the dashboard."""
    page.get_by_role("link", name="Go to your dashboard").click()
    page.wait_for_url("**/restaurant")
    welcome = page.get_by_role("dialog", name="How To Get Fully Booked")
    welcome.get_by_role("button", name="Start").click()
    expect(welcome).to_be_hidden()


def csrf(page: Page) -> dict[str, str]:
    """The header our own scripts send with every write."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    return {"X-CSRFToken": cookies["csrftoken"]}


def upgrade(page: Page, stack: Stack) -> None:
    """Choose the branded plan without its page."""
    page.goto(stack.url("/tier-selection"))
    answer = page.request.put(
        stack.url("/api/restaurant/upgrade-tier"),
        data={"subscriptionTier": "branded", "revenueSharePercentage": "3.00"},
        headers=csrf(page),
    )
    assert answer.status == 200, answer.text()


# --- the team -------------------------------------------------------------------------------------
def invite(page: Page, stack: Stack, email: str, role: str) -> str:
    """Invite someone as the restaurant's owner; returns the email's link."""
    page.goto(stack.url("/restaurant/team"))
    page.get_by_label("Email").fill(email)
    page.get_by_label(f"{role}.").check()
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_role("button", name=f"Revoke the invitation for {email}")).to_be_visible()
    return link_to(stack, email, part="/invitation")
