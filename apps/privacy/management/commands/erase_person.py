"""Erase everything stored about a guest's email address, at every restaurant.

For who asks the platform. Check first that the request comes from that address.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.common import clock
from apps.common.errors import DomainError
from apps.privacy.erasure import erase_person


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--dry-run", action="store_true", help="change nothing, only count")

    def handle(self, *_: Any, email: str, dry_run: bool, **__: Any) -> None:
        try:
            erased = erase_person(email=email, now=clock.now(), dry_run=dry_run)
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        would = "would be" if dry_run else "were"
        self.stdout.write(f"{erased.orders:>8}  orders {would} anonymized")
        for kind, count in erased.others.items():
            self.stdout.write(f"{count:>8}  {kind} {would} deleted")
