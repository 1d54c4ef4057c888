"""`manage.py migrate` and databases that other versions made."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ModelState, ProjectState

from apps.common.management.commands.migrate import new_models_alone

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


def test_migrate_stops_at_tables_that_an_earlier_first_migration_made() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE restaurants_restaurant DROP COLUMN embed_sites")
    with pytest.raises(CommandError, match="restaurants_restaurant.embed_sites isn't in") as stop:
        migrate()
    assert "Delete the data folder (.data, or DATA_DIR)" in str(stop.value)


def test_migrate_goes_on_when_told_that_unknown_migrations_are_fine() -> None:
    MigrationRecorder(connection).record_applied("preorders", "9999_of_a_later_version")
    assert "No planned migration operations" in migrate("--allow-unknown", "--plan")


def test_migrate_accepts_its_own_database_and_other_packages_migrations() -> None:
    MigrationRecorder(connection).record_applied("djstripe", "0999_of_another_release")
    assert "No planned migration operations" in migrate("--plan")


def test_a_new_model_is_related_to_those_before_it_whose_classes_stay() -> None:
    """Of an empty database's migrations: the others' classes are not made again."""
    state = ProjectState()
    state.add_model(ModelState("a", "Guest", [("id", models.AutoField(primary_key=True))]))
    before = state.apps.get_model("a", "Guest")
    to_guest = models.ForeignKey("a.Guest", models.CASCADE, related_name="orders")
    order = ModelState("a", "Order", [("id", models.AutoField(primary_key=True)), ("of", to_guest)])
    with new_models_alone():
        state.add_model(order)
    assert state.apps.get_model("a", "Guest") is before
    made = state.apps.get_model("a", "Order")
    assert made._meta.get_field("of").related_model is before
    assert [each.related_model for each in before._meta.related_objects] == [made]
    assert before.orders.rel.related_model is made


def test_afterwards_a_model_that_is_changed_is_made_again_with_its_relations() -> None:
    state = ProjectState()
    state.add_model(ModelState("a", "Guest", [("id", models.AutoField(primary_key=True))]))
    before = state.apps.get_model("a", "Guest")
    with new_models_alone():
        state.add_model(ModelState("a", "Order", [("id", models.AutoField(primary_key=True))]))
    to_guest = models.ForeignKey("a.Guest", models.CASCADE, related_name="orders", null=True)
    state.add_field("a", "order", "of", to_guest, preserve_default=True)
    guest, order = state.apps.get_model("a", "Guest"), state.apps.get_model("a", "Order")
    assert guest is not before
    assert order._meta.get_field("of").related_model is guest
    assert [each.related_model for each in guest._meta.related_objects] == [order]
