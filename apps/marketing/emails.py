"""Emails of the marketing app to a restaurant's team."""

from django.conf import settings

from apps.common.emails import EmailAction, platform_email
from apps.marketing.models import Announcement
from apps.marketing.social_composers import Platform
from apps.restaurants.hosts import absolute_url


def send_courtesy_copy(announcement: Announcement, *, to: str) -> None:
    """Compose the copy and send it. Raises OSError if the email server can't be reached."""
    restaurant = announcement.restaurant
    used = [Platform(name).label for name in announcement.platforms]
    message = platform_email(
        "marketing/emails/courtesy_copy.txt",
        to=to,
        action=EmailAction("View your specials", absolute_url("/specials", restaurant=restaurant)),
        reason=f"You're getting this email because someone at {restaurant.name} requested a copy.",
        facts={
            "restaurant": restaurant.name,
            # Each line becomes a paragraph.
            "message": "\n\n".join(announcement.message.splitlines()),
        },
        listed=[
            ("Restaurant", restaurant.name),
            ("Created", f"{announcement.created_at.astimezone(restaurant.zone):%B %-d, %Y}"),
            ("Announced on", ", ".join(used) or "None yet"),
        ],
    )
    # A constant id, so a copy sent twice after a worker died counts as one message.
    message.extra_headers["Message-ID"] = f"<{announcement.pk}@{settings.ROOT_DOMAIN}>"
    message.send()
