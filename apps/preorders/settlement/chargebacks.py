"""How many of a restaurant's charges are disputed, as the card networks count it.

Networks compare the chargebacks opened in a period with the successful charges of the same period
("dispute activity"), and Stripe calls more than 0.75% excessive; an inquiry is no chargeback:
https://docs.stripe.com/disputes/measuring
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from apps.billing.account_alarms import open_issue
from apps.billing.models import Discrepancy
from apps.preorders.models import Dispute, PreOrder
from apps.preorders.models.states import INQUIRY_STATUSES, DisputeStatus, PaymentStatus

logger = logging.getLogger(__name__)
WINDOW = timedelta(days=90)
EXCESSIVE_PERCENT = Decimal("0.75")
# A few charges make any share meaningless: one chargeback of twenty charges is 5%.
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Chargebacks:
    """The chargebacks and the charged orders of the last 90 days."""

    disputed: int
    charged: int

    @property
    def percent(self) -> Decimal | None:
        """The share in percent, with two decimals; None without a charge."""
        if not self.charged:
            return None
        share = Decimal(100 * self.disputed) / self.charged
        return share.quantize(Decimal("0.01"), ROUND_HALF_UP)

    @property
    def is_excessive(self) -> bool:
        percent = self.percent
        too_many = percent is not None and percent > EXCESSIVE_PERCENT
        return self.disputed >= FEWEST and too_many


def chargebacks_of(restaurant_id: UUID, *, now: datetime) -> Chargebacks:
    """The restaurant's chargebacks, in two queries."""
    since = now - WINDOW
    disputed = (
        Dispute.objects.filter(restaurant_id=restaurant_id, opened_at__gt=since)
        .exclude(status__in=[*INQUIRY_STATUSES, DisputeStatus.PREVENTED])
        .count()
    )
    charged = PreOrder.objects.filter(
        restaurant_id=restaurant_id,
        payment_status__in=[PaymentStatus.CAPTURED, PaymentStatus.REFUNDED],
        payment_processed_at__gt=since,
    )
    return Chargebacks(disputed, charged.count())


def check_chargebacks(order: PreOrder, *, now: datetime) -> None:
    """Raise one alarm per restaurant while its share is too high, and close it afterwards.

    The alarm names the order whose dispute was read last when the share became too high.
    """
    found = chargebacks_of(order.restaurant_id, now=now)
    alarms = Discrepancy.objects.filter(
        restaurant_id=order.restaurant_id, kind=Discrepancy.Kind.CHARGEBACKS, resolved_at=None
    )
    if not found.is_excessive:
        alarms.update(resolved_at=now)
        return
    if alarms.exists():
        return
    description = f"{found.disputed} of {found.charged} charges disputed ({found.percent}%)"
    logger.error("restaurant %s: %s", order.restaurant_id, description)
    open_issue(
        order.restaurant_id,
        Discrepancy.Kind.CHARGEBACKS,
        description,
        now=now,
        pre_order_id=order.pk,
        intent_id=order.payment_intent_id or "",
    )
