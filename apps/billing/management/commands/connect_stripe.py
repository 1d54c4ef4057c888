"""Register our webhook endpoints with Stripe and dj-stripe; safe to run repeatedly."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from apps.billing import stripe_gateway


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        urls = stripe_gateway.connect_webhooks(
            lambda uuid: (
                settings.STRIPE_WEBHOOK_BASE
                + reverse("stripe-webhook", urlconf=settings.ROOT_URLCONF, args=[uuid])
            )
        )
        for url in urls:
            self.stdout.write(f"Webhooks are sent to {url}")
