"""Encrypt everything that is stored encrypted with the first of ENCRYPTION_KEYS.

After it, the other keys can be removed. Fails if something fits none of the keys.
"""

from typing import Any

from apps.accounts.encryption import rotate
from apps.common.commands import Found, OperatorCommand


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def run(self, *, dry_run: bool, **_: Any) -> None:
        rotated, unreadable = rotate(dry_run=dry_run)
        would = "would be " if dry_run else ""
        self.stdout.write(f"{rotated} second factors {would}encrypted with the first key.")
        if unreadable:
            raise Found(
                f"{unreadable} second factors fit none of ENCRYPTION_KEYS. Put the key back that "
                "encrypted them; without it their owners have to be reset."
            )
