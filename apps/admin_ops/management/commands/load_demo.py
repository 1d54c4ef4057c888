"""Provide the demo: three restaurants with offers, orders and a history; safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.admin_ops.demo.loading import load_demo
from apps.common import clock


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "The demo brings accounts whose passwords everybody knows, so it is off. "
                "Set DEMO=1 to have it, never where real people order."
            )
        load_demo(now=clock.now(), say=self.stdout.write)
