"""Register our hosts with Stripe for wallets now, and say which of them can't show any.

The scheduler does the same every minute for a few hosts. This command registers every host that is
due, including those that wait for another attempt. Repeating it changes nothing. The exit code is 3
if Stripe can't show wallets on some hosts. Each one is printed with Stripe's reason.
"""

from typing import Any

from django.core.management.base import CommandError

from apps.billing import stripe_gateway, wallet_domains
from apps.billing.models import WalletDomain
from apps.common import clock
from apps.common.commands import Found, OperatorCommand

Status = WalletDomain.Status
DOING = {Status.ENDING: "disable", Status.WAITING: "register"}


class Command(OperatorCommand):
    help = __doc__

    def run(self, *, dry_run: bool, **_: Any) -> None:
        now = clock.now()
        wallet_domains.note_hosts(now=now)
        wallet_domains.check_again(now=now)
        due = wallet_domains.due_domains(now=now)
        if dry_run:
            for row in due.iterator():
                self.stdout.write(f"Would {DOING.get(Status(row.status), 'check')} {row.host}")
            return
        done, total = 0, due.count()
        with stripe_gateway.in_background():
            while True:
                sweep = wallet_domains.sync_wallet_domains(now=now)
                done += len(sweep.done)
                self.progress(done, total, "hosts")
                if sweep.unreachable:
                    raise CommandError(
                        f"Stripe didn't answer: {sweep.unreachable} Run the command again."
                    )
                if not sweep.done:
                    break
        self.stdout.write(f"Hosts checked: {done}.")
        inactive = WalletDomain.objects.filter(status=Status.INACTIVE).order_by("host")
        for row in inactive.iterator():
            self.stderr.write(f"{row.host}: {row.problem}")
        if inactive.exists():
            raise Found("Stripe can't show wallets on these hosts.")
