"""Erase everything stored about a guest's email address, at every restaurant.

Use it for people who ask the platform. First check that the request comes from that address.
"""

from typing import Any

from django.core.management.base import CommandParser

from apps.common import clock
from apps.common.commands import OperatorCommand
from apps.privacy.erasure import erase_person


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email")

    def run(self, *, email: str, dry_run: bool, **_: Any) -> None:
        erased = erase_person(email=email, now=clock.now(), dry_run=dry_run)
        would = "would be" if dry_run else "were"
        self.stdout.write(f"{erased.orders:>8}  orders {would} anonymized")
        for kind, count in erased.others.items():
            self.stdout.write(f"{count:>8}  {kind} {would} deleted")
