"""What an order costs: the server's figures, in cents, once (DECISIONS X4, X5)."""

from dataclasses import dataclass
from decimal import Decimal

from apps.billing.fees import Fees, order_fees
from apps.common.money import Money
from apps.offers.models import SpecialOffer


@dataclass(frozen=True, slots=True)
class Price:
    unit: Money
    subtotal: Money
    tax_rate: Decimal  # per cent
    tax: Money
    total: Money
    fees: Fees

    def accepts(self, claimed: Money) -> bool:
        """Whether a client's total shows it saw today's price, with or without tax (X4)."""
        return claimed in (self.subtotal, self.total)


def price_order(offer: SpecialOffer, quantity: int) -> Price:
    """The price of `quantity` portions: tax rounded half up on the subtotal, fees on the order."""
    unit = Money.of(offer.special_price)
    subtotal = unit * quantity
    tax_rate = offer.restaurant.tax_rate
    tax = subtotal.percent(tax_rate)
    total = subtotal + tax
    fees = order_fees(subtotal=subtotal, total=total, revenue_share_rate=offer.revenue_share_rate)
    return Price(unit, subtotal, tax_rate, tax, total, fees)
