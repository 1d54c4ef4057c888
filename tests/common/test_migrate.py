"""`manage.py migrate` and databases that other versions made."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

pytestmark = pytest.mark.django_db


def migrate(*options: str) -> str:
    out = StringIO()
    call_command("migrate", *options, verbosity=1, interactive=False, stdout=out)
    return out.getvalue()


def test_migrate_stops_at_a_database_with_migrations_it_does_not_know() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("preorders", "0021_later")
    recorder.record_applied("offers", "0006_photo_avif")
    with pytest.raises(
        CommandError, match="2 migrations .* such as offers.0006_photo_avif"
    ) as stop:
        migrate()
    assert "delete the data folder (.data, or DATA_DIR)" in str(stop.value)


def test_migrate_goes_on_when_told_that_unknown_migrations_are_fine() -> None:
    MigrationRecorder(connection).record_applied("preorders", "9999_of_a_later_version")
    assert "No planned migration operations" in migrate("--allow-unknown", "--plan")


def test_migrate_accepts_its_own_database_and_other_packages_migrations() -> None:
    MigrationRecorder(connection).record_applied("djstripe", "0999_of_another_release")
    assert "No planned migration operations" in migrate("--plan")
