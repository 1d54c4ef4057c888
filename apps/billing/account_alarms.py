"""What a person must know about payments: opening an issue, and alarms that belong to no order."""

import logging
from datetime import datetime
from uuid import UUID

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import ConnectAccount, Discrepancy

logger = logging.getLogger(__name__)


def open_issue(
    restaurant_id: UUID,
    kind: Discrepancy.Kind,
    description: str,
    *,
    now: datetime,
    pre_order_id: UUID | None = None,
    intent_id: str = "",
) -> Discrepancy:
    """Record an issue, and an event that names its section in docs/operations.md."""
    issue = Discrepancy.objects.create(
        restaurant_id=restaurant_id,
        pre_order_id=pre_order_id,
        payment_intent_id=intent_id,
        kind=kind,
        description=description[:255],
        found_at=now,
    )
    about = ("order", pre_order_id) if pre_order_id else ("issue", issue.pk)
    record(
        Kind.PAYMENT_ISSUE_FOUND,
        restaurant=restaurant_id,
        about=about,
        issue=str(kind),
        runbook=issue.runbook,
        now=now,
    )
    return issue


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
    open_issue(restaurant_id, kind, description, now=now)


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
        description = f"Stripe turned off {off}: {reason}"
        raise_account_alarm(account.restaurant_id, kind, description, now=now)
