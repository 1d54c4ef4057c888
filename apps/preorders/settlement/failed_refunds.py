"""Refunds that fail after they were made: the bank sends the money back, up to weeks later.

The money is then in the platform's balance, the restaurant's transfer stays reversed, and the guest
has nothing; a card that refused a refund refuses the next one too. So a person must pay the guest
another way: https://docs.stripe.com/refunds#failed-refunds
"""

from datetime import datetime

from apps.billing import stripe_gateway as gateway
from apps.billing.models import Discrepancy
from apps.common import formats
from apps.preorders.models import PreOrder
from apps.preorders.settlement.alarms import raise_alarm


def record_failed_refunds(intent_id: str, *, now: datetime) -> None:
    """Raise an alarm for each refund of the intent that failed, once.

    The order's activity shows it. Raises GatewayError if Stripe can't be read; calling it again is
    safe.
    """
    failed = gateway.failed_refunds(intent_id)
    order = PreOrder.objects.filter(payment_intent_id=intent_id).first()
    if order is None:
        return
    for refund in failed:
        amount = formats.money(refund.amount, refund.currency)
        why = f": {refund.reason.replace('_', ' ')}" if refund.reason else ""
        description = f"{amount}{why} ({refund.refund_id})"
        known = Discrepancy.objects.filter(
            pre_order=order,
            kind=Discrepancy.Kind.REFUND_RETURNED,
            description__contains=refund.refund_id,
        )
        if not known.exists():
            raise_alarm(order, Discrepancy.Kind.REFUND_RETURNED, description, now=now)
