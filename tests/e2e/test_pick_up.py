"""Pick-up at the door: by the code of the email, and by a camera."""

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
    steps.open_dashboard(owner, stack)
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

    # By itself it is ready for the next guest; the same code is seen through at once.
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
        expect(verdict.get_by_text("Ready to pick up")).to_be_visible(timeout=30_000)
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
