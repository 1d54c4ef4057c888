"""Write a copy of the database for developers, with every personal column replaced.

The copy is a compressed SQL file. Load it into an empty database with
`gunzip --stdout FILE | psql`. No one can sign in there until `create_staff` creates an account.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.admin_ops.anonymized_dump import check_classified, dump_anonymized
from apps.admin_ops.backup import BackupError
from apps.common import clock
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="where to write it; must not exist")

    def run(self, *, file: Path, dry_run: bool, **_: Any) -> None:
        if dry_run:
            check_classified()
            self.stdout.write(f"{file} would be written; every table is classified")
            return
        try:
            rows = dump_anonymized(file, now=clock.now())
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {sum(rows.values())} rows of {len(rows)} tables")
