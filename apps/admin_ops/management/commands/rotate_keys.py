"""Encrypt everything that is stored encrypted with the first of ENCRYPTION_KEYS.

After it, the other keys can be removed. Fails if something fits none of the keys.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.encryption import rotate
from apps.common import rls
from apps.common.formats import count
from apps.integrations.services import rotate_encryption


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="change nothing, only count")

    def handle(self, *_: Any, dry_run: bool, **__: Any) -> None:
        rotated, unreadable = rotate(dry_run=dry_run)
        with rls.acting_as(rls.PLATFORM):
            webhooks, unreadable_webhooks = rotate_encryption(dry_run=dry_run)
        would = "would be " if dry_run else ""
        self.stdout.write(
            f"{rotated} second factors {would}encrypted with the first key, and "
            f"{count(webhooks, 'webhook')}."
        )
        if unreadable_webhooks:
            self.stderr.write(
                f"{count(unreadable_webhooks, 'webhook')} fit none of ENCRYPTION_KEYS: events fail "
                "until the key is back, or their owners create a new secret."
            )
        if unreadable:
            raise CommandError(
                f"{unreadable} second factors fit none of ENCRYPTION_KEYS. Put the key back that "
                "encrypted them; without it their owners have to be reset."
            )
