"""Who writes announcements: our rules, or a writer that `ANNOUNCEMENT_WRITER` names.

A writer is a function with the parameters of `announcement_text.compose`, which is the default.
Another one, such as an adapter of a language model, is called first. Its text is used only if it
can be posted as it is; otherwise our rules write one (decision 112).
"""

import logging
from collections.abc import Sequence
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from apps.marketing.announcement_text import SHORT_LENGTH, Composed, compose, short_length
from apps.marketing.models import MAX_MESSAGE_LENGTH
from apps.offers.presentation import Special
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)


class Writer(Protocol):
    """Writes about at least one special, none of which is sold out. May raise anything."""

    def __call__(
        self,
        restaurant: Restaurant,
        specials: Sequence[Special],
        *,
        tone: str,
        language: str,
    ) -> Composed: ...


def write_announcement(
    restaurant: Restaurant, specials: Sequence[Special], *, tone: str, language: str
) -> Composed:
    """The configured writer's text, or ours if that one fails or leaves out the link."""
    ours = compose(restaurant, specials, tone=tone, language=language)
    writer: Writer = import_string(settings.ANNOUNCEMENT_WRITER)
    if writer is compose:
        return ours
    try:
        theirs = writer(restaurant, specials, tone=tone, language=language)
        link = ours.short.split()[-1]
        if _can_be_posted(theirs, link):
            return theirs
        logger.warning("An announcement by %s was not used", settings.ANNOUNCEMENT_WRITER)
    except Exception:
        logger.exception("%s wrote no announcement", settings.ANNOUNCEMENT_WRITER)
    return ours


def _can_be_posted(text: Composed, link: str) -> bool:
    fits = len(text.message) <= MAX_MESSAGE_LENGTH and short_length(text.short) <= SHORT_LENGTH
    return fits and link in text.message.split() and link in text.short.split()
