"""Open each restaurant's current month, close the months that are over, and issue fee invoices.

The scheduler does the same every hour. Repeating the command changes nothing. The exit code is 3 if
a month wasn't closed because its totals aren't the sums of its entries. /staff/payment-issues lists
those months.
"""

from typing import Any

from apps.billing import cycles
from apps.billing.models import Discrepancy
from apps.common import clock, rls
from apps.common.commands import Found, OperatorCommand


class Command(OperatorCommand):
    help = __doc__

    def run(self, **options: Any) -> None:
        now = clock.now()
        with rls.acting_as(rls.PLATFORM):
            opened = cycles.open_cycles(now=now)
            closed = cycles.close_cycles(now=now)
            refused = Discrepancy.objects.filter(kind=Discrepancy.Kind.LEDGER, resolved_at=None)
            is_refused = refused.exists()
        self.stdout.write(f"Months opened: {opened}, closed: {closed}.")
        if is_refused:
            raise Found("A ledger doesn't add up. See /staff/payment-issues.")
