"""States of a special offer and the allowed transitions (design §3).

The API shows closing, succeeded and failed as `expired`; `wasSuccessful` tells them apart.
"""

from django.db import models

from apps.common.transitions import Allowed


class OfferStatus(models.TextChoices):
    ACTIVE = "active", "Active"
    CLOSING = "closing", "Closing"
    SUCCEEDED = "succeeded", "Went ahead"
    FAILED = "failed", "Did not go ahead"
    DELETED = "deleted", "Deleted"


ALLOWED: Allowed = {
    OfferStatus.ACTIVE: frozenset({OfferStatus.CLOSING, OfferStatus.DELETED}),
    # Deleted: the restaurant was suspended while its special was being decided (decision 85).
    OfferStatus.CLOSING: frozenset(
        {OfferStatus.SUCCEEDED, OfferStatus.FAILED, OfferStatus.DELETED}
    ),
}
DECIDED = frozenset({OfferStatus.SUCCEEDED, OfferStatus.FAILED})
UNDECIDED = frozenset({OfferStatus.ACTIVE, OfferStatus.CLOSING})
EXPIRED = frozenset({OfferStatus.CLOSING, *DECIDED})
EXPIRED_LABEL = "expired"


def wire_status(status: str) -> str:
    """The status as the API names it: active, expired, or deleted (DECISIONS X27)."""
    return EXPIRED_LABEL if status in EXPIRED else status


def was_successful(status: str) -> bool | None:
    """Whether the offer went ahead; None before the decision and for a deleted offer."""
    return status == OfferStatus.SUCCEEDED if status in DECIDED else None
