"""Register our webhook endpoint with the processor and keep it for dj-stripe; safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from apps.billing import stripe_gateway


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        url = stripe_gateway.connect_webhook(
            lambda uuid: (
                settings.STRIPE_WEBHOOK_BASE
                + reverse("stripe-webhook", urlconf=settings.ROOT_URLCONF, args=[uuid])
            )
        )
        self.stdout.write(f"Webhooks are sent to {url}")
