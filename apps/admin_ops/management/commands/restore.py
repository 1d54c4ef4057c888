"""Load a backup into an empty database, then migrate it to this version."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from apps.admin_ops.backup import BackupError, check_restorable, restore
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__
    takes_back = False
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="the folder that `backup` wrote")

    def run(self, *, folder: Path, dry_run: bool, **_: Any) -> None:
        try:
            rows = check_restorable(folder) if dry_run else restore(folder)
        except BackupError as error:
            raise CommandError(str(error)) from None
        done = "can be" if dry_run else "are"
        self.stdout.write(
            f"{folder}: {sum(rows.values())} rows of {len(rows)} tables {done} restored"
        )
        if dry_run:
            return
        # Newer tables, and the rights of the program's own role.
        call_command("migrate", interactive=False, verbosity=0)
