"""Pickup at the door, by the code in the email and by camera."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import calls, steps
from tests.e2e.conftest import PATIENCE_MS, SWITCHES
from tests.e2e.fake_camera import film_of_code
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually, glimpse
from tests.e2e.watching import Watch

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def to_be_picked_up(stack: Stack, name: str, email: str) -> str:
    """An order that is charged and served today; its id."""
    special = calls.publish(stack, name)
    order = calls.place_order(stack, special, email, portions=2)
    stack.bring_deadline(special, seconds=0)
    eventually(lambda: [paid for *_, paid in stack.orders(special)], ["captured"])
    stack.query(
        "UPDATE offers_specialoffer SET serve_date = (now() AT TIME ZONE %s)::date WHERE id = %s",
        steps.LUIGIS_ZONE.key,
        special,
    )
    return order


def status(stack: Stack, order: str) -> str:
    [(found,)] = stack.query("SELECT status FROM preorders_preorder WHERE id = %s", order)
    return str(found)


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_the_kitchen_picks_up_by_code_with_two_presses_of_enter(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    owner = visitor(phone=phone)
    email = f"gina@{'phone' if phone else 'desk'}.test"
    order = to_be_picked_up(stack, "Gnocchi al limone", email)
    steps.sign_in(owner, stack)
    # It opens at today while a special just ended.
    owner.goto(stack.url("/restaurant"))
    expect(owner.get_by_role("tab", name="Today")).to_have_attribute("aria-selected", "true")
    owner.get_by_role("link", name="Open pickup").click()
    code = owner.get_by_role("textbox", name="Code")
    code.fill(f"{order[-8:-4]} {order[-4:]}")
    code.press("Enter")
    verdict = owner.get_by_role("alert")
    expect(verdict.get_by_text("Ready to pick up")).to_be_visible()
    expect(verdict.get_by_text("Dana Guest")).to_be_visible()
    mark_picked_up = owner.get_by_role("button", name="Mark as picked up")
    expect(mark_picked_up).to_be_focused()
    owner.keyboard.press("Enter")
    glimpse(owner.get_by_text("Picked up", exact=True))
    assert status(stack, order) == "fulfilled"

    # It is ready for the next guest by itself; the same code is recognized at once.
    expect(code).to_be_visible()
    code.fill(order[-8:])
    code.press("Enter")
    expect(verdict.get_by_text("Already picked up", exact=True)).to_be_visible()
    expect(owner.get_by_role("button", name="Mark as picked up")).to_be_hidden()
    owner.get_by_role("button", name="Next guest").click()

    owner.get_by_role("button", name="Undo: Dana Guest").click()
    eventually(lambda: status(stack, order), "confirmed")
    code.fill("0000 0000")
    code.press("Enter")
    expect(verdict.get_by_text("No order with that code", exact=True)).to_be_visible()


def test_the_kitchen_picks_up_by_camera_under_our_security_policy(
    stack: Stack,
    visitor: Visitor,
    browser: Browser,
    browser_program: str,
    tmp_path: Path,
    watch: Watch,
) -> None:
    owner = visitor()
    steps.sign_in(owner, stack)
    order = to_be_picked_up(stack, "Vitello tonnato", "vera@pickup.test")
    address = stack.url(f"/pre-order-confirmation?preorder={order}", restaurant="luigis")
    film = film_of_code(address, tmp_path / "code.y4m")
    pickup = browser.browser_type.launch(
        executable_path=browser_program,
        args=[
            *SWITCHES,
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        ],
    )
    try:
        context = pickup.new_context(
            viewport={"width": 360, "height": 740},
            storage_state=owner.context.storage_state(),
            permissions=["camera"],
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        watch(context)
        page = context.new_page()
        page.goto(stack.url("/restaurant/pick-up"))
        verdict = page.get_by_role("alert")
        expect(verdict.get_by_text("Ready to pick up")).to_be_visible()
        expect(verdict.get_by_text("Dana Guest")).to_be_visible()
        page.get_by_role("button", name="Mark as picked up").click()
        glimpse(page.get_by_text("Picked up", exact=True))
        assert status(stack, order) == "fulfilled"
    finally:
        pickup.close()


def test_the_code_field_stays_when_the_camera_is_blocked(stack: Stack, visitor: Visitor) -> None:
    owner = visitor(phone=True)
    steps.sign_in(owner, stack)
    owner.goto(stack.url("/restaurant/pick-up"))
    expect(owner.get_by_text("Camera access is blocked for this site.")).to_be_visible()
    expect(owner.get_by_role("textbox", name="Code")).to_be_visible()


STORED = """async () => {
    const files = await (await caches.open("pickup")).keys();
    const names = (await indexedDB.databases()).map(({ name }) => name);
    const has = (end) => files.some(({ url }) => url.endsWith(end));
    return has("/restaurant/pick-up") && has(".css") && names.includes("pickup");
}"""


def stored_for_offline(page: Page) -> bool:
    """Whether the page, its styles, and the day's list are on the device."""
    return bool(page.evaluate(STORED))


