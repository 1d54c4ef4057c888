"""Unsubscribing from a restaurant's emails, by the email program and on the page."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
SUBJECT = "A quiet Tuesday"


@pytest.fixture(autouse=True)
def _noon(stack: Stack) -> Iterator[None]:
    """Emails to followers go out in the daytime, so Luigi's is where it is noon; and it has a
    month's emails left, however many other tests' specials were announced and nudged."""
    set_zone = (
        "UPDATE restaurants_restaurant SET timezone = %s WHERE subdomain = 'luigis' RETURNING 1"
    )
    east_of_us = 12 - datetime.now(UTC).hour
    stack.query(set_zone, f"Etc/GMT{-east_of_us:+d}")  # its signs are those of POSIX
    stack.query(
        "UPDATE restaurants_restaurant SET monthly_emails_sent = 0 WHERE subdomain = 'luigis'"
        " RETURNING 1"
    )
    yield
    stack.query(set_zone, steps.LUIGIS_ZONE.key)


def emails(stack: Stack, to: str) -> list[EmailMessage]:
    texts = stack.emails(to=to)
    return [message_from_string(text, EmailMessage, policy=default) for text in texts]


def news(stack: Stack, to: str) -> list[EmailMessage]:
    return [each for each in emails(stack, to) if each["Subject"] == SUBJECT]


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body
    return str(body.get_content())


def follow(page: Page, stack: Stack, address: str) -> None:
    page.goto(stack.url("/follow", restaurant="luigis"))
    form = page.locator("form[action*='/follow']")
    form.get_by_label("Email").fill(address)
    form.get_by_role("button").click()
    expect(page.get_by_role("heading", name="Check your inbox")).to_be_visible()
    eventually(lambda: len(emails(stack, address)), 1)
    [link] = set(re.findall(r"http://\S+/follow/\S+", text_of(emails(stack, address)[0])))
    page.goto(link)  # the browser that asked needs no second yes
    expect(page.get_by_role("heading", name="You're on the list")).to_be_visible()


def status(stack: Stack, address: str) -> str:
    [(found,)] = stack.query("SELECT status FROM preorders_subscriber WHERE email = %s", address)
    return str(found)


def followers_of(page: Page, stack: Stack) -> int:
    """How many an email to everybody would reach, as the owner's form says."""
    page.goto(stack.url("/restaurant/audience/emails/new"))
    button = page.get_by_role("button", name=re.compile(r"^Email \d+ follower"))
    return int("".join(filter(str.isdigit, button.inner_text())))


def test_a_follower_stops_the_emails_in_their_email_program_and_another_on_the_page(
    stack: Stack, visitor: Visitor
) -> None:
    calls.publish(stack, "Bollito misto")
    guest, owner = visitor(phone=True), visitor()
    by_program, by_page = "pat@unsubscribe.test", "kim@unsubscribe.test"
    follow(guest, stack, by_program)
    follow(guest, stack, by_page)

    steps.sign_in(owner, stack)
    reached = followers_of(owner, stack)
    owner.get_by_label("Subject").fill(SUBJECT)
    owner.get_by_role("button", name=f"Email {reached} followers").click()
    expect(owner.get_by_text("Your email is on its way.")).to_be_visible()
    eventually(lambda: [len(news(stack, each)) for each in (by_program, by_page)], [1, 1])

    # What an email program posts: no cookie, no page, and no redirect to follow.
    # https://www.rfc-editor.org/rfc/rfc8058#section-3.2
    [message] = news(stack, by_program)
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = urlsplit(message["List-Unsubscribe"].strip(" <>"))
    answer = httpx.post(
        f"http://127.0.0.1:{url.port}{url.path}?{url.query}",
        headers={"Host": url.netloc},
        data={"List-Unsubscribe": "One-Click"},
        timeout=60,
    )
    assert (answer.status_code, answer.content) == (204, b"")
    assert [status(stack, each) for each in (by_program, by_page)] == ["unsubscribed", "confirmed"]

    # Opening the link changes nothing; the button does.
    [link] = set(re.findall(r"http://\S+/email-preferences/\S+", text_of(news(stack, by_page)[0])))
    guest.goto(link)
    expect(guest.get_by_text("Unsubscribe from news from Luigi's Trattoria?")).to_be_visible()
    assert status(stack, by_page) == "confirmed"
    guest.get_by_role("button", name="Unsubscribe").click()
    expect(guest.get_by_role("heading", name="You're unsubscribed")).to_be_visible()
    assert status(stack, by_page) == "unsubscribed"
    assert followers_of(owner, stack) == reached - 2
