"""Links to each platform's own composer, which opens in the owner's browser.

We never post on the restaurant's behalf: the owner reviews the text on the platform and posts it
from their own account (DECISIONS X57).
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
    """Outcome for one platform. `url` is the page to open, empty if there is none; `text` is what
    the owner pastes there if the platform doesn't accept text in a link."""

    platform: Platform
    success: bool
    message: str
    url: str = ""
    text: str = ""


OPENED = "Twitter opened with your text."
INSTAGRAM_PASTE = "Your text is copied. Paste it into a new post on Instagram."
FACEBOOK_PASTE = "Facebook opened with your link. Your text is copied: paste it in."


def compose_on(platform: Platform, *, message: str, profile: str) -> Result:
    """Prepare the platform's composer with this text. `profile` is the URL of the restaurant's page
    there, empty if none is saved."""
    if not profile:
        add = f"Add your {platform.label} link in the Marketing section first."
        return Result(platform, False, add)
    match platform:
        case Platform.INSTAGRAM:
            return Result(platform, True, INSTAGRAM_PASTE, profile, message)
        case Platform.TWITTER:
            return _tweet(message)
        case Platform.FACEBOOK:
            return _share(message, profile)


def _tweet(message: str) -> Result:
    length = short_length(message)
    if length > SHORT_LENGTH:
        long = (
            f"This text has {length} characters, but Twitter allows {SHORT_LENGTH}. "
            "Use the short version, or shorten the text."
        )
        return Result(Platform.TWITTER, False, long)
    # https://docs.x.com/x-for-websites/post-button/guides/web-intent
    url = f"https://x.com/intent/tweet?{urlencode({'text': message})}"
    return Result(Platform.TWITTER, True, OPENED, url)


def _share(message: str, profile: str) -> Result:
    """Facebook shares a link and shows its picture. Without a link in the text, opens the
    restaurant's own page there.

    Its documented dialog takes a link and no text, and needs an app of ours
    (https://developers.facebook.com/docs/sharing/reference/share-dialog); this older address takes
    the same link without one (unverified: no page of Facebook's documents it anymore).
    """
    link = LINK.search(message)
    if link is None:
        return Result(Platform.FACEBOOK, True, FACEBOOK_PASTE, profile, message)
    url = f"https://www.facebook.com/sharer/sharer.php?{urlencode({'u': link.group()})}"
    return Result(Platform.FACEBOOK, True, FACEBOOK_PASTE, url, message)
