"""The fee schedule: what an order costs the restaurant (DECISIONS X2, X3, X5).

There are two fees, both configured in the settings. The *revenue share* is the platform's, at the
rate fixed on the offer when it was published. *Card processing* is passed on, because with
destination charges the platform pays Stripe: a rate plus a fixed part per currency. Both are
collected as the application fee of the capture.
"""

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from apps.common.money import Money


@dataclass(frozen=True, slots=True)
class Fees:
    """The fees of one order."""

    revenue_share: Money
    processing: Money

    @property
    def application_fee(self) -> Money:
        return self.revenue_share + self.processing

    def __sub__(self, other: "Fees") -> "Fees":
        return Fees(self.revenue_share - other.revenue_share, self.processing - other.processing)


def processing_fixed(currency: str) -> Money:
    """The fixed part of the card processing fee, the same for every order in this currency."""
    return Money(settings.PROCESSING_FEE_FIXED_CENTS[currency])


def order_fees(
    *, subtotal: Money, total: Money, revenue_share_rate: Decimal, currency: str
) -> Fees:
    """The fees of an order, rounded half up per order; together never more than `total`."""
    base = total if settings.FEE_BASE == "total" else subtotal
    share = base.percent(revenue_share_rate)
    processing = total.percent(settings.PROCESSING_FEE_RATE) + processing_fixed(currency)
    return Fees(share, min(processing, total - share))


def refunded_fees(fees: Fees, *, charged: Money, refunded: Money) -> Fees:
    """The fees returned to the restaurant once `refunded` of `charged` was refunded, in total.

    Stripe returns the same share of the application fee as of the charge, rounded half up. The
    revenue share is rounded from that amount, so the two parts add up to what Stripe returned,
    neither shrinks as more is refunded, and a full refund returns all of both.
    """
    if not fees.application_fee.cents or not refunded.cents:
        return Fees(Money(0), Money(0))
    return split_fees(fees, fees.application_fee.share(of=refunded, in_all=charged))


def split_fees(fees: Fees, application_fee: Money) -> Fees:
    """`application_fee`, as Stripe collected or returned it, in the proportion of `fees`.

    A fee that was never ours to share is card processing.
    """
    whole = fees.application_fee
    if not whole.cents:
        return Fees(Money(0), application_fee)
    share = fees.revenue_share.share(of=application_fee, in_all=whole)
    return Fees(share, application_fee - share)
