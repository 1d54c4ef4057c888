"""Sign a person out everywhere, for instance if they lost a device or their account is misused.

The command ends every session and bearer token of the account. With `--everybody`, it ends those of
all accounts.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.accounts.models import User
from apps.accounts.services.sessions import end_all_sessions_and_tokens
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", nargs="?", help="the email address they sign in with")
        parser.add_argument("--everybody", action="store_true", help="sign everyone out")

    def run(self, **options: Any) -> None:
        email, everybody = options["email"], options["everybody"]
        if bool(email) == everybody:
            raise CommandError("Name an email, or pass --everybody.")
        users = User.objects.all() if everybody else User.objects.filter(email__iexact=email)
        if not users.exists():
            raise CommandError(f"No account uses {email}.")
        count = sum(end_all_sessions_and_tokens(user=user) for user in users.iterator())
        self.stdout.write(f"Ended {count} sessions and API tokens.")
