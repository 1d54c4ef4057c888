"""`manage.py backup FOLDER`: back up the database and the uploaded images."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.admin_ops.backup import BackupError, back_up, record_backup
from apps.common import clock


class Command(BaseCommand):
    help = "Back up the database and the uploaded images into a new folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="where to write it; must not exist")

    def handle(self, *_: Any, folder: Path, **__: Any) -> None:
        now = clock.now()
        try:
            rows = back_up(folder, now=now)
        except BackupError as error:
            raise CommandError(str(error)) from None
        record_backup(rows, taken_at=now, now=clock.now())
        self.stdout.write(f"{folder}: {sum(rows.values())} rows of {len(rows)} tables")
