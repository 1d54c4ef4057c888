"""Pause, continue, retry, or give up settlement, for one payment, for everything, or in between.

    manage.py settlement
    manage.py settlement pause all --reason "Charges look wrong" --by Maria
    manage.py settlement pause restaurant luigis --reason "Fraud?" --by Maria
    manage.py settlement continue special 6f9d1c1e-… --by Maria
    manage.py settlement retry operation 17 --by Maria
    manage.py settlement give-up special 6f9d1c1e-… --by Maria --dry-run
    manage.py settlement give-up special 6f9d1c1e-… --by Maria --confirm 12
    manage.py settlement pause scheduler --reason "Release" --by Maria

Without an action, the command lists what is paused or overdue. You can repeat each action without
doing anything twice. `--dry-run` says what would happen. `give-up` releases the holds and cancels
the orders of its target, so it needs the number of orders that the dry run printed. The exit code
is 0 if the action is done, even if there was nothing to do, and 1 if it was refused. The list exits
with 3 if something is overdue. The page /admin/expiration offers the same actions.
"""

from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common import clock, rls
from apps.common.commands import Found, OperatorCommand
from apps.common.errors import DomainError
from apps.preorders.models.states import PauseScope
from apps.preorders.settlement import expirations, interventions, overdue, pauses
from apps.preorders.settlement.pauses import Target

ACTIONS = ["list", "pause", "continue", "retry", "give-up"]


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", nargs="?", default="list", choices=ACTIONS)
        parser.add_argument("scope", nargs="?", default="", choices=["", *PauseScope.values])
        parser.add_argument(
            "target", nargs="?", default="", help="a subdomain, a special's id, or a number"
        )
        parser.add_argument("--by", default="", help="who you are")
        parser.add_argument("--reason", default="", help="the reason for the pause")
        parser.add_argument("--confirm", type=int, help="how many orders `give-up` cancels")

    def run(self, **options: Any) -> None:
        now = clock.now()
        with rls.acting_as(rls.PLATFORM):
            if options["action"] == "list":
                self._list(now)
                return
            if not options["scope"] or not options["by"]:
                raise CommandError("Name what to act on, and say who you are with --by.")
            try:
                target = pauses.find_target(options["scope"], options["target"])
                self.stdout.write(self._carry_out(target, options, now))
            except DomainError as refusal:
                message = refusal.fields[0].message if refusal.fields else refusal.message
                raise CommandError(message) from None

    def _carry_out(self, target: Target, options: dict[str, Any], now: datetime) -> str:
        match options["action"]:
            case "pause":
                return self._pause(target, options, now)
            case "continue":
                return self._continue(target, options, now)
            case "retry":
                return self._retry(target, options, now)
        return self._give_up(target, options, now)

    def _pause(self, target: Target, options: dict[str, Any], now: datetime) -> str:
        if _is_paused(target, now):
            return f"Already paused: {target.name}."
        if options["dry_run"]:
            return f"Would pause: {target.name}."
        about = {"reason": options["reason"], "by": options["by"], "now": now}
        pauses.pause_settlement(target=target, **about)
        return f"Paused: {target.name}."

    def _continue(self, target: Target, options: dict[str, Any], now: datetime) -> str:
        if not _is_paused(target, now):
            return f"Not paused: {target.name}."
        if options["dry_run"]:
            return f"Would continue: {target.name}."
        if target.scope == PauseScope.SCHEDULER:
            interval = expirations.scheduler_status(now=now).interval_minutes
            expirations.start_scheduler(interval_minutes=interval, by=options["by"], now=now)
        else:
            interventions.continue_settlement(target=target, by=options["by"], now=now)
        return f"Continued: {target.name}."

    def _retry(self, target: Target, options: dict[str, Any], now: datetime) -> str:
        done = interventions.retry_settlement(
            target=target, by=options["by"], now=now, dry_run=options["dry_run"]
        )
        return (
            f"{'Would try' if options['dry_run'] else 'Trying'} again: "
            f"{done.operations} payments, {done.specials} specials."
        )

    def _give_up(self, target: Target, options: dict[str, Any], now: datetime) -> str:
        about = {"target": target, "by": options["by"], "now": now}
        would_end = interventions.give_up_settlement(**about, dry_run=True)
        if options["dry_run"]:
            return (
                f"Would end {would_end.orders} orders: {would_end.operations} charges, and "
                f"{would_end.specials} undecided specials. Confirm with --confirm "
                f"{would_end.orders}."
            )
        if would_end.orders and options["confirm"] != would_end.orders:
            raise CommandError(
                f"This ends {would_end.orders} orders. If that is right, repeat it with "
                f"--confirm {would_end.orders}."
            )
        done = interventions.give_up_settlement(**about)
        return f"Given up: {done.operations} charges, {done.specials} specials."

    def _list(self, now: datetime) -> None:
        for each in pauses.shown_pauses(now=now):
            pause = each.pause
            self.stdout.write(
                f"paused  {pause.scope} {each.named}  {each.name}  since "
                f"{pause.started_at:%Y-%m-%d %H:%M}  by {pause.started_by or 'the program'}  "
                f"{pause.reason}"
            )
        late = overdue.overdue_offers(now=now, late_by=timedelta())
        for offer in late.iterator():
            ends = offer.first_hold_ends
            self.stdout.write(
                f"overdue  special {offer.pk}  {offer.name}, {offer.restaurant.name}  deadline "
                f"{offer.deadline:%Y-%m-%d %H:%M}  held orders {offer.held_orders}  first hold "
                f"ends {ends and format(ends, '%Y-%m-%d %H:%M')}"
            )
        for order in overdue.ending_holds(now=now).iterator():
            ends = order.capture_before
            self.stdout.write(
                f"hold  order {order.code}  {order.offer.name}  ends "
                f"{ends and format(ends, '%Y-%m-%d %H:%M')}"
            )
        if late:
            raise Found("Specials are overdue.")
        if not pauses.settlement_pauses(now=now):
            self.stdout.write("Nothing is paused, and nothing is overdue.")


def _is_paused(target: Target, now: datetime) -> bool:
    return any(
        (pause.scope, pause.target) == (target.scope, target.id)
        for pause in pauses.settlement_pauses(now=now)
    )
