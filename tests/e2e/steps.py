"""What people do on our pages, in words the tests can be read in."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

OWNER = ("owner@demo.test", "demo-owner-1")
BRANDED = ("owner2@demo.test", "demo-owner-2")  # of Sakura in Chicago
LUIGIS_ZONE = ZoneInfo("America/New_York")
GOOD = "4242424242424242"
DECLINED = "4000000000000002"
WANTS_3DS = "4000002500003155"


def sign_in(page: Page, stack: Stack, who: tuple[str, str] = OWNER) -> None:
    """With the session all tests share; the form is filled in where it is what is looked at."""
    cookies = stack.session(*who).cookies
    page.context.add_cookies(
        [{"name": name, "value": value, "url": stack.url()} for name, value in cookies.items()]
    )


def open_dashboard(page: Page, stack: Stack, who: tuple[str, str] = OWNER) -> None:
    """As somebody of the demo."""
    sign_in(page, stack, who)
    page.goto(stack.url("/restaurant"))


def open_help(page: Page) -> None:
    """From the dashboard's header, where a phone has it under 'More'."""
    button = page.get_by_role("button", name="Help")
    if button.is_visible():
        button.click()
    else:
        page.get_by_role("button", name="More").click()
        page.get_by_role("menuitem", name="Help").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def publish(page: Page, name: str, *, minimum: int, photo: bytes | None = None) -> str:
    """Publish a special in the open dashboard; its public link.

    Its deadline comes when a test brings it, never by itself in the middle of another one.
    """
    page.get_by_role(
        "button", name=re.compile("Create First Special Offer|[Aa]dd|New")
    ).first.click()
    dialog = page.get_by_role("dialog")
    if photo:
        dialog.locator("input[type=file]").set_input_files(
            {"name": "dish.png", "mimeType": "image/png", "buffer": photo}
        )
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Regular price").fill("24")
    dialog.get_by_label("Special price").fill("18")
    dialog.get_by_label("Minimum pre-orders").fill(str(minimum))
    deadline = datetime.now(LUIGIS_ZONE) + timedelta(hours=2)
    dialog.get_by_label("Pre-order deadline").fill(deadline.strftime("%Y-%m-%dT%H:%M"))
    dialog.get_by_role("button", name=re.compile("^(Create|Publish)")).click()
    expect(page.get_by_text("Special offer created successfully!").first).to_be_visible()
    link = dialog.get_by_text(re.compile(r"^http://\S+/specials/\S+$")).inner_text()
    dialog.get_by_role("button", name="Copy link").click()
    eventually(lambda: page.evaluate("navigator.clipboard.readText()"), link)
    dialog.get_by_role("button", name="Done").click()
    return link


def sees(page: Page, link: str, words: str) -> bool:
    """Whether a public page, loaded now, says so; it may be two seconds old (`page_cache`)."""
    page.goto(link)
    return page.get_by_text(words).first.is_visible()


def offer_id(link: str) -> str:
    return link.rsplit("/", 1)[1]


def fill_order(page: Page, link: str, email: str, *, portions: int = 1) -> None:
    page.goto(link)
    form = page.locator("#pre-order")
    form.get_by_label("Portions").fill(str(portions))
    form.get_by_label("Name").fill("Dana Guest")
    form.get_by_label("Email").fill(email)
    form.get_by_label("Phone").fill("212 555 0199")
    form.get_by_role("button", name="Pre-Order Now").click()


def give_card(page: Page, number: str) -> None:
    """On the processor's hosted page."""
    expect(page.get_by_text("TEST MODE").first).to_be_visible()
    page.get_by_label("Card number").fill(number)
    page.get_by_label("Expiry").fill("12 / 34")
    page.get_by_label("CVC").fill("123")
    page.get_by_label("Name on card").fill("Dana Guest")
    page.get_by_role("button", name=re.compile("^Pay")).click()


def expect_held(page: Page) -> None:
    """The processor sent the guest back with a held card. Its own page and the order form say
    "held" as well, before anything is."""
    expect(page).to_have_url(re.compile(r"/pre-order-confirmation\?"))
    expect(page.get_by_text(re.compile("You.re in for")).first).to_be_visible()


def order(page: Page, link: str, email: str, *, portions: int = 1, number: str = GOOD) -> None:
    fill_order(page, link, email, portions=portions)
    give_card(page, number)
