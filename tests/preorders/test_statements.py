"""Statements: every figure is a sum of ledger entries, on the page and in the files."""

import csv
import io
from datetime import UTC, datetime
from decimal import Decimal

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.activity.models import LoggedEvent
from apps.billing import chain, cycles, ledger
from apps.billing.fees import Fees
from apps.billing.models import PaymentHistory, Payout, PayoutEntry
from apps.common import rls
from apps.common.money import Money
from apps.preorders.manage.taxes import refunded_tax
from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import PreOrderFactory, RestaurantFactory

pytestmark = pytest.mark.django_db
FEES = Fees(revenue_share=Money(78), processing=Money(157))
PAGE = "/restaurant/statements"
APRIL = datetime(2027, 4, 4, tzinfo=UTC)


@pytest.fixture
def owner(cast, api, clock):
    return api(cast.owner)


@pytest.fixture
def order(cast, special):
    return PreOrderFactory(offer=special)


def ref(order):
    return ledger.OrderRef(order.restaurant, order.pk, order.offer_id, order.payment_intent_id)


def capture(order, *, now=NOON):
    with rls.acting_as(rls.PLATFORM):
        ledger.record_authorization(ref(order), Money(2592), now=now)
        record = ledger.CaptureRecord(
            ref(order), Money(2592), FEES, Decimal("3.00"), f"tr_{order.pk}"
        )
        ledger.record_captures([record], now=now)


def refund(order, cents, *, now=NOON, reference="re_1"):
    with rls.acting_as(rls.PLATFORM):
        fees = Fees(Money(0), Money(0))
        ledger.record_refund(ref(order), Money(cents), fees, reference=reference, now=now)


def pay_out(order, amount="23.57"):
    with rls.acting_as(rls.PLATFORM):
        payout = Payout.objects.create(
            restaurant=order.restaurant,
            amount=amount,
            currency="usd",
            status=Payout.Status.PAID,
            payout_id="po_1",
            arrives_on=NOON.date(),
            created_at=NOON,
        )
        for entry in PaymentHistory.objects.filter(
            pre_order=order, transaction_type__in=("transfer", "refund")
        ):
            PayoutEntry.objects.create(restaurant=order.restaurant, payout=payout, entry=entry)
    return payout


def text_of(answer):
    return " ".join(answer.content.decode().split())


def rows_of(answer):
    content = b"".join(answer) if answer.streaming else answer.content
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def pdf_text(answer):
    assert answer.headers["Content-Type"] == "application/pdf"
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    return "\n".join(page.extract_text() for page in pages)


class TestPage:
    def test_an_empty_month_says_so(self, owner):
        answer = owner.get(PAGE)
        assert answer.status_code == 200
        assert "No money moved in March 2027." in text_of(answer)
        assert "Downloads" not in text_of(answer)

    def test_a_month_adds_up_from_charges_to_the_balance(self, owner, order):
        capture(order)
        refund(order, 500)
        shown = text_of(owner.get(PAGE))
        for amount in ("$25.92", "-$5.00", "-$0.78", "-$1.57", "$18.57"):
            assert amount in shown
        assert "Charged to guests (1 order)" in shown
        assert "New holds: $25.92" in shown

    def test_a_month_in_which_more_was_refunded_than_sold_says_what_happens(self, owner, order):
        capture(order, now=datetime(2027, 2, 10, 12, tzinfo=UTC))
        refund(order, 2592)
        shown = text_of(owner.get(PAGE))
        assert "More went out than came in." in shown
        assert "-$25.92" in shown

    def test_a_day_lists_its_entries(self, owner, order):
        capture(order)
        shown = text_of(owner.get(f"{PAGE}?period=2027-03-22"))
        assert "Card held" in shown
        assert order.code in shown
        assert "No money moved in March 23, 2027." in text_of(
            owner.get(f"{PAGE}?period=2027-03-23")
        )

    def test_a_month_begins_at_midnight_where_the_restaurant_is(self, owner, order):
        capture(order, now=datetime(2027, 4, 1, 3, 59, tzinfo=UTC))
        assert "$25.92" in text_of(owner.get(f"{PAGE}?period=2027-03"))
        assert "$25.92" not in text_of(owner.get(f"{PAGE}?period=2027-04"))
        assert "$25.92" in text_of(owner.get(f"{PAGE}?period=2027-03-31"))

    def test_a_closed_month_stays_what_it_was_in_another_time_zone(self, owner, order, cast):
        capture(order, now=datetime(2027, 4, 1, 3, 59, tzinfo=UTC))
        with rls.acting_as(rls.PLATFORM):
            cycles.close_cycles(now=APRIL)
            cast.restaurant.timezone = "Europe/Rome"
            cast.restaurant.save(update_fields=["timezone"])
        shown = text_of(owner.get(f"{PAGE}?period=2027-03"))
        assert "This month is closed, so its figures are final." in shown
        assert "$25.92" in shown

    @pytest.mark.parametrize("period", ["2027-13", "x", "", "0001-01", "9999-12", "2027-02-30"])
    def test_a_period_that_does_not_exist_shows_the_present_month(self, owner, period):
        answer = owner.get(PAGE, {"period": period})
        assert answer.status_code == 200
        assert "Statement for March 2027" in text_of(answer)


