"""An owner finds the month's statement and downloads its files."""

import csv
import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]


def test_the_months_statement_is_found_from_the_ledger_and_downloaded(
    stack: Stack, visitor: Visitor
) -> None:
    [(month,)] = stack.query(
        "SELECT to_char(max(c.cycle_start_date), 'YYYY-MM') FROM billing_paymenthistory p "
        "JOIN billing_monthlybillingcycle c ON c.id = p.cycle_id "
        "JOIN restaurants_restaurant r ON r.id = p.restaurant_id "
        "WHERE r.subdomain = 'luigis' AND p.transaction_type = 'capture'"
    )
    page = visitor(phone=True)
    steps.sign_in(page, stack)
    page.goto(stack.url("/restaurant?tab=orders"))
    page.get_by_role("button", name="Ledger").click()
    page.get_by_role("link", name="Monthly statements").click()
    expect(page.get_by_role("heading", name="Statement for")).to_be_visible()
    page.goto(stack.url(f"/restaurant/statements?period={month}"))
    expect(page.get_by_text("To your Stripe balance")).to_be_visible()
    with page.expect_download() as file:
        page.get_by_role("link", name="For Xero (CSV)").click()
    assert file.value.suggested_filename == f"xero-luigis-{month}.csv"
    header, *lines = csv.reader(io.StringIO(file.value.path().read_text()))
    assert header == ["Date", "Amount", "Payee", "Description", "Reference"]
    assert any(line[3].startswith("Sales ") for line in lines)
    with page.expect_download() as file:
        page.get_by_role("link", name="Statement (PDF)").click()
    assert file.value.path().read_bytes().startswith(b"%PDF")
