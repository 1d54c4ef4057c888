"""Django's own `migrate`; django-tenants' version would look for one schema per tenant."""

from typing import Any

from django.core.management.commands.migrate import Command as StockMigrate

from apps.common import rls


class Command(StockMigrate):
    def handle(self, *args: Any, **options: Any) -> None:
        # Data migrations change every restaurant's rows.
        with rls.acting_as(rls.PLATFORM):
            super().handle(*args, **options)
