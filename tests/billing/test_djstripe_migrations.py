"""Our squash of dj-stripe's migrations has the same result as the migrations themselves.

`python -m tests.billing.djstripe_schemas` compares the tables themselves, which takes a minute.
"""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations import operations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

LABEL = "djstripe"
PACKAGE = "apps.billing.djstripe_migrations"
SCHEMA_ONLY = (
    operations.CreateModel,
    operations.DeleteModel,
    operations.RenameModel,
    operations.AlterModelOptions,
    operations.AlterUniqueTogether,
    operations.AddField,
    operations.AlterField,
    operations.RemoveField,
    operations.RenameField,
    operations.AddIndex,
    operations.RemoveIndex,
    operations.AddConstraint,
    operations.RemoveConstraint,
)
NAME = "0001_squashed"


def migration(name: str) -> Any:
    return import_module(f"{PACKAGE}.{name}").Migration(name, LABEL)


def own_migrations() -> list[Any]:
    return [migration(name) for _, name in migration(NAME).replaces]


def state_after(*migrations: Any) -> ProjectState:
    state = ProjectState()
    for one in migrations:
        state = one.mutate_state(state, preserve=False)
    return state


def changes(old: ProjectState, new: ProjectState) -> Any:
    questioner = MigrationQuestioner(specified_apps={LABEL})
    return MigrationAutodetector(old, new, questioner)._detect_changes()  # type: ignore[attr-defined]


def test_our_migration_replaces_each_of_dj_stripes() -> None:
    folder = import_module("djstripe.migrations").__path__
    assert list(import_module(PACKAGE).__path__)[1:] == list(folder)
    assert [one.name for one in own_migrations()][0] == "0001_initial"


def test_our_migration_ends_in_the_same_models() -> None:
    own, squashed = state_after(*own_migrations()), state_after(migration(NAME))
    assert len(squashed.models) == len(list(apps.get_app_config(LABEL).get_models()))
    assert changes(own, squashed) == {}
    assert changes(squashed, own) == {}


def test_theirs_change_only_the_schema() -> None:
    """One that changes rows would be left out on an empty database, and one that is a squash
    itself cannot be replaced by another."""
    for one in own_migrations():
        assert not one.replaces
        assert [kind for kind in one.operations if not isinstance(kind, SCHEMA_ONLY)] == []


def plan_with(recorded: list[str]) -> list[str]:
    """The migrations of dj-stripe that a database would run which has recorded these."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app=LABEL).delete()
    for name in recorded:
        recorder.record_applied(LABEL, name)
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [one.name for one, _ in plan if one.app_label == LABEL]


@pytest.mark.django_db
def test_a_database_with_their_history_is_past_it() -> None:
    their_names = [one.name for one in own_migrations()]
    assert plan_with(their_names) == []
    assert plan_with(their_names[:-1]) == their_names[-1:]
    assert plan_with([]) == [NAME]


@pytest.mark.django_db
def test_a_database_of_a_former_version_runs_only_what_is_new() -> None:
    """The squash replaces more after an upgrade than it did when it was run."""
    their_names = [one.name for one in own_migrations()]
    assert plan_with([NAME, *their_names[:-1]]) == their_names[-1:]
    assert plan_with([NAME, *their_names]) == []
