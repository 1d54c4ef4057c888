"""Archive and delete registrations that weren't finished within 30 days.

The scheduler does it every night. You can also run it by hand at any time.
"""

from typing import Any

from apps.common import clock, formats
from apps.common.commands import OperatorCommand
from apps.restaurants.services.abandoned_registrations import abandoned, archive_registrations


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def run(self, *, dry_run: bool, **_: Any) -> None:
        now = clock.now()
        number = abandoned(now).count() if dry_run else archive_registrations(now=now)
        would = "would be archived" if dry_run else "archived"
        self.stdout.write(f"{formats.count(number, 'abandoned registration')} {would}.")
