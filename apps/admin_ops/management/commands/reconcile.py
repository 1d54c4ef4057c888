"""Compare our records with Stripe's now, to the end of every list, and print what was read.

The schedule does the same every five minutes within a time limit. Exit code 1: differences are
open, see /staff/payment-issues. Exit code 2: Stripe didn't answer; what was read so far counts.
"""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from apps.billing import balances
from apps.billing.gateway import GatewayError
from apps.billing.models import Discrepancy
from apps.common import clock, rls
from apps.preorders.settlement.dispute_reconciliation import reconcile_disputes
from apps.preorders.settlement.reconciliation import reconcile
from apps.preorders.settlement.reconciliation_status import reconciliation_status

DIFFERENT, UNREACHABLE = 1, 2


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        now = clock.now()
        with rls.acting_as(rls.PLATFORM):
            try:
                found = reconcile(now=now)
                reconcile_disputes(now=now)
            except GatewayError as error:
                self.stderr.write(f"Stripe didn't answer: {error}")
                sys.exit(UNREACHABLE)
            balances.read_balances(now=now)
            status = reconciliation_status()
        for each in status.lists:
            self.stdout.write(f"{each.name}: {each.read} read")
        self.stdout.write(
            f"Differences found: {found}, balances that differ: {status.balances_that_differ}."
        )
        kinds = (Discrepancy.Kind.DIFFERENCE, Discrepancy.Kind.BALANCE)
        if any(status.open_issues.get(kind) for kind in kinds):
            self.stderr.write("Differences are open. See /staff/payment-issues.")
            sys.exit(DIFFERENT)
