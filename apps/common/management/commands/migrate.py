"""The stock `migrate`: one schema (django-tenants' own command would look for many)."""

from typing import Any

from django.core.management.commands.migrate import Command as StockMigrate

from apps.common import rls


class Command(StockMigrate):
    def handle(self, *args: Any, **options: Any) -> None:
        # A data migration concerns every restaurant's rows.
        with rls.acting_as(rls.PLATFORM):
            super().handle(*args, **options)
