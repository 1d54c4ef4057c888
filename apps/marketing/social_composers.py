"""Where an announcement goes: each platform's own composer, opened in the owner's browser.

Nothing is posted in the restaurant's name by us: the owner sees the text where it will stand and
sends it with their own account (DECISIONS X57).
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db import models

from apps.marketing.announcement_text import LINK, SHORT_LENGTH, short_length


class Platform(models.TextChoices):
    FACEBOOK = "facebook", "Facebook"
    INSTAGRAM = "instagram", "Instagram"
    TWITTER = "twitter", "Twitter"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one platform. `url` is where the owner goes on, empty when there is nowhere;
    `text` is what they paste there, where the platform takes no text from us."""

    platform: Platform
    success: bool
    message: str
    url: str = ""
    text: str = ""


OPENED = "Composer opened"
BY_HAND = "Copied. Instagram takes no text from other sites: paste it into a new post there."
PASTE = "Composer opened. Facebook takes the link alone: paste the text above it."


def compose_on(platform: Platform, *, message: str, profile: str) -> Result:
    """The way to the platform's composer with this text; `profile` is the restaurant's page there,
    empty when none is saved."""
    if not profile:
        add = f"Add your {platform.label} link in the Marketing section first."
        return Result(platform, False, add)
    match platform:
        case Platform.INSTAGRAM:
            return Result(platform, True, BY_HAND, profile, message)
        case Platform.TWITTER:
            return _tweet(message)
        case Platform.FACEBOOK:
            return _share(message, profile)


def _tweet(message: str) -> Result:
    length = short_length(message)
    if length > SHORT_LENGTH:
        long = (
            f"This is {length} characters long, and Twitter takes {SHORT_LENGTH}. "
            "Use the short version, or shorten the text."
        )
        return Result(Platform.TWITTER, False, long)
    url = f"https://twitter.com/intent/tweet?{urlencode({'text': message})}"
    return Result(Platform.TWITTER, True, OPENED, url)


def _share(message: str, profile: str) -> Result:
    """Facebook shares a link and draws its picture; without one the owner's page is the place."""
    link = LINK.search(message)
    if link is None:
        return Result(Platform.FACEBOOK, True, PASTE, profile, message)
    query = urlencode({"u": link.group(), "quote": message})
    url = f"https://www.facebook.com/sharer/sharer.php?{query}"
    return Result(Platform.FACEBOOK, True, PASTE, url, message)
