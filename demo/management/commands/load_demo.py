"""Load the demo: three restaurants with offers, orders, and a history. Safe to repeat."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.common import clock
from demo.loading import load_demo


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        load_demo(now=clock.now(), say=self.stdout.write)
