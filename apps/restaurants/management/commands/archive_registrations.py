"""Archive and remove the registrations nobody finished within thirty days (S35).

The schedule does it every night; run by hand it does no harm.
"""

from typing import Any

from django.core.management.base import BaseCommand

from apps.common import clock, formats
from apps.restaurants.services.abandoned_registrations import archive_registrations


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        number = archive_registrations(now=clock.now())
        self.stdout.write(f"{formats.count(number, 'abandoned registration')} archived.")