class TestWho:
    @pytest.mark.parametrize("who", ["manager", "kitchen"])
    def test_who_cannot_see_payments_sees_no_statement(self, cast, api, clock, who):
        client = api(getattr(cast, who))
        for path in (PAGE, f"{PAGE}/2027-03/entries.csv"):
            assert client.get(path).status_code == 403

    def test_another_restaurants_payouts_and_invoices_do_not_exist(self, cast, api, order):
        capture(order)
        payout = pay_out(order)
        with rls.acting_as(rls.PLATFORM):
            cycles.close_cycles(now=APRIL)
        outsider = api(cast.outsider)
        for path in (
            f"/restaurant/payouts/{payout.pk}",
            f"/restaurant/payouts/{payout.pk}/orders.csv",
            "/restaurant/invoices/1.pdf",
        ):
            assert outsider.get(path).status_code == 404
        assert "No money moved" in text_of(outsider.get(PAGE))

    def test_only_staff_see_all_restaurants(self, cast, api, clock, order):
        capture(order)
        capture(PreOrderFactory(offer__restaurant=cast.other))
        mexican = RestaurantFactory(name="Cocina", currency="mxn")
        capture(PreOrderFactory(offer__restaurant=mexican))
        assert api(cast.owner).get("/staff/statements").status_code == 403
        shown = text_of(api(cast.staff).get("/staff/statements"))
        assert "Charged (2 orders)" in shown
        assert "$51.84" in shown
        assert "Cocina" in shown
        assert "MX$25.92" in shown
        rows = rows_of(api(cast.staff).get("/staff/statements?format=csv"))
        assert sorted(row[1:5] for row in rows[1:]) == [
            ["Cocina", "MXN", "1", "25.92"],
            ["Luigi's", "USD", "1", "25.92"],
            ["Ming's", "USD", "1", "25.92"],
        ]

    def test_staff_see_a_month_without_money(self, cast, api, clock):
        shown = text_of(api(cast.staff).get("/staff/statements?period=2027-01"))
        assert "No money moved in January 2027." in shown


