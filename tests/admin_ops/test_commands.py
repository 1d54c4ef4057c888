"""Operators' commands: what all of them share, safe to repeat, and unchanged data after a dry
run."""

import io
import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import connection

from apps.accounts.models import User
from apps.activity.models import LoggedEvent
from apps.billing.fees import Fees
from apps.billing.ledger import CaptureRecord, OrderRef, record_captures, record_refund
from apps.billing.models import ConnectAccount
from apps.common.commands import ExitCode, OperatorCommand
from apps.common.money import Money
from apps.offers.models import Dish
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus
from tests.conftest import NOON
from tests.factories import DishFactory, PreOrderFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
# For installing, not for operating; they differ from Django's only where they have to.
OF_INSTALLING = {"compilemessages", "migrate"}
OURS = {
    name: app
    for name, app in get_commands().items()
    if app.startswith(("apps.", "demo")) and name not in OF_INSTALLING
}


def run(name: str, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(name, *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return error.returncode, out.getvalue(), f"{err.getvalue()}{error}"
    return 0, out.getvalue(), err.getvalue()


# --- one shape ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", sorted(OURS))
def test_every_command_has_a_dry_run_or_only_reads(name):
    command = load_command_class(OURS[name], name)
    assert isinstance(command, OperatorCommand)
    options = {each.dest for each in command.create_parser("manage.py", name)._actions}
    assert ("dry_run" in options) is not command.only_reads
    assert command.help


def test_the_docs_list_every_command():
    rows = [line for line in OPERATIONS.read_text().splitlines() if line.startswith("| `")]
    listed = {row.split("`")[1].split()[0] for row in rows}
    assert set(OURS) <= listed


def test_the_docs_say_what_the_exit_codes_mean():
    text = OPERATIONS.read_text()
    assert all(f"| {code.value} |" in text for code in ExitCode)


class _Counting(OperatorCommand):
    def run(self, **_: Any) -> None:
        for done in range(1, 4):
            self.progress(done, 3, "rows")


def test_progress_goes_to_standard_error_and_ends_with_the_whole():
    out, err = io.StringIO(), io.StringIO()
    _Counting(stdout=out, stderr=err, no_color=True).execute(
        verbosity=1, force_color=False, no_color=True, skip_checks=True
    )
    assert out.getvalue() == ""
    assert err.getvalue().splitlines() == ["1 of 3 rows", "3 of 3 rows"]


# --- accounts and restaurants ---------------------------------------------------------------------
def test_a_dry_run_of_create_staff_checks_everything_and_creates_nobody(monkeypatch):
    def typed() -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("thyme-and-patience-7\n"))

    typed()
    code, out, err = run("create_staff", "ada@platform.test", "--password-stdin", "--dry-run")
    assert (code, "Dry run" in err) == (0, True)
    assert not User.objects.exists()
    typed()
    assert run("create_staff", "ada@platform.test", "--password-stdin")[0] == 0
    typed()
    code, _, err = run("create_staff", "ada@platform.test", "--password-stdin")
    assert (code, "already has an account" in err) == (1, True)
    assert User.objects.count() == 1


def test_lifting_a_sales_limit_twice_lifts_it_once(cast, clock):
    assert run("lift_sales_limit", "luigis", "--dry-run")[0] == 0
    assert ConnectAccount.objects.get(restaurant=cast.restaurant).limit_lifted_at is None
    assert run("lift_sales_limit", "luigis")[0] == 0
    clock.advance(hours=1)
    assert run("lift_sales_limit", "luigis")[0] == 0
    assert ConnectAccount.objects.get(restaurant=cast.restaurant).limit_lifted_at == NOON
    assert LoggedEvent.objects.filter(kind="sales_limit_lifted").count() == 1
    assert run("lift_sales_limit", "nowhere")[0] == 1
    ConnectAccount.objects.filter(restaurant=cast.other).delete()
    code, _, err = run("lift_sales_limit", "mings")
    assert (code, err) == (1, "Ming's has no payment account.")


def test_an_unknown_order_or_issue_is_refused(cast):
    for unknown in ("x", "00000000-0000-4000-8000-000000000000"):
        code, _, err = run("release_refund", unknown, "--reason=x", "--by=Ada")
        assert (code, err) == (1, "There is no such order.")
    assert run("payment_issues")[:2] == (0, "No payment issues.\n")
    assert run("payment_issues", "resolve", "1")[0] == 1
    assert run("payment_issues", "resolve", "1", "--by=Ada", "--resolution=x")[0] == 1


# --- importing a menu -----------------------------------------------------------------------------
MENU = """name,price,description,allergens,hidden
Ossobuco,24.50,"Slow, with gremolata",celery;milk,no
Panna cotta,8,,milk,yes
"""


@pytest.fixture
def menu(tmp_path: Path) -> Path:
    file = tmp_path / "menu.csv"
    file.write_text(MENU)
    return file


def test_a_menu_is_imported_once_however_often_it_is_run(cast, menu):
    DishFactory(restaurant=cast.restaurant, name="panna COTTA")
    said = run("import_menu", "luigis", str(menu), "--dry-run")
    assert said[1] == "1 dishes would be added, 1 already on the menu\n"
    assert Dish.objects.filter(restaurant=cast.restaurant).count() == 1
    assert run("import_menu", "luigis", str(menu))[1].startswith("1 dishes added")
    assert run("import_menu", "luigis", str(menu))[1].startswith("0 dishes added, 2 already")
    dish = Dish.objects.get(name="Ossobuco")
    assert (dish.restaurant, str(dish.price)) == (cast.restaurant, "24.50")
    assert (dish.description, dish.allergens) == ("Slow, with gremolata", ["celery", "milk"])
    assert dish.hidden_at is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: Name the columns"),
        ("name,cost\nSoup,4", "line 1: Name the columns"),
        ("name,name,price\nSoup,Soup,4", "line 1: Name the columns"),
        ("name,price\n", "file: The file has no dishes."),
        ("name,price\nSoup,4\n,5", "line 3: name: Name is required"),
        ("name,price\nSoup,-4", "line 2: price: Price must be a positive number"),
        ("name,price\nSoup,4\nsoup,5", "line 3: name: The dish is already in line 2"),
        ("name,price,hidden\nSoup,4,perhaps", "line 2: hidden: Say yes or no"),
        ("name,price,allergens\nSoup,4,love", "line 2: allergens: Choose from"),
        ("name,price\nSoup,4,5", "line 2: columns: The line has more or fewer values"),
        ("name,price\nSoup", "line 2: columns: The line has more or fewer values"),
        ('name,price\n"Soup,4', "This isn't CSV"),
    ],
)
def test_a_menu_with_an_error_adds_no_dish_and_names_the_line(cast, tmp_path, text, says):
    file = tmp_path / "menu.csv"
    file.write_text(f"{text}\n" if text else text)
    code, _, err = run("import_menu", "luigis", str(file))
    assert code == 1
    assert says in err
    assert "No dish was added." in err
    assert not Dish.objects.exists()


