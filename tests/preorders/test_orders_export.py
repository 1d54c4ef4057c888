"""The orders as a file: a spreadsheet shows what the list shows, and runs nothing."""

import csv
import io
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from openpyxl import load_workbook

from apps.common.csv_files import harmless
from apps.preorders.manage.exports import export_file_name
from tests.factories import PreOrderFactory, SpecialOfferFactory, save_crowd

EVIL = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]


@pytest.fixture
def offer(cast, clock, platform):
    return SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco “alla” Milanese")


@pytest.fixture
def export(api, cast):
    client = api(cast.owner)

    def ask(kind, **asked):
        answer = client.get("/api/orders/export", {"format": kind, **asked})
        assert answer.status_code == 200, answer.getvalue()
        return answer

    return ask


def rows_of(answer):
    return rows_in(answer.getvalue())


def rows_in(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


class TestCsv:
    def test_an_order_is_one_row_of_the_csv_file(self, offer, export):
        order = PreOrderFactory(offer=offer, quantity=2, customer_name="Zoë, “Z”", note="No\nnuts")
        content = export("csv").getvalue()
        assert content.startswith(b"\xef\xbb\xbfCode,Special,")
        assert content.endswith(b"\r\n")
        (row,) = rows_in(content)
        assert row == {
            "Code": order.code,
            "Special": "Osso buco “alla” Milanese",
            "Serve date": "2027-03-24",
            "Pickup": "",
            "Service": "Dine in or pickup",
            "Name": "Zoë, “Z”",
            "Email": "dana@example.test",
            "Phone": "'+1 212 555 0199",
            "Portions": "2",
            "Dish served": "Osso buco “alla” Milanese",
            "Special requests": "No\nnuts",
            "Total": "51.84",
            "Refunded": "0.00",
            "Currency": "USD",
            "Status": "Pending",
            "Payment": "Card held",
            "Source": "Ordered online",
            "Ordered at": "2027-03-22 12:00",
        }

    def test_the_lists_filters_and_the_files_name(self, offer, cast, export):
        PreOrderFactory(offer=offer, customer_name="Wanted")
        PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.restaurant))
        PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.other))
        answer = export("csv", offer=str(offer.pk), q="wanted")
        assert [row["Name"] for row in rows_of(answer)] == ["Wanted"]
        assert answer.headers["Content-Disposition"] == (
            'attachment; filename="orders-osso-buco-alla-milanese-2027-03-24.csv"'
        )
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert len(rows_of(export("csv"))) == 2

    def test_a_file_without_orders_has_its_column_titles(self, offer, export):
        assert rows_of(export("csv", q="nobody")) == []

    @pytest.mark.parametrize("text", EVIL)
    def test_no_cell_is_a_formula(self, offer, export, text):
        PreOrderFactory(offer=offer, customer_name=text, note=text)
        (row,) = rows_of(export("csv"))
        assert row["Name"].startswith("'")
        assert row["Special requests"].startswith("'")
        assert harmless("plain text") == "plain text"

    @pytest.mark.parametrize(
        "text", ["12E45678", "00123456", "2125550199", "0171 234567", "1.5", "12e3", "12,5"]
    )
    def test_text_is_no_number(self, text):
        """Codes from before they were drawn with a letter, and telephone numbers: as numbers they
        would be written as powers of ten, or lose their zeros."""
        assert harmless(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["3F9A01C7", "E1234567", "12:30 – 13:00", "2 pizzas", ""])
    def test_text_that_reads_as_text_is_left_alone(self, text):
        assert harmless(text) == text

    def test_statements_do_not_grow_with_the_orders(
        self, offer, api, cast, django_assert_num_queries
    ):
        client = api(cast.owner)
        client.get("/api/orders/export?format=csv").getvalue()
        save_crowd(1200, offer=offer, restaurant=cast.restaurant)
        with django_assert_num_queries(5):  # one writes down who exported them
            content = client.get("/api/orders/export?format=csv").getvalue()
        assert content.count(b"\r\n") == 1201


class TestXlsx:
    def test_days_moments_and_money_are_what_they_are(self, offer, export):
        order = PreOrderFactory(offer=offer, quantity=2)
        answer = export("xlsx", day="2027-03-24")
        assert answer.headers["Content-Disposition"].endswith('"orders-2027-03-24.xlsx"')
        sheet: Any = load_workbook(io.BytesIO(answer.getvalue())).active
        titles, values = (list(row) for row in sheet.iter_rows(values_only=True))
        row = dict(zip(titles, values, strict=True))
        assert row["Code"] == order.code
        assert row["Portions"] == 2
        assert Decimal(str(row["Total"])) == Decimal("51.84")
        assert row["Serve date"].date() == date(2027, 3, 24)
        assert row["Ordered at"].isoformat() == "2027-03-22T12:00:00"
        assert row["Phone"] == "+1 212 555 0199"

    def test_every_column_has_its_type_and_the_head_stays_in_sight(self, offer, export):
        PreOrderFactory(offer=offer, customer_phone="2125550199", note="0012")
        sheet: Any = load_workbook(io.BytesIO(export("xlsx").getvalue())).active
        assert (sheet.title, sheet.freeze_panes, sheet.dimensions) == ("Orders", "A2", "A1:R2")
        assert all(cell.font.bold for cell in sheet[1])
        assert not any(cell.font.bold for cell in sheet[2])
        kinds = {
            head.value: (cell.data_type, cell.number_format)
            for head, cell in zip(sheet[1], sheet[2], strict=True)
            if cell.value is not None
        }
        assert kinds == {
            **dict.fromkeys(
                ("Code", "Special", "Service", "Name", "Email", "Phone", "Dish served"),
                ("s", "General"),
            ),
            **dict.fromkeys(
                ("Special requests", "Currency", "Status", "Payment", "Source"), ("s", "General")
            ),
            "Portions": ("n", "General"),
            **dict.fromkeys(("Total", "Refunded"), ("n", "0.00")),
            "Serve date": ("d", "yyyy-mm-dd"),
            "Ordered at": ("d", "yyyy-mm-dd h:mm:ss"),
        }

    @pytest.mark.parametrize("text", [*EVIL[:4], "\x0bx"])
    def test_text_that_looks_like_a_formula_stays_text(self, offer, export, text):
        PreOrderFactory(offer=offer, customer_name=text)
        sheet: Any = load_workbook(io.BytesIO(export("xlsx").getvalue())).active
        cell = sheet["F2"]
        assert cell.data_type == "s"
        assert cell.value == text.replace("\x0b", "")


def test_what_is_not_offered_is_refused(offer, api, cast):
    for asked in ({}, {"format": "pdf"}, {"format": "csv", "status": "eaten"}):
        answer = api(cast.owner).get("/api/orders/export", asked)
        assert answer.status_code == 400
        assert answer.json()["message"]


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("Pappardelle al ragù 2027-03-24", "orders-pappardelle-al-ragu-2027-03-24.csv"),
        ("Crème brûlée / für Ü30", "orders-creme-brulee-fur-u30.csv"),
        ("天ぷら", "orders.csv"),
    ],
)
def test_a_files_name_is_in_plain_characters(what, name):
    assert export_file_name("csv", what=what) == name
