"""Load the demo: three restaurants with offers, orders, and a history. Safe to repeat.

Only where the demo is installed (DEMO=1), which production refuses.
"""

from typing import Any

from apps.common import clock
from apps.common.commands import OperatorCommand
from demo.loading import load_demo, missing_restaurants


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def run(self, *, dry_run: bool, **_: Any) -> None:
        if dry_run:
            for name in missing_restaurants():
                self.stdout.write(f"{name} would be created")
            return
        load_demo(now=clock.now(), say=self.stdout.write)
