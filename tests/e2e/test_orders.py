"""The restaurant's orders: found, followed, canceled, refunded, and taken by phone."""

import csv
import io
import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
# One order of two portions stands, the other was canceled.
CANCELED = "1 order, 2 portions · 1 canceled or without a card"


def refunded(stack: Stack, special: str, email: str) -> str:
    [(amount,)] = stack.query(
        "SELECT refunded_amount::text FROM preorders_preorder "
        "WHERE offer_id = %s AND customer_email = %s",
        special,
        email,
    )
    return str(amount)


def exported(page: Page, kind: str) -> tuple[str, bytes]:
    """The shown orders as a file: its name, and what is in it."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as file:
        page.get_by_role("menuitem", name=kind).click()
    return file.value.suggested_filename, file.value.path().read_bytes()


def assert_exported(page: Page, special: str) -> None:
    """Both files hold the two orders that are shown, the workbook with numbers and days."""
    day = (datetime.now(steps.LUIGIS_ZONE) + calls.DEADLINE + calls.SERVED).date()
    name, text = exported(page, "CSV")
    assert name == f"orders-pappardelle-al-ragu-{day}.csv"
    rows = list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"))))
    columns = ("Email", "Portions", "Total", "Payment")
    assert sorted(tuple(row[name] for name in columns) for row in rows) == [
        ("ada@orders.test", "2", "38.88", "Card held"),
        ("ben@orders.test", "1", "19.44", "Card held"),
    ]
    name, workbook = exported(page, "Excel")
    assert name == f"orders-pappardelle-al-ragu-{day}.xlsx"
    sheet: Any = load_workbook(io.BytesIO(workbook)).active
    head, *found = sheet.iter_rows(values_only=True)
    place = {str(title): number for number, title in enumerate(head)}
    columns = ("Email", "Portions", "Total", "Serve date")
    assert sorted(tuple(row[place[name]] for name in columns) for row in found) == [
        ("ada@orders.test", 2, 38.88, datetime.combine(day, time())),
        ("ben@orders.test", 1, 19.44, datetime.combine(day, time())),
    ]


def expect_summary(page: Page, words: str) -> None:
    """The totals that the list shows; above each serve day is its own sum."""
    summary = page.get_by_role("status").filter(has_text=re.compile(f"^{re.escape(words)}$"))
    expect(summary).to_be_visible()


def close_order(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Back to orders").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_orders_are_found_called_off_refunded_in_part_and_picked_up_many_at_once(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    owner = visitor(phone=phone)
    steps.sign_in(owner, stack)
    special = calls.publish(stack, "Pappardelle al ragù", minimum=2)
    owner.goto(stack.url(f"/restaurant?tab=orders&offer={special}"))
    expect(owner.get_by_text("No matching orders")).to_be_visible()

    # They appear by themselves.
    calls.place_order(stack, special, "ada@orders.test", portions=2)
    expect_summary(owner, "1 order, 2 portions")
    calls.place_order(stack, special, "ben@orders.test")
    expect_summary(owner, "2 orders, 3 portions")

    if not phone:
        assert_exported(owner, special)

    # Search, and the address that carries it.
    owner.get_by_role("searchbox", name="Search").fill("ben@")
    expect_summary(owner, "1 order, 1 portion")
    expect(owner.get_by_text("ada@orders.test")).to_be_hidden()
    expect(owner).to_have_url(re.compile("q=ben%40"))
    owner.reload()
    expect(owner.get_by_role("searchbox", name="Search")).to_have_value("ben@")
    expect_summary(owner, "1 order, 1 portion")

    # Canceled: the hold is released.
    owner.get_by_role("link", name="Dana Guest").click()
    order = owner.get_by_role("dialog")
    order.get_by_role("button", name="Cancel order…").click()
    asking = owner.get_by_role("dialog", name="Cancel Dana Guest's order?")
    expect(
        asking.get_by_text("We'll release the hold, charge nothing, and email the guest.")
    ).to_be_visible()
    asking.get_by_label("Reason").fill("Asked for it on the phone")
    asking.get_by_role("button", name="Cancel order").click()
    expect(owner.get_by_text("Order canceled").first).to_be_visible()
    eventually(lambda: ("ben@orders.test", "cancelled", "released") in stack.orders(special), True)
    expect(order.get_by_text("Asked for it on the phone").first).to_be_visible()
    close_order(owner)
    owner.get_by_role("searchbox", name="Search").fill("")
    expect_summary(owner, CANCELED)

    # Charged; then a part goes back.
    stack.bring_deadline(special, seconds=1)
    captured = ("ada@orders.test", "confirmed", "captured")
    eventually(lambda: captured in stack.orders(special), True)
    owner.get_by_role("radio", name="Charged", exact=True).check(force=True)
    expect_summary(owner, "1 order, 2 portions")
    owner.get_by_role("link", name="Dana Guest").click()
    order.get_by_role("button", name="Refund…").click()
    asking = owner.get_by_role("dialog", name="Refund Dana Guest")
    asking.get_by_role("radio", name="Partial").check()
    asking.get_by_label("Amount").fill("5")
    asking.get_by_label("Reason").fill("One was cold")
    asking.get_by_role("button", name="Refund $5.00").click()
    expect(owner.get_by_text("Refund on its way").first).to_be_visible()
    eventually(lambda: refunded(stack, special, "ada@orders.test"), "5.00")
    owner.go_back()
    expect(owner.get_by_role("dialog")).to_be_hidden()
    expect(owner.get_by_text("−$5.00 refunded")).to_be_visible()

    # Back goes to the filter before.
    owner.go_back()
    expect_summary(owner, CANCELED)
    owner.get_by_role("checkbox", name="Select all orders shown").check()
    owner.get_by_role("button", name="Picked up (1)").click()
    expect(owner.get_by_text("1 order picked up").first).to_be_visible()
    eventually(lambda: ("ada@orders.test", "fulfilled", "captured") in stack.orders(special), True)


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_phone_order_is_paid_by_its_link(stack: Stack, visitor: Visitor, phone: bool) -> None:
    owner = visitor(phone=phone)
    who = "Rosa on a phone" if phone else "Rosa at a desk"
    steps.sign_in(owner, stack)
    # A link to pay needs half an hour.
    special = calls.publish(stack, "Branzino al forno", deadline=timedelta(hours=3))
    owner.goto(stack.url("/restaurant?tab=orders"))
    owner.get_by_role("button", name="Add phone order").click()
    dialog = owner.get_by_role("dialog")
    dialog.get_by_label("Special").select_option(special)
    dialog.get_by_label("Portions").fill("3")
    dialog.get_by_label("Name").fill(who)
    dialog.get_by_label("Phone").fill("212 555 0142")
    dialog.get_by_label(re.compile("Allergies")).fill("No shellfish")
    dialog.get_by_role("button", name="Save & get payment link").click()
    expect(dialog.get_by_role("heading", name="Order saved")).to_be_visible()
    code = dialog.get_by_role("img", name=re.compile("QR code"))
    expect(code).to_be_visible()
    eventually(lambda: code.evaluate("image => image.naturalWidth") > 100, True)
    dialog.get_by_role("button", name="Copy link").click()
    eventually(lambda: owner.evaluate("navigator.clipboard.readText()").startswith("http"), True)
    to_pay = owner.evaluate("navigator.clipboard.readText()")
    dialog.get_by_role("button", name="Done").click()
    # Other tests' orders come first at some times of day.
    owner.get_by_role("searchbox", name="Search").fill(who)

    guest = visitor(phone=True)
    guest.goto(to_pay)
    # The order has no email: the payment provider's page asks for one.
    guest.get_by_label("Email").fill("rosa@orders.test")
    steps.give_card(guest, steps.GOOD)
    guest.wait_for_url("**/order/*")
    eventually(lambda: [paid for *_, paid in stack.orders(special)], ["authorized"])
    order = owner.get_by_role("row").filter(has_text=who)
    expect(order.get_by_text("Card held")).to_be_visible()
    expect(order.get_by_text("No shellfish")).to_be_visible()
    expect(order.get_by_text("By phone")).to_be_visible()
