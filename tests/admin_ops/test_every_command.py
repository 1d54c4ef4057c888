"""Every operators' command: a dry run changes nothing, a second run changes nothing more, and all
commands refuse with the same exit codes."""

import hashlib
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.common.commands import ExitCode
from tests.admin_ops.test_commands import OURS, run
from tests.conftest import Cast
from tests.factories import DishFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
DONE, REFUSED, _, FOUND = ExitCode
PASSWORD = "thyme-and-patience-7\n"
NOBODY = "00000000-0000-4000-8000-000000000000"
Line = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """How a command is called here. `{}` in an argument is a folder of its own."""

    arguments: Line = ()
    typed: str = ""  # on standard input
    dry: ExitCode = DONE
    again: ExitCode = DONE
    # Rows that each run adds or changes, besides what it was asked to do.
    notes: tuple[str, ...] = ()
    # Names what doesn't exist; None for a command that names nothing.
    broken: Line | None = None
    runs: bool = True  # False: its run has a test of its own


READ = ("billing_reconciliationprogress",)
READERS = {"check_email_domain", "compare_ledger", "create_push_key", "verify_ledger"}
LOG = ("activity_loggedevent",)
CASES = {
    "anonymized_dump": Case(("{}/dump.sql.gz",), runs=False,  # test_anonymized_dump.py
                            broken=("/nowhere/dump.sql.gz",)),
    "archive_registrations": Case(),
    "backup": Case(("{}/backup",), runs=False, broken=("/proc/backup",)),  # test_backup.py
    "check_email_domain": Case(("restaurants.test", "--zone", "{}/zone.txt"), dry=FOUND,
                               again=FOUND, broken=("restaurants.test", "--zone", "/nowhere")),
    "close_cycles": Case(),
    "compare_ledger": Case(),
    "connect_stripe": Case(),
    "create_push_key": Case(),
    "create_staff": Case(("ada@platform.test", "--password-stdin"), typed=PASSWORD, again=REFUSED,
                         broken=("no-address", "--password-stdin")),
    "end_sessions": Case(("owner@luigis.test",), notes=LOG,
                         broken=("nobody@luigis.test",)),
    "erase_person": Case(("someone@guests.test",), notes=LOG),
    "export_person": Case(("someone@guests.test",), notes=LOG),
    "import_menu": Case(("luigis", "{}/menu.csv"), broken=("nowhere", "{}/menu.csv")),
    "lift_sales_limit": Case(("luigis",), broken=("nowhere",)),
    "load_demo": Case(runs=False),  # tests/demo/test_load_demo.py
    "payment_issues": Case(broken=("resolve", "1", "--by=Ada", "--resolution=x")),
    "process_expirations": Case(("--by", "Ada"), notes=(*LOG, "preorders_expirationrun")),
    "prune": Case(),
    "reconcile": Case(notes=READ),
    "register_wallet_domains": Case(),
    "release_refund": Case((NOBODY, "--reason=x", "--by=Ada"), dry=REFUSED, again=REFUSED,
                           broken=("x", "--reason=x", "--by=Ada")),
    "restore": Case(("{}/none",), dry=REFUSED, runs=False,  # tests/admin_ops/test_backup.py
                    broken=("/nowhere",)),
    "restore_restaurant": Case(("mings",), broken=("nowhere",)),
    "rotate_keys": Case(dry=FOUND, again=FOUND),  # the factors of the cast fit no key
    "settlement": Case(("pause", "restaurant", "luigis", "--by=Ada", "--reason=Fraud"),
                       broken=("pause", "restaurant", "nowhere", "--by=Ada", "--reason=x")),
    "suspend_restaurant": Case(("luigis", "--reason=Fraud", "--specials=run"),
                               broken=("nowhere", "--reason=x", "--specials=run")),
    "verify_ledger": Case(broken=("--restaurant", "nowhere")),
}  # fmt: skip


def test_every_command_is_called_here() -> None:
    assert set(CASES) == set(OURS)


@pytest.fixture
def call(
    cast: Cast, stripe: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    DishFactory(restaurant=cast.restaurant)
    (tmp_path / "menu.csv").write_text("name,price\nOssobuco,24.50\n")
    (tmp_path / "zone.txt").write_text("restaurants.test. 300 IN A 192.0.2.1\n")

    def called(name: str, arguments: Line, *more: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(CASES[name].typed))
        return run(name, *(each.format(tmp_path) for each in arguments), *more)

    return called


def state(tmp_path: Path, *, but: tuple[str, ...] = ()) -> dict[str, str]:
    """A fingerprint of each table and file."""
    found = {str(path): hashlib.md5(str(path).encode()).hexdigest() for path in tmp_path.rglob("*")}
    with connection.cursor() as cursor:
        for table in sorted(set(connection.introspection.table_names(cursor)) - set(but)):
            quoted = connection.ops.quote_name(table)
            cursor.execute(f"SELECT md5(string_agg(r::text, '|' ORDER BY r::text)) FROM {quoted} r")
            found[table] = str(cursor.fetchone())
    return found


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_dry_run_changes_nothing_and_a_second_run_nothing_more(
    call: Any, tmp_path: Path, name: str
) -> None:
    case, reads = CASES[name], name in READERS
    begun = state(tmp_path)
    code, out, err = call(name, case.arguments, *(() if reads else ("--dry-run",)))
    assert code == case.dry, err
    assert changed(begun, state(tmp_path)) == set()
    assert reads or code != DONE or "Dry run: nothing was changed." in err
    assert out or err
    if not case.runs:
        return
    code, _, err = call(name, case.arguments)
    assert code == case.dry, err
    once = state(tmp_path)
    code, _, err = call(name, case.arguments)
    assert code == case.again, err
    assert changed(once, state(tmp_path)) <= set(case.notes)


@pytest.mark.parametrize("name", sorted(name for name in CASES if CASES[name].broken))
def test_what_does_not_exist_is_refused_and_nothing_changes(
    call: Any, tmp_path: Path, name: str
) -> None:
    begun = state(tmp_path)
    for _ in range(2):
        code, _, err = call(name, CASES[name].broken)
        assert code == REFUSED, err
        assert err
    assert changed(begun, state(tmp_path)) == set()
