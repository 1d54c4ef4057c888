"""Publishing a special and announcing it, on a phone and on a desktop."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.pictures import photo_of_a_dish
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
SIZES = pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
COMPOSERS = re.compile(r"https://(www\.)?(facebook|x|instagram)\.com/")
LINKS = '{"facebook": "https://facebook.com/luigis", "twitter": "https://twitter.com/luigis"}'


@pytest.fixture(autouse=True)
def _no_links(stack: Stack) -> None:
    """Luigi's has nothing to announce on yet."""
    stack.query(
        "UPDATE restaurants_restaurant SET social_media_links = '{}'"
        " WHERE subdomain = 'luigis' RETURNING 1"
    )


def form_of(page: Page) -> Locator:
    page.get_by_role("button", name="Add special offer").click()
    return page.get_by_role("dialog", name="Create Special Offer")


def fill(form: Locator, name: str) -> None:
    form.get_by_label("Name").fill(name)
    form.get_by_label("Regular price").fill("24")
    form.get_by_label("Special price").fill("18")


def composer(route: Route) -> None:
    route.fulfill(body="<h1>Composer</h1>", content_type="text/html")


@pytest.mark.provokes(f"request to another host: {COMPOSERS.pattern}")
@SIZES
def test_name_prices_and_photo_are_enough_and_the_text_writes_itself(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    stack.query(
        "UPDATE restaurants_restaurant SET social_media_links = %s::jsonb"
        " WHERE subdomain = 'luigis' RETURNING 1",
        LINKS,
    )
    page = visitor(phone=phone)
    page.context.route(COMPOSERS, composer)
    steps.open_dashboard(page, stack)
    form = form_of(page)
    fill(form, "Braised lamb shank")
    form.locator("input[type=file]").set_input_files(
        {"name": "dish.png", "mimeType": "image/png", "buffer": photo_of_a_dish()}
    )
    expect(form.get_by_role("button", name="Publish offer")).to_be_enabled()
    form.get_by_role("button", name="Announce").click()
    expect(page.get_by_text("Special offer created successfully!")).to_be_visible()

    step = page.get_by_role("dialog", name="Announce your special")
    text = step.get_by_label("Announcement message")
    expect(text).to_have_value(re.compile("^New: Braised lamb shank at Luigi's Trattoria for"))
    text.fill("Lamb on Sunday! " + text.input_value().splitlines()[-1])
    with page.context.expect_page() as opened:
        step.get_by_role("button", name="Twitter").click()
    expect(opened.value).to_have_url(re.compile(r"^https://x\.com/intent/tweet\?text=Lamb"))
    opened.value.close()
    status = step.get_by_role("list", name="Posting status")
    expect(status.get_by_text("Twitter opened with your text.")).to_be_visible()
    step.get_by_role("button", name="Announce Everywhere").click()
    expect(status.get_by_role("listitem")).to_have_count(2)
    # One without a link fails alone, in words.
    step.get_by_role("button", name="Copy for Instagram").click()
    expect(status.get_by_text("Add your Instagram link in the Marketing section")).to_be_visible()

    step.get_by_role("button", name="Email the owner a copy").click()
    expect(page.get_by_text("We're emailing a copy to owner@demo.test.")).to_be_visible()
    eventually(
        lambda: any("Your announcement for" in email for email in stack.emails(to=steps.OWNER[0])),
        True,
    )
    step.get_by_role("button", name="Create Another Offer").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_have_value("")


@SIZES
def test_another_one_is_added_from_the_same_form(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    page = visitor(phone=phone)
    first, second = (f"{which} on a {'phone' if phone else 'desk'}" for which in ("One", "Two"))
    steps.open_dashboard(page, stack)
    form = form_of(page)
    fill(form, first)
    form.get_by_text("More options").click()
    form.get_by_label("Gluten", exact=True).check()
    form.get_by_label("Spicy").check()
    form.get_by_role("button", name="Add another").click()
    expect(page.get_by_text("Special offer created! Add another one below.")).to_be_visible()
    expect(form.get_by_label("Name")).to_have_value("")
    fill(form, second)
    form.get_by_role("button", name="Publish offer").click()
    expect(page.get_by_text("Your new special offer is now live.")).to_be_visible()
    created = page.get_by_role("dialog", name="Special offer created successfully!")
    created.get_by_role("button", name="Done").click()
    for name in (first, second):
        expect(page.get_by_role("row", name=re.compile(name))).to_be_visible()
    assert stack.query(
        "SELECT allergens::text, dietary::text FROM offers_specialoffer WHERE name = %s",
        first,
    ) == [('["gluten"]', '["spicy"]')]


def test_what_is_missing_is_said_at_its_place(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    steps.open_dashboard(page, stack)
    form = form_of(page)
    form.get_by_label("Special price").fill("30")
    form.get_by_label("Regular price").fill("24")
    form.get_by_text("More options").click()
    form.get_by_label("Serve another dish").check()
    form.get_by_text("More options").click()
    form.get_by_role("button", name="Publish offer").click()
    expect(page.get_by_text("Please correct the errors in the form.")).to_be_visible()
    for sentence in (
        "Name is required",
        "Special offer price must be less than regular price",
        "Invalid alternative dish ID",  # in the fold, which opens by itself
    ):
        expect(form.get_by_text(sentence)).to_be_visible()


def lose_the_answer(route: Route) -> None:
    route.fetch()
    route.abort()


def test_a_broken_connection_a_lost_answer_or_a_closed_dialog_costs_nothing(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor(phone=True)
    steps.open_dashboard(page, stack)
    form = form_of(page)
    fill(form, "Kept through the tunnel")
    page.context.set_offline(True)
    form.get_by_role("button", name="Publish offer").click()
    expect(form.get_by_text("What you entered is still here.")).to_be_visible()
    page.context.set_offline(False)
    # The request arrives, and its answer is lost.
    published = "SELECT count(*) FROM offers_specialoffer WHERE name = 'Kept through the tunnel'"
    page.route("**/api/dishes/special-offers", lose_the_answer, times=1)
    form.get_by_role("button", name="Publish offer").click()
    eventually(lambda: stack.query(published), [(1,)])
    expect(form.get_by_role("button", name="Publish offer")).to_be_enabled()
    form.get_by_role("button", name="Close", exact=True).click()
    page.reload()
    form = form_of(page)
    expect(form.get_by_text("We saved your draft.")).to_be_visible()
    expect(form.get_by_label("Name")).to_have_value("Kept through the tunnel")
    form.get_by_role("button", name="Publish offer").click()
    expect(page.get_by_text("Your new special offer is now live.")).to_be_visible()
    assert stack.query(published) == [(1,)]
    page.get_by_role("dialog").get_by_role("button", name="Create Another Offer").click()
    expect(form.get_by_label("Name")).to_have_value("")


def test_a_test_order_shows_what_a_guest_pays_and_orders_nothing(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor(phone=True)
    steps.open_dashboard(page, stack)
    before = stack.query("SELECT count(*) FROM preorders_preorder")
    page.get_by_role("button", name="Actions for Osso Buco alla Milanese").click()
    page.get_by_role("menuitem", name="Test order").click()
    card = page.get_by_role("dialog").get_by_label("Preview of Osso Buco alla Milanese")
    card.get_by_role("button", name="One more").click()
    expect(card.get_by_text("$56.16")).to_be_visible()  # 2 × 26.00 and 8 %
    card.get_by_role("button", name="Pre-Order Now").click()
    expect(card.get_by_text("a card for $56.16")).to_be_visible()
    card.get_by_role("button", name="Add to cart").click()
    expect(page.get_by_text("Added to cart")).to_be_visible()
    page.get_by_role("button", name="View cart (2) · $56.16").click()
    cart = page.get_by_role("dialog", name="Test cart")
    cart.get_by_role("button", name="One fewer").click()
    cart.get_by_role("button", name="Continue to payment · $28.08").click()
    payment = page.get_by_role("dialog", name="Test payment")
    expect(payment.get_by_text("1 × Osso Buco alla Milanese: $28.08")).to_be_visible()
    expect(payment.get_by_text("We'll charge your card on")).to_be_visible()
    payment.get_by_role("button", name="Cancel").click()
    cart.get_by_role("button", name="One fewer").click()
    expect(cart.get_by_text("Please add items to your cart before proceeding.")).to_be_visible()
    expect(cart.get_by_role("button", name="Continue to payment")).to_have_count(0)
    cart.get_by_role("button", name="Back to specials").click()
    page.get_by_role("button", name="Close preview").click()
    assert stack.query("SELECT count(*) FROM preorders_preorder") == before


def test_announcing_says_where_to_add_links_when_there_are_none(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    steps.sign_in(page, stack)
    page.goto(stack.url("/restaurant?tab=marketing"))
    page.get_by_role("button", name="Generate Message").click()
    expect(page.get_by_label("Announcement message")).to_have_value(re.compile("specials at"))
    expect(page.get_by_role("button", name="Announce Everywhere")).to_be_disabled()
    page.get_by_role("button", name="Copy for Instagram").click()
    expect(page.get_by_text("No Platforms Configured")).to_be_visible()


def test_announcing_says_when_there_is_no_open_special(stack: Stack, visitor: Visitor) -> None:
    page = visitor(phone=True)
    onboarding.open_account(page.context, stack, onboarding.new_email("olga"), name="Olga")
    page.goto(stack.url("/free-tier-quick-start"))
    page.get_by_role("button", name="Announce Your Special Offers").click()
    page.get_by_role("button", name="Generate Message").click()
    expect(page.get_by_text("No Special Offers Found")).to_be_visible()
