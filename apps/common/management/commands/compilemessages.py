"""Run `manage.py compilemessages` without GNU gettext."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.common.message_catalogs import compile_catalogs


class Command(BaseCommand):
    help = "Compile the translations in locale/. Run it once per deployment, before starting."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for locale in settings.LOCALE_PATHS:
            compile_catalogs(Path(locale))
