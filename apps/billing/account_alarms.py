"""What a person must know about a restaurant's account: alarms that belong to no order."""

import logging
from datetime import datetime
from uuid import UUID

from apps.billing.models import Discrepancy

logger = logging.getLogger(__name__)


def raise_account_alarm(
    restaurant_id: UUID, kind: Discrepancy.Kind, description: str, *, now: datetime
) -> None:
    """Record it and log an error; the text of one that is open is replaced."""
    description = description[:255]
    open_rows = Discrepancy.objects.filter(
        restaurant_id=restaurant_id, kind=kind, pre_order=None, resolved_at=None
    )
    if open_rows.update(description=description):
        return
    logger.error("restaurant %s: %s", restaurant_id, description)
    Discrepancy.objects.create(
        restaurant_id=restaurant_id, kind=kind, description=description, found_at=now
    )


def close_account_alarm(restaurant_id: UUID, kind: Discrepancy.Kind, *, now: datetime) -> None:
    Discrepancy.objects.filter(
        restaurant_id=restaurant_id, kind=kind, pre_order=None, resolved_at=None
    ).update(resolved_at=now)
