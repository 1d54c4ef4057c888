"""Register our webhook endpoints with Stripe and dj-stripe; safe to run repeatedly.

An endpoint that Stripe disabled is enabled again; one whose events or API version are outdated is
replaced.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.billing import stripe_gateway, webhook_repair


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--renew",
            action="store_true",
            help="replace every endpoint, for instance because its secret was rolled at Stripe",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        urls = stripe_gateway.connect_webhooks(webhook_repair.endpoint_url, renew=options["renew"])
        for url in urls:
            self.stdout.write(f"Webhooks are sent to {url}")
