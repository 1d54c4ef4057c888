"""`manage.py backup FOLDER`: back up the database and the uploaded images."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.admin_ops.backup import BackupError, back_up
from apps.common import clock


class Command(BaseCommand):
    help = "Back up the database and the uploaded images into a new folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="where to write it; must not exist")

    def handle(self, *_: Any, folder: Path, **__: Any) -> None:
        try:
            rows = back_up(folder, now=clock.now())
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{folder}: {sum(rows.values())} rows of {len(rows)} tables")
