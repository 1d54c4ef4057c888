"""Register our webhook endpoints with Stripe and dj-stripe; safe to run repeatedly.

The command enables an endpoint that Stripe disabled, and replaces one whose events or API version
are outdated.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.billing import stripe_gateway, webhook_repair
from apps.billing.gateway import GatewayError
from apps.common.commands import OperatorCommand


class Command(OperatorCommand):
    help = __doc__
    takes_back = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--renew",
            action="store_true",
            help="replace every endpoint, for instance because its secret was rolled at Stripe",
        )

    def run(self, *, renew: bool, dry_run: bool, **_: Any) -> None:
        if dry_run:
            for url in webhook_repair.known_urls():
                self.stdout.write(f"Would {'replace' if renew else 'check'} {url}")
            return
        try:
            urls = stripe_gateway.connect_webhooks(webhook_repair.endpoint_url, renew=renew)
        except GatewayError as error:
            raise CommandError(
                f"Stripe returned an error: {error} Run the command again."
            ) from error
        for url in urls:
            self.stdout.write(f"Webhooks are sent to {url}")
