"""What all operators' commands share: a dry run, progress, refusals, and exit codes.

A command does its work in `run`, as the platform, and can be repeated. Results go to standard
output and progress to standard error, so that the output can be piped.
"""

import time
from enum import IntEnum
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from apps.common import rls
from apps.common.errors import DomainError

PROGRESS_EVERY_SECONDS = 1.0


class ExitCode(IntEnum):
    """What a command's exit status means; `docs/operations.md` says the same."""

    DONE = 0
    REFUSED = 1  # nothing was done, or not all of it; the message says why
    USAGE = 2  # the command line is wrong (argparse's own)
    FOUND = 3  # it worked, and found something that needs a person


class Found(CommandError):
    """The command did its work and found something that needs a person."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=ExitCode.FOUND)


class OperatorCommand(BaseCommand):
    """Base class of operators' commands: implement `run`.

    With `--dry-run` everything happens in a transaction that is rolled back, together with the
    background work it would have queued. A command that acts outside the database, or in many
    transactions, sets `takes_back` to False and looks at `dry_run` itself. A DomainError becomes
    the message of exit code 1.
    """

    takes_back: ClassVar[bool] = True
    # A command that only reads has no dry run.
    only_reads: ClassVar[bool] = False
    _reported_at = 0.0

    def add_arguments(self, parser: CommandParser) -> None:
        if not self.only_reads:
            parser.add_argument("--dry-run", action="store_true", help="change nothing, only say")

    def handle(self, *_: Any, **options: Any) -> None:
        dry_run = options.setdefault("dry_run", False)
        try:
            with rls.acting_as(rls.PLATFORM):
                if dry_run and self.takes_back:
                    with transaction.atomic():
                        self.run(**options)
                        transaction.set_rollback(True)
                else:
                    self.run(**options)
        except DomainError as refusal:
            first = refusal.fields[0].message if refusal.fields else refusal.message
            raise CommandError(first, returncode=ExitCode.REFUSED) from refusal
        if dry_run:
            self.stderr.write("Dry run: nothing was changed.")

    def run(self, *args: Any, **options: Any) -> None:
        """Do the work. `options` are the command line's, with `dry_run`."""
        raise NotImplementedError

    def progress(self, done: int, total: int | None, what: str) -> None:
        """Report the progress of long work on standard error: at most once a second, and at the
        end."""
        now = time.monotonic()
        if done != total and now - self._reported_at < PROGRESS_EVERY_SECONDS:
            return
        self._reported_at = now
        self.stderr.write(f"{done} of {total} {what}" if total is not None else f"{done} {what}")
