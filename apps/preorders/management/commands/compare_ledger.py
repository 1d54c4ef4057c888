"""Compare the ledger with the orders and payouts, and with `--stripe` with Stripe too.

`verify_ledger` proves that no entry was changed; this command checks that entries say what
happened.

It changes nothing. It prints one line for each difference and exits with 3 if there is one.
"""

from typing import Any

from django.core.management.base import CommandParser

from apps.common.commands import Found, OperatorCommand
from apps.preorders.settlement.ledger_check import check_ledger


class Command(OperatorCommand):
    help = __doc__
    only_reads = True

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--stripe", action="store_true", help="read every charged order at Stripe too"
        )

    def run(self, *, stripe: bool, **_: Any) -> None:
        count = 0
        for problem in check_ledger(
            with_stripe=stripe, tell=lambda done, total: self.progress(done, total, "orders")
        ):
            self.stdout.write(problem)
            count += 1
        if count:
            raise Found(f"The ledger has differences: {count}.")
        self.stdout.write("The ledger matches the orders.")
