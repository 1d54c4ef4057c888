"""Make a staff account of the platform, the first one above all (DECISIONS X38).

The password is asked for twice; or it is read from standard input: `--password-stdin < file`. It is
never an argument, which every user of the machine could read.
"""

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from apps.accounts.models import User
from apps.accounts.services import LONGEST_PASSWORD
from apps.accounts.services.accounts import create_account


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="what they sign in with")
        parser.add_argument("--name", default="Staff", help="what they are called on the pages")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        email, name = options["email"], options["name"]
        if User.objects.filter(email__iexact=email).exists():
            raise CommandError(f"There is an account with {email} already. Choose another address.")
        password = self._password(from_stdin=options["password_stdin"])
        try:
            validate_password(password, User(email=email, name=name))
            validate_email(email)
            create_account(
                email=email, password=password, name=name, role=User.Role.ADMIN, confirmed=True
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"{email} may now sign in as staff.")

    def _password(self, *, from_stdin: bool) -> str:
        if from_stdin:
            password = sys.stdin.readline().rstrip("\r\n")
        else:
            password = getpass.getpass("Password: ")
            if password != getpass.getpass("Again: "):
                raise CommandError("The two passwords differ. Run the command again.")
        if len(password) > LONGEST_PASSWORD:
            raise CommandError(f"Choose a password of at most {LONGEST_PASSWORD} characters.")
        return password
