"""`manage.py restore FOLDER`: load a backup into an empty database."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.admin_ops.backup import BackupError, restore


class Command(BaseCommand):
    help = "Load a backup into an empty database, then migrate it to this version."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="what `backup` wrote")

    def handle(self, *_: Any, folder: Path, **__: Any) -> None:
        try:
            rows = restore(folder)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{folder}: {sum(rows.values())} rows of {len(rows)} tables are restored")
        # Newer tables, and the rights of the program's own role.
        call_command("migrate", interactive=False, verbosity=0)
