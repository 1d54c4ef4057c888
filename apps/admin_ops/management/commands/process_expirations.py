"""Settle every special past its deadline now, even while the scheduler is stopped.

    manage.py process_expirations --by Maria
    manage.py process_expirations --dry-run

You can repeat the command and run it while the scheduler runs: each special is decided once.
Specials that are paused, or whose checkouts are still open, wait. The exit code is 0 if every
special that is due was decided or waits on purpose, and 1 if one failed. The log says why.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common import clock, rls
from apps.common.commands import OperatorCommand
from apps.preorders.models.states import RunTrigger
from apps.preorders.settlement import deadline, expirations


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--by", default="", help="who you are, for the list of runs")

    def run(self, **options: Any) -> None:
        with rls.acting_as(rls.PLATFORM):
            if options["dry_run"]:
                self._list()
            else:
                self._run(options["by"])

    def _list(self) -> None:
        now, found = clock.now(), 0
        for offer in deadline.due_offers(now=now, limit=expirations.AT_ONCE, automatic=False):
            found += 1
            self.stdout.write(f"{offer.pk}  {offer.name}  deadline {offer.deadline:%Y-%m-%d %H:%M}")
        self.stdout.write(f"Specials to settle: {found}")

    def _run(self, by: str) -> None:
        run = expirations.process_expirations(
            trigger=RunTrigger.COMMAND,
            by=by,
            now=clock.now(),
            on_progress=lambda done: self.stderr.write(f"{done} specials checked"),
        )
        self.stdout.write(
            f"Specials settled: {run.processed_specials}, orders confirmed: "
            f"{run.confirmed_orders}, orders canceled: {run.cancelled_orders}, specials waiting: "
            f"{run.waiting_specials}"
        )
        if run.failed_specials:
            raise CommandError(f"Specials that failed: {run.failed_specials}. The log says why.")
