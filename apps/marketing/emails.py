"""Marketing's letters to a restaurant's own people."""

from django.conf import settings

from apps.common.emails import EmailAction, platform_email
from apps.marketing.models import Announcement
from apps.marketing.social_composers import Platform
from apps.restaurants.hosts import absolute_url


def send_courtesy_copy(announcement: Announcement, *, to: str) -> None:
    """Write the copy and give it to the mail server."""
    restaurant = announcement.restaurant
    used = [Platform(name).label for name in announcement.platforms]
    message = platform_email(
        "marketing/emails/courtesy_copy.txt",
        to=to,
        action=EmailAction("See your specials", absolute_url("/specials", restaurant=restaurant)),
        reason=f"You get this copy because somebody of {restaurant.name} asked for it.",
        facts={
            "restaurant": restaurant.name,
            # Each line is a paragraph of the letter.
            "message": "\n\n".join(announcement.message.splitlines()),
        },
        listed=[
            ("Restaurant", restaurant.name),
            ("Written", f"{announcement.created_at.astimezone(restaurant.zone):%B %-d, %Y}"),
            ("Announced on", ", ".join(used) or "No platform yet"),
        ],
    )
    # Sent again by a worker that died, it is the same message.
    message.extra_headers["Message-ID"] = f"<{announcement.pk}@{settings.ROOT_DOMAIN}>"
    message.send()
