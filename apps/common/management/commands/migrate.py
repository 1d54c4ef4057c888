"""Run Django's own `migrate`; django-tenants' version would look for one schema per tenant.

The command refuses a database that another version of the program created: its tables may differ
from those that this version's first migration creates, and Django would not notice.

With `DATABASE_OWNER_URL`, the command migrates as that role and lets the program's own role, which
owns nothing, read and write rows. The owner of a table can switch its row-level security off:
https://www.postgresql.org/docs/current/ddl-rowsecurity.html
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import dj_database_url
from django.apps import apps
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands.migrate import Command as StockMigrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ModelState, ProjectState
from psycopg import sql

from apps.common import rls


class Command(StockMigrate):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--allow-unknown",
            action="store_true",
            help="accept migrations that this version doesn't have, to return to it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with _as_owner(options["database"]):
            self._migrate(*args, **options)

    def _migrate(self, *args: Any, **options: Any) -> None:
        unknown = unknown_migrations(options["database"])
        if unknown and not options["allow_unknown"]:
            raise CommandError(
                f"Another version of the program made this database. It has {len(unknown)} "
                f"migrations that this version doesn't know, such as {unknown[0]}. On your own "
                "machine, delete the data folder (.data, or DATA_DIR) and start again. In "
                "production, deploy the version that made it, or pass --allow-unknown to go back."
            )
        if missing := missing_columns(options["database"]):
            raise CommandError(
                f"This database was made before the first migrations changed: {missing[0]} isn't "
                "in it. Delete the data folder (.data, or DATA_DIR) and start again."
            )
        recorder = MigrationRecorder(connections[options["database"]])
        is_empty = not recorder.applied_migrations()
        # As the platform, because data migrations change every restaurant's rows.
        with rls.acting_as(rls.PLATFORM), new_models_alone() if is_empty else nullcontext():
            super().handle(*args, **options)


@contextmanager
def new_models_alone() -> Iterator[None]:
    """When a migration creates a model, make the class of that model only.

    Django remakes the classes of all models that are related to it, however distantly, which takes
    a third of the time of migrating an empty database. Nothing refers to a new model yet, and the
    models that it refers to learn of it as they do when a program starts.
    """
    stock = ProjectState.add_model

    def add_model(state: ProjectState, model: ModelState) -> None:
        known = state.__dict__.get("apps")
        if known is None or model.name_lower in known.all_models[model.app_label]:
            stock(state, model)
            return
        del state.__dict__["apps"]  # without them the model is added to the state only
        try:
            stock(state, model)
        finally:
            state.__dict__["apps"] = known
        known.render_multiple([model])

    ProjectState.add_model = add_model  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        ProjectState.add_model = stock  # type: ignore[method-assign]


# What the program's role can do with rows. Nothing lets it change tables, policies, or other roles'
# rights.
GRANTS = (
    "GRANT USAGE ON SCHEMA public TO {}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}",
)


@contextmanager
def _as_owner(database: str) -> Iterator[None]:
    """Connect as the tables' owner, if there is one, and grant the program's role its rights."""
    if not settings.DATABASE_OWNER_URL:
        yield
        return
    connection = connections[database]
    program = connection.settings_dict
    owner = dj_database_url.parse(settings.DATABASE_OWNER_URL)
    if owner["NAME"] != program["NAME"]:
        raise CommandError("DATABASE_OWNER_URL and DATABASE_URL name different databases.")
    connection.close()
    as_owner = {name: owner[name] for name in ("USER", "PASSWORD")}
    connection.settings_dict = {**program, **as_owner}
    try:
        yield
        with connection.cursor() as cursor:
            for grant in GRANTS:
                cursor.execute(sql.SQL(grant).format(sql.Identifier(program["USER"])))
    finally:
        connection.close()
        connection.settings_dict = program


def missing_columns(database: str) -> list[str]:
    """The columns, as `table.column`, that applied migrations of our apps should have made.

    Until the first release the first migrations are rewritten in place, under their old names.
    """
    loader = MigrationLoader(connections[database])
    behind = {app for app, name in set(loader.disk_migrations) - set(loader.applied_migrations)}
    with connections[database].cursor() as cursor:
        cursor.execute(
            "SELECT table_name || '.' || column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema()"
        )
        present = {name for (name,) in cursor.fetchall()}
    return sorted(
        name
        for model in apps.get_models()
        if model.__module__.startswith("apps.") and model._meta.managed
        if model._meta.app_label not in behind
        for field in model._meta.local_concrete_fields
        if (name := f"{model._meta.db_table}.{field.column}") not in present
    )


def unknown_migrations(database: str) -> list[str]:
    """The applied migrations of our own apps that aren't in this version, as `app.name`."""
    ours = {each.label for each in apps.get_app_configs() if each.name.startswith("apps.")}
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    applied = MigrationRecorder(connections[database]).applied_migrations()
    return sorted(
        f"{app}.{name}"
        for app, name in applied
        if app in ours and (app, name) not in loader.disk_migrations
    )