def test_a_menu_that_cannot_be_read_or_is_nobodys_is_refused(cast, menu, tmp_path):
    assert run("import_menu", "nowhere", str(menu))[0] == 1
    assert run("import_menu", "luigis", str(tmp_path / "missing.csv"))[0] == 1
    menu.write_bytes(b"name,price\nCr\xe8me,4\n")
    assert "can't be read" in run("import_menu", "luigis", str(menu))[2]
    assert not Dish.objects.exists()


# --- a person's data ------------------------------------------------------------------------------
def test_a_persons_data_is_exported_from_every_restaurant(cast, tmp_path):
    for restaurant in (cast.restaurant, cast.other):
        PreOrderFactory(offer__restaurant=restaurant, customer_email="dana@example.test")
    PreOrderFactory(offer__restaurant=cast.other, customer_email="else@example.test")
    code, out, _ = run("export_person", "Dana@Example.test")
    found = json.loads(out)
    assert (code, found["account"]) == (0, None)
    assert {each["restaurant"] for each in found["asGuest"]} == {"Luigi's", "Ming's"}
    assert [len(each["orders"]) for each in found["asGuest"]] == [1, 1]
    assert "else@example.test" not in out
    assert LoggedEvent.objects.filter(kind="guest_data_downloaded").count() == 2

    file = tmp_path / "dana.json"
    assert run("export_person", "dana@example.test", "--output", str(file))[0] == 0
    assert json.loads(file.read_text()) == found
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run("export_person", "dana@example.test", "--output", str(file))[0] == 1


