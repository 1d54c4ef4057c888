"""Delete and anonymize everything whose retention period is over.

The scheduler does it every night.
"""

from typing import Any

from apps.common import clock
from apps.common.commands import OperatorCommand
from apps.privacy.retention import EXPIRING, count_outdated, prune


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def run(self, *, dry_run: bool, **_: Any) -> None:
        now = clock.now()
        if dry_run:
            counts = count_outdated(now=now)
        else:
            counts = prune(now=now, tell=lambda rows: self.progress(rows, None, "rows")).counts
        for data, count in counts.items():
            self.stdout.write(f"{count:>8}  {data}")
        if dry_run:
            for data, _delete in EXPIRING:
                self.stdout.write(f"       ?  {data} (counted when deleted)")
        would = "would be" if dry_run else "were"
        self.stdout.write(f"{sum(counts.values()):>8}  rows {would} deleted or anonymized")
