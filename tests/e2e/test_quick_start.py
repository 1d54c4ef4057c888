"""From a confirmed email to a special that guests can order, on one page."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.pictures import photo_of_a_phone
from tests.e2e.stack import Stack
from tests.e2e.waiting import glimpse

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
COMPOSERS = re.compile(r"https://(www\.)?(facebook|x|instagram)\.com/")
# Colors (red, green, blue) near the upper and the lower edge of a picture.
ABOVE_AND_BELOW = """async (image) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const drawing = canvas.getContext("2d");
    drawing.drawImage(image, 0, 0);
    const x = canvas.width / 2;
    return [20, canvas.height - 20].map((y) => [...drawing.getImageData(x, y, 1, 1).data]);
}"""


class Hand:
    """Counts presses and keystrokes."""

    def __init__(self) -> None:
        self.taps = self.fields = 0

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1

    def type(self, field: Locator, text: str) -> None:
        field.fill(text)
        self.fields += 1


def open_card(page: Page, title: str) -> None:
    button = page.get_by_role("button", name=title)
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def test_a_newcomer_with_a_phone_and_a_photo_has_a_special_that_guests_can_order(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor(phone=True)
    email = onboarding.new_email("pia28507")
    onboarding.confirm(page, stack, email)
    hand = Hand()
    button = page.get_by_role

    # Nothing is derived from the email: the page asks for the name, and proposes an address from
    # it.
    name = page.get_by_label("Restaurant name")
    expect(name).to_have_value("")
    hand.type(name, "Trattoria Pia")
    expect(page.get_by_label("Your web address")).to_have_value("trattoria-pia")
    expect(page.get_by_text(f"trattoria-pia.localhost:{stack.port} is available")).to_be_visible()
    hand.tap(button("button", name="Continue", exact=True))

    # The next step opens by itself.
    hand.tap(button("button", name="Add Special Offer"))
    form = page.get_by_role("dialog", name="Create Special Offer")
    photo = photo_of_a_phone()
    with page.expect_request("**/api/images/upload") as sent:
        form.locator("input[type=file]").set_input_files(
            {"name": "IMG_2034.JPG", "mimeType": "image/jpeg", "buffer": photo}
        )
    hand.fields += 1
    hand.type(form.get_by_label("Name"), "Lentil stew")
    hand.type(form.get_by_label("Regular price"), "14")
    hand.type(form.get_by_label("Special price"), "9.50")
    expect(form.get_by_label("noon")).to_be_checked()
    publish = form.get_by_role("button", name="Publish offer")
    expect(publish).to_be_enabled()
    # The phone sent it smaller than it was taken, and upright: red above, blue below.
    assert len(photo) > 5_000_000 > 2 * sent.value.sizes()["requestBodySize"]
    above, below = form.locator(".dropzone-picture").evaluate(ABOVE_AND_BELOW)
    assert above[0] > 2 * above[2]
    assert below[2] > 2 * below[0]
    hand.tap(publish)

    # It says that guests can't order yet, and what is left to do is right there.
    done = page.get_by_role("dialog", name="Special offer created successfully!")
    expect(
        done.get_by_text("Lentil stew is published, but guests can't order it yet.")
    ).to_be_visible()
    link = done.get_by_text(re.compile(r"^http://\S+/s/[0-9a-f]{8}$")).inner_text()
    assert link.startswith(f"http://trattoria-pia.localhost:{stack.port}/")
    hand.tap(done.get_by_role("button", name="Continue to Stripe Setup"))
    expect(page.get_by_role("heading", name=re.compile("ready for payments"))).to_be_visible()
    hand.tap(page.get_by_role("button", name="Complete onboarding"))

    # Back on the step that is next, whose text is written.
    page.wait_for_url("**/free-tier-quick-start")
    expect(page.get_by_text("Guests can order Lentil stew now.")).to_be_visible()
    expect(page.get_by_role("link", name="WhatsApp")).to_be_visible()
    text = page.get_by_label("Announcement message")
    expect(text).to_have_value(re.compile("Lentil stew at Trattoria Pia"))
    assert (hand.taps, hand.fields) == (5, 5)

    guest = visitor(phone=True)
    guest.goto(link)
    expect(guest).to_have_url(re.compile("/specials/[0-9a-f-]{36}$"))
    form = steps.open_form(guest)
    expect(form.get_by_role("button", name="Pre-Order Now")).to_be_enabled()
    [(deadline, zone, width, height)] = stack.query(
        "SELECT offer.deadline, place.timezone, photo.width, photo.height"
        " FROM offers_specialoffer offer"
        " JOIN restaurants_restaurant place ON place.id = offer.restaurant_id"
        " JOIN offers_photo photo ON photo.id = offer.photo_id"
        " WHERE place.email = %s",
        email,
    )
    assert (width, height) == (1500, 2000)
    assert (deadline.minute, deadline.second) == (0, 0), zone


@pytest.mark.provokes(f"request to another host: {COMPOSERS.pattern}")
def test_an_owner_announces_sets_a_password_and_goes_to_the_dashboard(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    page.context.route(
        COMPOSERS, lambda route: route.fulfill(body="<h1>Composer</h1>", content_type="text/html")
    )
    onboarding.confirm(page, stack, onboarding.new_email("quinn"))
    expect(page.get_by_role("heading", level=1, name="Quick Start")).to_be_visible()
    expect(
        page.get_by_text("Create and announce your first special offer in minutes")
    ).to_be_visible()
    finish = page.get_by_role("button", name="Complete Setup & Go to Dashboard")
    expect(finish).to_be_disabled()

    # Without a name nothing is published, and any step can wait.
    open_card(page, "Create Special Offers")
    page.get_by_role("button", name="Name your restaurant").click()
    page.get_by_label("Restaurant name").fill("Quinn's Desk")
    onboarding.type_address(page, "quinns")
    expect(page.get_by_text(f"quinns.localhost:{stack.port} is available")).to_be_visible()
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_role("button", name="Web Address (complete)")).to_be_visible()

    open_card(page, "Restaurant Profile & Web Address")
    page.get_by_role("button", name="Edit web address").click()
    onboarding.type_address(page, "quinns-desk")
    expect(page.get_by_text(f"quinns-desk.localhost:{stack.port} is available")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="quinns-desk.localhost")).to_be_visible()
    page.get_by_role("button", name="Learn about embedding").click()
    guide = page.get_by_role("dialog", name="Learn about embedding")
    expect(guide.locator("pre.code")).to_contain_text("quinns-desk.localhost")
    guide.get_by_role("button", name="Close", exact=True).click()

    open_card(page, "Marketing & Social Media")
    page.get_by_label("Facebook").fill("quinns")
    page.get_by_role("button", name="Save Social Media Links").click()
    expect(page.get_by_role("button", name="Marketing & Social Media (complete)")).to_be_visible()
    open_card(page, "Payment Setup")
    expect(page.get_by_role("button", name="Continue to Stripe Setup")).to_be_visible()
    open_card(page, "Password Setup")
    page.get_by_label("Password", exact=True).fill(onboarding.PASSWORD)
    page.get_by_role("button", name="Set Password").click()
    expect(page.get_by_role("heading", name="Update Account Password")).to_be_visible()

    open_card(page, "Create Special Offers")
    page.get_by_role("button", name="Add Special Offer").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill("Lentil stew")
    form.get_by_label("Regular price").fill("14")
    form.get_by_label("Special price").fill("9.50")
    form.get_by_role("button", name="Publish offer").click()
    expect(page.get_by_text("Special offer created! Now create your announcement.")).to_be_visible()
    page.get_by_role("button", name="Do this later").click()

    # The announcement opens and writes itself.
    text = page.get_by_label("Announcement message")
    expect(text).to_have_value(re.compile("^Coming up: Lentil stew at Quinn's Desk"))
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Announce Everywhere").click()
    expect(opened.value).to_have_url(re.compile(r"^https://www\.facebook\.com/sharer/"))
    page.bring_to_front()
    expect(page.get_by_role("list", name="Posting status")).to_contain_text(" opened with your ")
    finish.click()
    glimpse(page.get_by_text("Announcement Ready!"))
    page.wait_for_url("**/free-tier-dashboard")


def test_who_is_not_signed_in_ends_at_the_settings_after_signing_in(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    page.goto(stack.url("/free-tier-quick-start"))
    expect(page).to_have_url(stack.url("/?next=%2Frestaurant%2Fsettings"))
    page.goto(stack.url("/login"))
    page.get_by_label("Email").fill("owner@demo.test")
    page.get_by_label("Password").fill("demo-owner-1")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/restaurant/settings")