def test_a_dry_run_of_an_export_counts_and_leaves_no_entry(cast):
    code, out, err = run("export_person", cast.owner.email, "--dry-run")
    assert (code, "an  account" in out) == (0, True)
    assert cast.owner.email not in out
    assert not LoggedEvent.objects.exists()


def test_what_was_erased_is_not_exported(cast):
    email = "dana@example.test"
    PreOrderFactory(
        offer__restaurant=cast.restaurant, customer_email=email, payment_status="released",
        status="cancelled",
    )  # fmt: skip
    assert run("erase_person", email, "--dry-run")[1].startswith("       1  orders would be")
    assert run("erase_person", email)[1].startswith("       1  orders were anonymized")
    assert run("erase_person", email)[1].startswith("       0  orders")
    assert json.loads(run("export_person", email)[1])["asGuest"] == []


# --- the ledger -----------------------------------------------------------------------------------
@pytest.fixture
def charged(cast) -> PreOrder:
    """An order of 25.92 in total, of which 0.78 is the platform's share and 1.57 is for card
    processing."""
    order = PreOrderFactory(
        restaurant=cast.restaurant,
        offer__restaurant=cast.restaurant,
        payment_status=PaymentStatus.CAPTURED,
        status="confirmed",
    )
    fees = Fees(revenue_share=Money(78), processing=Money(157))
    total = Money.of(order.total_amount)
    record_captures([CaptureRecord(ref_of(order), total, fees, order.tax_rate, "tr_1")], now=NOON)
    return order


def ref_of(order: PreOrder) -> OrderRef:
    return OrderRef(order.restaurant, order.pk, order.offer_id, str(order.payment_intent_id))


def test_a_right_ledger_is_compared_twice_and_nothing_is_written(charged):
    PreOrderFactory()  # held, not charged
    for _ in range(2):
        code, out, err = run("compare_ledger")
        assert (code, out) == (0, "The ledger matches the orders.\n")
        assert "2 of 2 orders" in err


def _by_the_owner_of_the_tables(statement: str) -> None:
    """Run it without the triggers, which let nobody but the owner of the tables change an entry."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE billing_paymenthistory DISABLE TRIGGER USER")
        cursor.execute(statement)
        cursor.execute("ALTER TABLE billing_paymenthistory ENABLE TRIGGER USER")


def _without_its_charge(order: PreOrder) -> None:
    _by_the_owner_of_the_tables(
        "DELETE FROM billing_paymenthistory WHERE transaction_type = 'capture'"
    )


def _charged_twice_as_much(order: PreOrder) -> None:
    _by_the_owner_of_the_tables(
        "UPDATE billing_paymenthistory SET amount = 51.84 WHERE transaction_type = 'capture'"
    )


def _refunded_by_the_ledger_alone(order: PreOrder) -> None:
    fees = Fees(revenue_share=Money(0), processing=Money(0))
    record_refund(ref_of(order), Money(500), fees, reference="re_1", now=NOON)


def _not_charged_any_more(order: PreOrder) -> None:
    PreOrder.objects.filter(pk=order.pk).update(payment_status=PaymentStatus.RELEASED)


@pytest.mark.parametrize(
    ("break_it", "says"),
    [
        (_without_its_charge, "it is captured, and the ledger has no charge"),
        (_charged_twice_as_much, "charged 51.84, the order says 25.92"),
        (_refunded_by_the_ledger_alone, "the ledger refunds 5.00, the order 0.00"),
        (_not_charged_any_more, "the ledger has a charge, the order is released"),
    ],
)
def test_a_broken_ledger_is_told_with_exit_code_3(charged, break_it, says):
    break_it(charged)
    for _ in range(2):
        code, out, err = run("compare_ledger")
        assert code == ExitCode.FOUND
        assert says in out
        assert "The ledger has differences" in err


def test_a_charge_that_stripe_does_not_know_is_told(charged, stripe):
    code, out, _ = run("compare_ledger", "--stripe")
    assert code == ExitCode.FOUND
    assert f"order {charged.code} ({charged.pk}): Stripe couldn't be asked" in out
