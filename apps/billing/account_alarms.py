"""What a person must know about a restaurant's account: alarms that belong to no order."""

import logging
from datetime import datetime
from uuid import UUID

from apps.billing.models import ConnectAccount, Discrepancy

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


def note_restriction(account: ConnectAccount, *, was_complete: bool, now: datetime) -> None:
    """Open the alarm when an account that took payments no longer does, and close it when it does.

    An account that is still being set up has none: its owner is reading Stripe's form.
    """
    kind = Discrepancy.Kind.RESTRICTED
    if account.is_complete:
        close_account_alarm(account.restaurant_id, kind, now=now)
    elif was_complete:
        off = "payouts" if account.charges_enabled else "charges"
        reason = str(account.requirements.get("disabled_reason") or "no reason given")
        description = f"Stripe switched off {off}: {reason}"
        raise_account_alarm(account.restaurant_id, kind, description, now=now)
