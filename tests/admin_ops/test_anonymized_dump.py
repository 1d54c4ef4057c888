"""The developers' copy of the database: complete, restorable, and without personal data."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from apps.admin_ops import backup
from apps.admin_ops.anonymized_dump import LEFT_OUT
from apps.common import rls
from apps.common.admin import SECRET_NAME
from apps.privacy.classification import HOLDINGS
from devtools.embedded.binaries import find_postgres
from devtools.paths import ENVIRONMENT
from tests.database import drop_database
from tests.factories import (
    DishFactory,
    MembershipFactory,
    PreOrderFactory,
    RestaurantFactory,
    StaffFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE = {
    "customer_name": "Dana Featherstone",
    "customer_email": "dana.featherstone@example.test",
    "customer_phone": "+1 212 555 8642",
    "note": "Severe walnut allergy",
}


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(find_postgres(ENVIRONMENT) / "bin"), prepend=":")


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[Path], psycopg.Connection]]:
    """Loads a dump into a new database with `psql`, as the docs say."""
    name = f"copy_{uuid4().hex[:8]}"
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    sessions = []

    def into_new_database(file: Path) -> psycopg.Connection:
        plain = tmp_path / "dump.sql"
        plain.write_bytes(gzip.decompress(file.read_bytes()))
        backup.run_program(
            "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--dbname={name}",
            f"--file={plain}",
        )  # fmt: skip
        named = {**backup.connection_parameters(), "dbname": name}
        sessions.append(psycopg.connect(**named, options=backup.AS_PLATFORM))
        return sessions[-1]

    yield into_new_database
    for each in sessions:
        each.close()
    with connection.cursor() as cursor:
        drop_database(cursor, name)


def _rows_of(session: psycopg.Connection, table: str) -> int:
    query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
    found = session.execute(query).fetchone()
    assert found
    return int(found[0])


def test_a_dump_has_every_row_and_no_persons_data(tmp_path: Path, load) -> None:
    restaurant = RestaurantFactory(
        name="Luigi's", owner_name="Luigi Marchetti", email="luigi.marchetti@example.test"
    )
    MembershipFactory(restaurant=restaurant, user__email="luigi.marchetti@example.test")
    StaffFactory(email="ada.lovelace@platform.test", name="Ada Lovelace")
    first = PreOrderFactory(offer__restaurant=restaurant, **PEOPLE)
    second = PreOrderFactory(
        offer=first.offer, **{**PEOPLE, "customer_email": PEOPLE["customer_email"].upper()}
    )
    PreOrderFactory(offer=first.offer, customer_email="")
    file = tmp_path / "copy.sql.gz"
    call_command("anonymized_dump", str(file))

    text = gzip.decompress(file.read_bytes()).decode()
    for secret in (*PEOPLE.values(), "Featherstone", "Marchetti", "Lovelace", "argon2"):
        assert secret.lower() not in text.lower(), secret
    with load(file) as session:
        with rls.acting_as(rls.PLATFORM), connection.cursor() as cursor:
            for model in apps.get_models(include_auto_created=True):
                table = model._meta.db_table
                cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
                expected = 0 if model._meta.label in LEFT_OUT else cursor.fetchone()[0]
                assert _rows_of(session, table) == expected, table
        orders = {
            str(pk): (email, name, total)
            for pk, email, name, total in session.execute(
                "SELECT id, customer_email, customer_name, total_amount FROM preorders_preorder"
            )
        }
        email, name, total = orders[str(first.pk)]
        assert email.endswith("@example.invalid")
        assert (name, total) != ("", 0)
        # One person still has one pseudonym, and an empty column is still empty.
        assert orders[str(second.pk)][0] == email
        assert sorted(each[0] for each in orders.values())[0] == ""
        [(name_there,)] = session.execute("SELECT name FROM restaurants_restaurant")
        assert name_there == "Luigi's"
        # Row-level security is on, and the next row gets the next number.
        session.execute("SET app.platform = ''")
        assert _rows_of(session, "preorders_preorder") == 0


def test_two_dumps_have_different_pseudonyms(tmp_path: Path) -> None:
    PreOrderFactory(**PEOPLE)
    texts = []
    for name in ("a.gz", "b.gz"):
        call_command("anonymized_dump", str(tmp_path / name))
        text = gzip.decompress((tmp_path / name).read_bytes()).decode()
        texts.append({word for word in text.split() if word.endswith("@example.invalid")})
    assert texts[0]
    assert not texts[0] & texts[1]


def test_a_table_that_nobody_classified_stops_the_dump(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delitem(HOLDINGS, "preorders.OrderNote")
    with pytest.raises(CommandError, match=r"Classify these tables first: preorders\.OrderNote"):
        call_command("anonymized_dump", str(tmp_path / "copy.gz"))
    assert list(tmp_path.iterdir()) == []


def test_a_text_column_that_nobody_classified_is_replaced(tmp_path: Path, monkeypatch) -> None:
    holding = HOLDINGS["offers.Dish"]
    monkeypatch.setitem(HOLDINGS, "offers.Dish", type(holding)(holding.whose))
    DishFactory(name="Zabaglione")
    call_command("anonymized_dump", str(tmp_path / "copy.gz"))
    assert b"Zabaglione" not in gzip.decompress((tmp_path / "copy.gz").read_bytes())


def test_a_dump_never_overwrites_and_leaves_nothing_half_done(tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "copy.gz"
    call_command("anonymized_dump", str(file), "--dry-run")
    assert not file.exists()
    call_command("anonymized_dump", str(file))
    with pytest.raises(CommandError, match="already exists"):
        call_command("anonymized_dump", str(file))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(CommandError, match="Install PostgreSQL's client programs"):
        call_command("anonymized_dump", str(tmp_path / "other.gz"))
    assert [each.name for each in tmp_path.iterdir()] == ["copy.gz"]


def test_no_secret_of_a_table_that_is_copied_is_in_a_column_that_stays() -> None:
    copied = {
        f"{label}.{column}"
        for label, holding in HOLDINGS.items()
        if label not in LEFT_OUT and not holding.is_empty
        for column in holding.other
        if SECRET_NAME.search(column)
    }
    # The SHA-256 of a public announcement; ids, codes, and amounts of events; what a domain's DNS
    # says in public.
    assert copied <= {
        "marketing.Announcement.digest",
        "integrations.WebhookEvent.body",
        "restaurants.OwnDomain.token",
    }
