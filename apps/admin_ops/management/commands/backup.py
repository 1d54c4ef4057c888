"""Back up the database and the uploaded images into a new folder."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.admin_ops.backup import BackupError, back_up, count_rows, record_backup
from apps.common import clock
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="where to write it; must not exist")

    def run(self, *, folder: Path, dry_run: bool, **_: Any) -> None:
        now = clock.now()
        try:
            rows = count_rows(folder) if dry_run else back_up(folder, now=now)
        except BackupError as error:
            raise CommandError(str(error)) from None
        if not dry_run:
            record_backup(rows, taken_at=now, now=clock.now())
        self.stdout.write(f"{folder}: {sum(rows.values())} rows of {len(rows)} tables")
