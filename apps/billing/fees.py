"""The one fee schedule: what an order costs the restaurant, and why (DECISIONS X2, X3, X5).

Two things, both from the settings: the *revenue share* is the platform's, at the rate fixed on the
offer when it was published; *card processing* is passed on, since with destination charges the
platform pays the processor. Both travel as the application fee of the capture.
"""

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from apps.common.money import Money


@dataclass(frozen=True, slots=True)
class Fees:
    """What is kept back from one order."""

    revenue_share: Money
    processing: Money

    @property
    def application_fee(self) -> Money:
        return self.revenue_share + self.processing


def order_fees(*, subtotal: Money, total: Money, revenue_share_rate: Decimal) -> Fees:
    """The fees of an order, rounded half up per order; never more than the order itself."""
    base = total if settings.FEE_BASE == "total" else subtotal
    share = base.percent(revenue_share_rate)
    fixed = Money(settings.PROCESSING_FEE_FIXED_CENTS)
    processing = total.percent(settings.PROCESSING_FEE_RATE) + fixed
    return Fees(share, min(processing, total - share))
