"""Emails of the marketing app to a restaurant's team."""

from collections.abc import Sequence

from django.conf import settings

from apps.common.emails import EmailAction, platform_email, quoted
from apps.common.links import platform_url
from apps.marketing.models import Announcement
from apps.marketing.social_composers import Platform, Result
from apps.offers.models import SpecialOffer
from apps.preorders.emails.dinner import offer_row
from apps.restaurants.hosts import absolute_url


def send_courtesy_copy(announcement: Announcement, *, to: str) -> None:
    """Compose the copy and send it. Raises OSError if the email server can't be reached."""
    restaurant = announcement.restaurant
    used = [Platform(name).label for name in announcement.platforms]
    specials = SpecialOffer.objects.filter(
        restaurant=restaurant, pk__in=announcement.special_offer_ids
    ).select_related("restaurant", "photo")
    message = platform_email(
        "marketing/emails/courtesy_copy.txt",
        to=to,
        action=EmailAction("View your specials", absolute_url("/specials", restaurant=restaurant)),
        reason=f"You're getting this email because someone at {restaurant.name} requested a copy.",
        facts={
            "restaurant": restaurant.name,
            "message": quoted(announcement.message),
        },
        listed=[
            ("Created", f"{announcement.created_at.astimezone(restaurant.zone):%B %-d, %Y}"),
            ("Announced on", ", ".join(used) or "None yet"),
        ],
        shown={"orders": [offer_row(offer) for offer in specials]},
    )
    # A constant id, so a copy sent twice after a worker died counts as one message.
    message.extra_headers["Message-ID"] = f"<{announcement.pk}@{settings.ROOT_DOMAIN}>"
    message.send()


def send_post_reminder(
    announcement: Announcement, composers: Sequence[Result], *, pictured: SpecialOffer, to: str
) -> None:
    """Remind somebody to post the text, with a link to each composer and to the pictures of the
    special `pictured`. Raises OSError if the email server can't be reached."""
    restaurant = announcement.restaurant
    pictures = f"/restaurant/offers/{pictured.pk}/instagram-"
    buttons = [EmailAction(f"Open {each.platform.label}", each.url) for each in composers]
    if any(each.platform == Platform.INSTAGRAM for each in composers):
        buttons += [
            EmailAction("Picture for a post", platform_url(f"{pictures}square.jpg")),
            EmailAction("Picture for a story", platform_url(f"{pictures}story.jpg")),
        ]
    message = platform_email(
        "marketing/emails/post_reminder.txt",
        to=to,
        action=EmailAction("Review and announce", platform_url("/restaurant?tab=marketing")),
        reason=f"You're getting this because you asked to be reminded at {restaurant.name}.",
        facts={
            "restaurant": restaurant.name,
            "message": quoted(announcement.message),
        },
        shown={"buttons": buttons, "about": offer_row(pictured)},
    )
    # A constant id for each time, so a reminder sent twice counts as one message.
    moment = int(announcement.created_at.timestamp())
    message.extra_headers["Message-ID"] = f"<r{moment}.{announcement.pk}@{settings.ROOT_DOMAIN}>"
    message.send()