class TestFiles:
    def test_every_entry_is_in_the_csv_with_its_payout_and_seal(self, owner, order):
        capture(order)
        pay_out(order)
        with rls.acting_as(rls.PLATFORM):
            chain.seal_entries(now=NOON)
        header, *rows = rows_of(owner.get(f"{PAGE}/2027-03/entries.csv"))
        table = [dict(zip(header, row, strict=True)) for row in rows]
        assert [row["Type"] for row in table] == [
            "Card held",
            "Card charged",
            "Card processing",
            "Transferred to you",
        ]
        assert table[0]["When"] == "2027-03-22 12:00:00"
        assert table[3]["Payout"] == "po_1"
        assert table[3]["Change of balance"] == "23.57"
        assert all(len(row["Seal"]) == 64 for row in table)

    @pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1"])
    def test_a_name_that_looks_like_a_formula_stays_text(self, owner, cast, name):
        capture(PreOrderFactory(offer__restaurant=cast.restaurant, offer__name=name))
        rows = rows_of(owner.get(f"{PAGE}/2027-03/entries.csv"))
        assert rows[1][3] == f"'{name}"

    def test_quickbooks_gets_its_three_columns(self, owner, order):
        capture(order)
        refund(order, 500)
        pay_out(order, "18.57")
        answer = owner.get(f"{PAGE}/2027-03/quickbooks.csv")
        assert not answer.content.startswith(b"\xef\xbb\xbf")
        assert rows_of(answer) == [
            ["Date", "Description", "Amount"],
            ["03/22/2027", "Payout", "-18.57"],
            ["03/22/2027", "Refunds", "-5.00"],
            ["03/22/2027", "Card processing fees", "-1.57"],
            ["03/22/2027", "Platform fees", "-0.78"],
            ["03/22/2027", "Sales", "25.92"],
        ]

    def test_xero_gets_its_columns_and_the_lines_add_up_to_the_balance(self, owner, order):
        capture(order)
        refund(order, 500)
        header, *rows = rows_of(owner.get(f"{PAGE}/2027-03/xero.csv"))
        assert header == ["Date", "Amount", "Payee", "Description", "Reference"]
        assert rows[-1] == ["2027-03-22", "25.92", "Guests", "Sales 2027-03-22", "FB-2027-03"]
        with rls.acting_as(rls.PLATFORM):
            entries = PaymentHistory.objects.all()
            balance = sum(entry.settled or 0 for entry in entries)
        assert sum(Decimal(row[1]) for row in rows) == balance == Decimal("18.57")

    def test_the_pdf_has_the_same_figures(self, owner, order):
        capture(order)
        refund(order, 500)
        pay_out(order, "18.57")
        text = pdf_text(owner.get(f"{PAGE}/2027-03/statement.pdf"))
        for expected in ("Statement for March 2027", "Not closed yet.", "$25.92", "po_1", "$18.57"):
            assert expected in text

    def test_the_pdf_has_the_tax_number_if_the_restaurant_has_one(self, owner, cast):
        path = f"{PAGE}/2027-03/statement.pdf"
        assert "Tax number" not in pdf_text(owner.get(path))
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(tax_number="EIN 12-3456789")
        assert "Tax number EIN 12-3456789" in pdf_text(owner.get(path))

    def test_an_empty_month_and_a_day_have_a_pdf_too(self, owner):
        assert "To your Stripe balance" in pdf_text(owner.get(f"{PAGE}/2020-01/statement.pdf"))
        assert "March 22, 2027" in pdf_text(owner.get(f"{PAGE}/2027-03-22/statement.pdf"))

    def test_a_file_that_does_not_exist_is_not_found(self, owner):
        for path in ("2027-03/other.csv", "2027-13/xero.csv", "2027-03/statement.csv"):
            assert owner.get(f"{PAGE}/{path}").status_code == 404

    def test_a_download_is_in_the_activity_log(self, owner, order):
        owner.get(f"{PAGE}/2027-03/xero.csv")
        with rls.acting_as(rls.PLATFORM):
            event = LoggedEvent.objects.get(kind="statement_downloaded")
        assert event.restaurant_id == order.restaurant_id
        assert event.details == {"what": "xero", "period": "2027-03"}

    def test_a_payout_names_its_orders(self, owner, order):
        capture(order)
        refund(order, 500)
        payout = pay_out(order, "18.57")
        shown = text_of(owner.get(f"/restaurant/payouts/{payout.pk}"))
        assert "Payout of $18.57" in shown
        assert order.code in shown
        rows = rows_of(owner.get(f"/restaurant/payouts/{payout.pk}/orders.csv"))
        assert rows[1:] == [
            [order.code, order.sold.name, str(order.offer.serve_date), "18.57", "USD", "po_1"]
            + [str(NOON.date())]
        ]
        assert f"/restaurant/payouts/{payout.pk}" in text_of(owner.get(PAGE))

    def test_the_fee_invoice_shows_the_tax_in_it(self, owner, order, settings):
        settings.FEE_TAX_RATES = {"US": Decimal(19)}
        settings.INVOICE_ISSUER = ["Fully Booked Inc.", "1 Main Street", "Tax number 12"]
        capture(order)
        with rls.acting_as(rls.PLATFORM):
            cycles.close_cycles(now=APRIL)
        assert "Fee invoice FB-000001" in text_of(owner.get(f"{PAGE}?period=2027-03"))
        text = pdf_text(owner.get("/restaurant/invoices/1.pdf"))
        for expected in ("Invoice FB-000001", "Tax number 12", "Luigi's", "$2.35", "$0.38"):
            assert expected in text


class TestTax:
    def test_the_report_has_a_line_for_each_rate(self, owner, order, cast):
        capture(order)
        capture(
            PreOrderFactory(
                offer=order.offer, tax_rate=Decimal("5.00"), total_amount=Decimal("25.20")
            )
        )
        refund(order, 1296)
        header, *rows = rows_of(owner.get(f"{PAGE}/2027-03/tax.csv"))
        table = [dict(zip(header, row, strict=True)) for row in rows]
        assert [(row["Rate in percent"], row["Taxable"], row["Tax"]) for row in table] == [
            ("5.00", "24.00", "1.20"),
            ("8.00", "12.00", "0.96"),
        ]
        assert {row["State"] for row in table} == {"NY"}

    def test_a_refund_in_a_later_month_lowers_that_months_tax(self, owner, order):
        capture(order, now=datetime(2027, 2, 10, 12, tzinfo=UTC))
        refund(order, 864, now=datetime(2027, 2, 11, 12, tzinfo=UTC))
        refund(order, 1728, reference="re_2")
        [_, row] = rows_of(owner.get(f"{PAGE}/2027-03/tax.csv"))
        assert row[-3:] == ["-16.00", "-1.28", "USD"]

    @settings(max_examples=200, deadline=None, derandomize=True, database=None)
    @given(
        subtotal=st.integers(50, 100_000),
        tax=st.integers(0, 20_000),
        parts=st.lists(st.integers(1, 100), min_size=1, max_size=12),
    )
    def test_refunds_in_any_parts_return_exactly_the_tax(self, subtotal, tax, parts):
        charged = subtotal + tax
        ends = [charged * sum(parts[: index + 1]) // sum(parts) for index in range(len(parts))]
        returned, before = Decimal(0), Decimal(0)
        for end in ends:
            now = refunded_tax(
                Decimal(tax).scaleb(-2), Decimal(end).scaleb(-2), Decimal(charged).scaleb(-2)
            )
            assert now >= before
            returned, before = returned + now - before, now
        assert returned == Decimal(tax).scaleb(-2)
