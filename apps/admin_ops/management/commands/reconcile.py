"""Compare our records with Stripe's now, to the end of every list.

    manage.py reconcile
    manage.py reconcile --dry-run

The scheduler does the same every five minutes within a time limit. You can repeat or stop the
command at any time, and the next pass continues. `--dry-run` asks Stripe nothing and says how much
isn't settled. The exit code is 0 if nothing differs, 1 if Stripe can't be read, and 3 if
differences are open (`manage.py payment_issues` lists them).
"""

from typing import Any

from django.core.management.base import CommandError

from apps.billing import balances
from apps.billing.gateway import GatewayError
from apps.billing.models import Discrepancy
from apps.common import clock, rls
from apps.common.commands import Found, OperatorCommand
from apps.preorders.settlement import reconciliation
from apps.preorders.settlement.dispute_reconciliation import reconcile_disputes
from apps.preorders.settlement.reconciliation_status import reconciliation_status


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def run(self, **options: Any) -> None:
        now = clock.now()
        with rls.acting_as(rls.PLATFORM):
            waiting = reconciliation.unsettled_count(now=now)
            self.stdout.write(f"Payments that aren't settled: {waiting}")
            if options["dry_run"]:
                return
            try:
                found = reconciliation.reconcile(now=now, has_time=self._progress())
                reconcile_disputes(now=now)
            except GatewayError as error:
                raise CommandError(f"Couldn't read from Stripe: {type(error).__name__}") from error
            balances.read_balances(now=now)
            status = reconciliation_status()
        for each in status.lists:
            self.stdout.write(f"{each.name}: {each.read} read")
        self.stdout.write(f"Balances that differ: {status.balances_that_differ}")
        kinds = (Discrepancy.Kind.DIFFERENCE, Discrepancy.Kind.BALANCE)
        left = sum(status.open_issues.get(kind, 0) for kind in kinds)
        self.stdout.write(f"Differences found: {found}, still open: {left}")
        if left:
            raise Found("Differences are open: see `payment_issues`.")

    def _progress(self) -> Any:
        """Asked by the reconciler whether there is time left: always yes, with a line of progress
        now and then."""
        steps = 0

        def has_time() -> bool:
            nonlocal steps
            steps += 1
            if steps % 50 == 0:
                self.stderr.write(f"{steps} payments and pages read")
            return True

        return has_time
