"""What people do on our pages, as functions that make tests readable."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, expect

from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

OWNER = ("owner@demo.test", "demo-owner-1")
BRANDED = ("owner2@demo.test", "demo-owner-2")  # of Sakura in Chicago
LUIGIS_ZONE = ZoneInfo("America/New_York")
GOOD = "4242424242424242"
DECLINED = "4000000000000002"
WANTS_3DS = "4000002500003155"
OFF_SESSION_DECLINED = "4000000000000341"  # held once; every charge without its guest is declined
LONGEST_WAY = 200  # presses of Tab from the top of a page to anything on it
FOCUSED = "element => element.ownerDocument.activeElement === element"


def sign_in(page: Page, stack: Stack, who: tuple[str, str] = OWNER) -> None:
    """Sign in with the session that all tests share. Tests about the form fill it in themselves."""
    cookies = stack.session(*who).cookies
    page.context.add_cookies(
        [{"name": name, "value": value, "url": stack.url()} for name, value in cookies.items()]
    )


def open_dashboard(page: Page, stack: Stack, who: tuple[str, str] = OWNER) -> None:
    """Open the dashboard as somebody of the demo."""
    sign_in(page, stack, who)
    page.goto(stack.url("/restaurant?tab=specials"))


# By how many pixels the text of a time field is wider than the field, measured with a copy as wide
# as its text: https://developer.mozilla.org/en-US/docs/Web/CSS/max-content
CUT_OFF = """(fields) => fields.map((field) => {
    const copy = field.cloneNode();
    copy.style.cssText = "position: absolute; min-width: 0; width: max-content";
    field.after(copy);
    copy.value = "10:59";
    const wanted = copy.getBoundingClientRect().width;
    copy.remove();
    return Math.max(0, Math.floor(wanted - field.getBoundingClientRect().width));
})"""


def expect_whole_times(fields: Locator) -> None:
    """The hours, the minutes, and AM or PM of every time field can be read."""
    expect(fields.first).to_be_visible()
    assert set(fields.evaluate_all(CUT_OFF)) == {0}


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
    """Publish a special in the open dashboard; returns its public link. Its deadline passes when a
    test moves it, never by itself during another test.
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
    dialog.get_by_label("Another time").check()
    dialog.get_by_label("Pre-order deadline").fill(deadline.strftime("%Y-%m-%dT%H:%M"))
    dialog.get_by_role("button", name=re.compile("^(Create|Publish)")).click()
    expect(page.get_by_text("Special offer created successfully!").first).to_be_visible()
    link = dialog.get_by_role("link", name="View guest page").get_attribute("href")
    assert link
    expect(dialog.get_by_text(short_link(link), exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Copy link").click()
    eventually(lambda: page.evaluate("navigator.clipboard.readText()"), short_link(link))
    dialog.get_by_role("button", name="Done").click()
    return link


def sees(page: Page, link: str, words: str) -> bool:
    """Whether a public page that is loaded now has these words. It can be two seconds old
    (`page_cache`)."""
    page.goto(link)
    return page.get_by_text(words).first.is_visible()


def offer_id(link: str) -> str:
    return link.rsplit("/", 1)[1]


def short_link(link: str) -> str:
    """What an owner shares; it leads to the special's public page."""
    return f"{link.partition('/specials/')[0]}/s/{offer_id(link)[:8]}"


def open_form(page: Page) -> Locator:
    """Open the special's order form; on a phone, it is a sheet."""
    opener = page.locator("[data-open-sheet]")
    if opener.is_visible() and not page.locator(".order-sheet[open]").count():
        opener.click()
    return page.locator("#pre-order")


def open_note(form: Locator) -> Locator:
    """Open the field for the kitchen in an order form, unless it is open already."""
    fold = form.locator("details").filter(has=form.page.locator("#note"))
    if not fold.evaluate("(fold) => fold.open"):
        fold.locator("summary").click()
    return form.get_by_label("Allergies or requests")


def fill_order(page: Page, link: str, email: str, *, portions: int = 1) -> None:
    page.goto(link)
    form = open_form(page)
    form.get_by_label("Portions").fill(str(portions))
    form.get_by_label("Name").fill("Dana Guest")
    form.get_by_label("Email").fill(email)
    form.get_by_role("button", name="Pre-Order Now").click()


def expect_card_asked(page: Page) -> None:
    """Expect the fields for a card: on our own page, or without a script and for a change on the
    payment provider's."""
    expect(page.locator(".card-fields iframe, #number")).to_be_visible()


def give_card(page: Page, number: str) -> None:
    """Enter a card where it is asked for, in whichever language."""
    expect_card_asked(page)
    typed = {"number": number, "expiry": "12 / 34", "cvc": "123"}
    if "/cart/return" in page.url:
        fields = page.frame_locator(".card-fields iframe")
        for name, text in typed.items():
            fields.locator(f"#{name}").fill(text)
        page.locator(".card-actions [type=submit]").click()
    else:
        for name, text in {**typed, "name": "Dana Guest"}.items():
            page.locator(f"#{name}").fill(text)
        page.locator("main button[type=submit]").click()


def expect_held(page: Page) -> None:
    """Expect the order's page, with a held card. Other pages say "held" before anything is."""
    expect(page).to_have_url(re.compile(r"/order/"))
    expect(page.get_by_text(re.compile("You(.re in for| made )")).first).to_be_visible()


def order(page: Page, link: str, email: str, *, portions: int = 1, number: str = GOOD) -> None:
    fill_order(page, link, email, portions=portions)
    give_card(page, number)


def tab_to(page: Page, goal: Locator) -> None:
    for _ in range(LONGEST_WAY):
        if goal.evaluate(FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {goal}")


def press_at(page: Page, goal: Locator) -> None:
    """Move the focus to the goal and press it, with the keyboard alone."""
    expect(goal).to_be_visible()
    tab_to(page, goal)
    page.keyboard.press("Enter")
