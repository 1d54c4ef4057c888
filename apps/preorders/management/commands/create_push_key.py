"""Print a new private key for web push (PUSH_PRIVATE_KEY)."""

from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from apps.common.commands import OperatorCommand
from apps.preorders.core.push_keys import unpadded


class Command(OperatorCommand):
    help = __doc__
    only_reads = True

    def run(self, *args: Any, **options: Any) -> None:
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        self.stdout.write(unpadded(number.to_bytes(32, "big")))