def test_of_two_phones_without_and_with_network_one_hands_the_order_over(
    stack: Stack, visitor: Visitor
) -> None:
    phone, other = visitor(phone=True), visitor(phone=True)
    # Its own session, because it ends.
    phone.goto(stack.url("/login"))
    phone.get_by_label("Email").fill(steps.OWNER[0])
    phone.get_by_label("Password", exact=True).fill(steps.OWNER[1])
    phone.get_by_role("button", name="Sign in", exact=True).click()
    expect(phone).to_have_url(stack.url("/restaurant"))
    steps.sign_in(other, stack)
    order = to_be_picked_up(stack, "Agnolotti del plin", "otto@offline.test")
    for page in (phone, other):
        page.goto(stack.url("/restaurant/pick-up"))
    eventually(lambda: stored_for_offline(phone), True)

    # The network is cut, and the page still opens and finds the order.
    phone.context.set_offline(True)
    phone.reload()
    expect(phone.get_by_text("Offline:")).to_be_visible()
    code = phone.get_by_role("textbox", name="Code")
    code.fill(order[-8:])
    code.press("Enter")
    expect(phone.get_by_role("alert").get_by_text("Ready to pick up")).to_be_visible()
    phone.get_by_role("button", name="Mark as picked up").click()
    expect(phone.get_by_text("1 waiting to be sent")).to_be_visible()
    assert status(stack, order) == "confirmed"
    expect(code).to_be_visible()
    code.fill(order[-8:])
    code.press("Enter")
    expect(
        phone.get_by_text("Already marked as picked up on this device.", exact=False)
    ).to_be_visible()

    # Meanwhile the other phone hands the same order over.
    code = other.get_by_role("textbox", name="Code")
    code.fill(order[-8:])
    code.press("Enter")
    other.get_by_role("button", name="Mark as picked up").click()
    eventually(lambda: status(stack, order), "fulfilled")

    # Back online, the first is told by whom and when; the order was picked up once.
    phone.context.set_offline(False)
    told = phone.get_by_text("This order was already marked as picked up by", exact=False)
    expect(told).to_be_visible()
    [(times,)] = stack.query(
        "SELECT count(*) FROM preorders_preordertransition"
        " WHERE pre_order_id = %s AND new = 'fulfilled'",
        order,
    )
    assert times == 1

    # Signing out leaves nothing on the device.
    phone.goto(stack.url("/restaurant"))
    phone.get_by_role("button", name="More").click()
    phone.get_by_role("menuitem", name="Logout").click()
    expect(phone).to_have_url(stack.url("/login"))
    assert phone.evaluate("async () => (await indexedDB.databases()).length") == 0
    assert phone.evaluate("async () => (await caches.keys()).length") == 0
