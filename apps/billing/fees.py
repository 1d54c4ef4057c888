"""The one fee schedule: what an order costs the restaurant, and why (DECISIONS X2, X3, X5).

Two things, both from the settings: the *revenue share* is the platform's, at the rate fixed on the
offer when it was published; *card processing* is passed on, since with destination charges the
platform pays the processor: a rate, and a fixed part that each currency has its own of. Both travel
as the application fee of the capture.
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

    def __sub__(self, other: "Fees") -> "Fees":
        return Fees(self.revenue_share - other.revenue_share, self.processing - other.processing)


def processing_fixed(currency: str) -> Money:
    """What card processing costs an order whatever its total."""
    return Money(settings.PROCESSING_FEE_FIXED_CENTS[currency])


def order_fees(
    *, subtotal: Money, total: Money, revenue_share_rate: Decimal, currency: str
) -> Fees:
    """The fees of an order, rounded half up per order; never more than the order itself."""
    base = total if settings.FEE_BASE == "total" else subtotal
    share = base.percent(revenue_share_rate)
    processing = total.percent(settings.PROCESSING_FEE_RATE) + processing_fixed(currency)
    return Fees(share, min(processing, total - share))


def refunded_fees(fees: Fees, *, charged: Money, refunded: Money) -> Fees:
    """What of an order's fees has gone back once `refunded` of `charged` has, in all.

    The processor gives back the same share of the application fee as of the charge, rounded half
    up. The platform's part of it is rounded from that, so the two parts add up to what the
    processor gave back, none ever shrinks as more is refunded, and all of the charge returns all
    of both.
    """
    whole = fees.application_fee
    if not whole.cents or not refunded.cents:
        return Fees(Money(0), Money(0))
    back = _same_share(whole, of=refunded, in_all=charged)
    share = _same_share(fees.revenue_share, of=back, in_all=whole)
    return Fees(share, back - share)


def _same_share(amount: Money, *, of: Money, in_all: Money) -> Money:
    """`amount` × `of` / `in_all`, rounded half up to the cent, without leaving whole numbers."""
    return Money((2 * amount.cents * of.cents + in_all.cents) // (2 * in_all.cents))
