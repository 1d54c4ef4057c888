"""Verify that no ledger entry was changed or removed since it was sealed.

    manage.py verify_ledger
    manage.py verify_ledger --restaurant luigis

The exit code is 0 if every chain holds. It is 3 if one doesn't (the command prints the first wrong
entry of each), or if entries have waited longer than ten minutes for their seal, which means that
the scheduled pass isn't running. docs/operations.md says what to do in each case.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.billing import chain
from apps.common import clock, rls
from apps.common.commands import Found, OperatorCommand
from apps.restaurants.models import Restaurant

PROGRESS_EVERY = 50_000  # entries


class Command(OperatorCommand):
    help = __doc__
    only_reads = True

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--restaurant", help="the subdomain of the only restaurant to verify")

    def run(self, **options: Any) -> None:
        with rls.acting_as(rls.PLATFORM):
            result = chain.verify(
                now=clock.now(),
                restaurant_id=self._restaurant(options["restaurant"]),
                progress=self._progress,
            )
        for restaurant_id, found in result.broken.items():
            self.stderr.write(f"Restaurant {restaurant_id}: {found}")
        if result.broken:
            raise Found("The ledger was changed.")
        self.stdout.write(f"Verified {result.entries} entries of {result.chains} restaurants.")
        if result.unsealed:
            raise Found(f"{result.unsealed} entries are waiting for their seal.")

    def _restaurant(self, subdomain: str | None) -> Any:
        if subdomain is None:
            return None
        found = Restaurant.objects.filter(subdomain=subdomain).first()
        if found is None:
            raise CommandError(f"No restaurant has the subdomain {subdomain}.")
        return found.pk

    def _progress(self, entries: int) -> None:
        if entries % PROGRESS_EVERY == 0:
            self.stderr.write(f"{entries} entries …")
