"""Create a platform staff account (DECISIONS X38).

The command prompts for the password twice, or reads it from standard input with
`--password-stdin < file`. The password is never an argument, because every user of the machine can
read arguments.
"""

import getpass
import sys
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_email

from apps.accounts.models import User
from apps.accounts.services import LONGEST_PASSWORD
from apps.accounts.services.accounts import create_account
from apps.accounts.services.passwords import password_error
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", help="the email address they sign in with")
        parser.add_argument("--name", default="Staff", help="the name shown on pages")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )

    def run(self, **options: Any) -> None:
        email, name = options["email"], options["name"]
        if User.objects.filter(email__iexact=email).exists():
            raise CommandError(f"{email} already has an account. Use a different email.")
        password = self._password(from_stdin=options["password_stdin"])
        try:
            if sentence := password_error(password):
                raise CommandError(sentence)
            validate_email(email)
            create_account(
                email=email, password=password, name=name, role=User.Role.ADMIN, confirmed=True
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"{email} can now sign in as staff.")

    def _password(self, *, from_stdin: bool) -> str:
        if from_stdin:
            password = sys.stdin.readline().rstrip("\r\n")
        else:
            password = getpass.getpass("Password: ")
            if password != getpass.getpass("Again: "):
                raise CommandError("The passwords don't match. Run the command again.")
        if len(password) > LONGEST_PASSWORD:
            raise CommandError(f"Choose a password of at most {LONGEST_PASSWORD} characters.")
        return password
