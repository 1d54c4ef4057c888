"""The email to owners when a webhook was turned off."""

from apps.common import formats
from apps.common.emails import EmailAction, platform_email
from apps.integrations.models import WebhookEndpoint
from apps.restaurants.hosts import absolute_url

PAGE_PATH = "/restaurant/webhooks"


def send_turned_off(endpoint: WebhookEndpoint, *, to: str) -> None:
    """Tell an owner that we stopped sending, why, and what to do."""
    since = endpoint.failing_since
    message = platform_email(
        "integrations/emails/webhook_turned_off.txt",
        to=to,
        action=EmailAction("See the webhook", absolute_url(f"{PAGE_PATH}/{endpoint.pk}")),
        reason=f"You're getting this email because you're an owner of {endpoint.restaurant.name}.",
        facts={
            "restaurant": endpoint.restaurant.name,
            "is_gone": endpoint.off_reason == WebhookEndpoint.OffReason.GONE,
        },
        listed=[
            ("Restaurant", endpoint.restaurant.name),
            ("Address", endpoint.url),
            ("Failing since", formats.moment(since, endpoint.restaurant.zone) if since else ""),
            ("Failed", formats.count(endpoint.failures, "attempt") if endpoint.failures else ""),
        ],
    )
    message.send()
