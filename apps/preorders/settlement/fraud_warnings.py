"""The single entry point for news about early fraud warnings, like `disputes` for disputes."""

import logging
from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import FraudWarning
from apps.preorders.core import jobs
from apps.preorders.models import EarlyFraudWarning, Email
from apps.preorders.models.states import EmailKind
from apps.preorders.settlement.charged_orders import order_of_charge

logger = logging.getLogger(__name__)


def apply_fraud_warning(warning_id: str, *, now: datetime) -> EarlyFraudWarning | None:
    """Read a warning from Stripe and record it; None if its charge belongs to no order.

    Raises GatewayError if Stripe can't be read; calling it again later is safe.
    """
    return sync_fraud_warning(gateway.retrieve_fraud_warning(warning_id), now=now)


def sync_fraud_warning(found: FraudWarning, *, now: datetime) -> EarlyFraudWarning | None:
    """Record a warning that was just read from Stripe; an ended one never starts again."""
    with order_of_charge(found.intent_id) as order:
        if order is None:
            logger.error("fraud warning %s is about no order here", found.warning_id)
            return None
        warning, is_new = EarlyFraudWarning.objects.get_or_create(
            warning_id=found.warning_id,
            defaults={
                "restaurant_id": order.restaurant_id,
                "pre_order": order,
                "fraud_type": found.fraud_type,
                "is_actionable": found.is_actionable,
                "opened_at": found.opened_at,
                "read_at": now,
            },
        )
        if is_new:
            logger.error("order %s: early fraud warning", order.pk)
        if is_new and found.is_actionable:
            email = Email.objects.create(
                restaurant_id=order.restaurant_id,
                fraud_warning=warning,
                kind=EmailKind.FRAUD_WARNING,
                due_at=now,
            )
            jobs.enqueue_email(email.pk)
        warning.is_actionable = warning.is_actionable and found.is_actionable
        warning.read_at = now
        warning.save(update_fields=["is_actionable", "read_at"])
        return warning
