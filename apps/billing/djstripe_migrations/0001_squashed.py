"""dj-stripe's whole history in one migration, computed from its models.

Its own migrations are 615 operations that remove much of what they created: with them, migrating an
empty database takes 55 s of processor time, with this 10 s. The 74 operations here are those that
`makemigrations` would write for the models. Computing them takes 0.4 s, so there is no copy to keep
up to date. An empty database runs this migration; one with dj-stripe's own history is past it.

It replaces every migration of the installed dj-stripe. After an upgrade, a database that had the
former ones is no longer past all it replaces, so Django leaves it out and runs the new ones.
tests/billing/test_djstripe_migrations.py holds the result against dj-stripe's own.
"""

import pkgutil

from django.apps import apps
from django.conf import settings
from django.db import migrations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.graph import MigrationGraph
from django.db.migrations.operations.base import Operation
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ModelState, ProjectState
from djstripe import migrations as theirs

LABEL = "djstripe"


def all_operations() -> list[Operation]:
    """What brings an empty database to dj-stripe's models of today."""
    wanted = ProjectState()
    for model in apps.get_app_config(LABEL).get_models(include_auto_created=False):
        wanted.add_model(ModelState.from_model(model))
    detector = MigrationAutodetector(
        ProjectState(), wanted, MigrationQuestioner(specified_apps={LABEL})
    )
    [migration] = detector.changes(MigrationGraph(), trim_to_apps={LABEL})[LABEL]
    return list(migration.operations)


class Migration(migrations.Migration):
    initial = True
    replaces = [(LABEL, name) for _, name, _ in pkgutil.iter_modules(theirs.__path__)]
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = all_operations()
