"""Delete and anonymize what is kept no longer. The schedule does it every night."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.common import clock
from apps.privacy.retention import EXPIRING, count_outdated, prune


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="change nothing, only count")

    def handle(self, *_: Any, dry_run: bool, **__: Any) -> None:
        now = clock.now()
        counts = count_outdated(now=now) if dry_run else prune(now=now).counts
        for data, count in counts.items():
            self.stdout.write(f"{count:>8}  {data}")
        if dry_run:
            for data, _delete in EXPIRING:
                self.stdout.write(f"       ?  {data} (counted when deleted)")
        would = "would be" if dry_run else "were"
        self.stdout.write(f"{sum(counts.values()):>8}  rows {would} deleted or anonymized")
