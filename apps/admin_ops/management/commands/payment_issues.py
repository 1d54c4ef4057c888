"""List payment issues, which need a person, and act on one.

    manage.py payment_issues
    manage.py payment_issues continue 17 --by Maria
    manage.py payment_issues give-up 17 --by Maria
    manage.py payment_issues resolve 17 --by Maria --resolution "Paid by bank transfer"

`continue` tries the order's waiting payments now. After a pause, it tries all charges of the
special, which otherwise continue by themselves after four hours. `give-up` releases the hold and
cancels the order. The page /staff/payment-issues offers the same actions.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common import clock
from apps.common.commands import OperatorCommand
from apps.preorders.settlement import issues


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "action", nargs="?", default="list", choices=["list", "continue", "give-up", "resolve"]
        )
        parser.add_argument("issue", nargs="?", type=int, help="the number in the list")
        parser.add_argument("--by", default="", help="who you are")
        parser.add_argument("--resolution", default="", help="what you did")

    def run(self, **options: Any) -> None:
        if options["action"] == "list":
            self._list()
            return
        if not options["issue"] or not options["by"]:
            raise CommandError("Name the issue's number, and say who you are with --by.")
        self._carry_out(options)

    def _carry_out(self, options: dict[str, Any]) -> None:
        about = {"issue_id": options["issue"], "by": options["by"], "now": clock.now()}
        match options["action"]:
            case "continue":
                count = issues.continue_payments(**about)
                self.stdout.write(f"Payments that continue: {count}")
            case "give-up":
                issues.give_up_charge(**about)
                self.stdout.write("The hold is being released and the order canceled.")
            case _:
                issues.resolve_issue(**about, resolution=options["resolution"])
                self.stdout.write("The issue is closed.")

    def _list(self) -> None:
        found = False
        for issue in issues.open_issues().iterator():
            found = True
            order = f"order {issue.pre_order.code}  " if issue.pre_order else ""
            self.stdout.write(
                f"{issue.pk}  {issue.found_at:%Y-%m-%d %H:%M}  {issue.get_kind_display()}  "
                f"{issue.restaurant.name}  {order}{issue.description}"
            )
        if not found:
            self.stdout.write("No payment issues.")
