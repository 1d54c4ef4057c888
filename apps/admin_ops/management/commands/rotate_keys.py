"""Encrypt every encrypted value again, with the first of ENCRYPTION_KEYS.

Afterwards you can remove the other keys. The command fails if none of the keys decrypts a value.
"""

from typing import Any

from apps.accounts.encryption import rotate
from apps.common import rls
from apps.common.commands import Found, OperatorCommand
from apps.common.formats import count
from apps.integrations.services import rotate_encryption


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def run(self, *, dry_run: bool, **_: Any) -> None:
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
            raise Found(
                f"{unreadable} second factors fit none of ENCRYPTION_KEYS. Put back the key that "
                "encrypted them; without it, their owners' second factors have to be reset."
            )
