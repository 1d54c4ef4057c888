"""What an order costs: the server's figures, in cents, once (DECISIONS X4, X5)."""

from dataclasses import dataclass
from decimal import Decimal

from apps.billing.fees import Fees, order_fees
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder


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
    return _price(
        Money.of(offer.special_price),
        quantity,
        tax_rate=offer.restaurant.tax_rate,
        revenue_share_rate=offer.revenue_share_rate,
        currency=offer.restaurant.currency,
    )


def price_of(order: PreOrder) -> Price:
    """What the order was priced at when it was begun, as its row keeps it."""
    return Price(
        Money.of(order.unit_price),
        Money.of(order.subtotal),
        order.tax_rate,
        Money.of(order.tax),
        Money.of(order.total_amount),
        Fees(Money.of(order.revenue_share), Money.of(order.processing_fee)),
    )


def price_of_portions(order: PreOrder, quantity: int) -> Price:
    """What the order costs with so many portions, at the price and rates it was begun with."""
    return _price(
        Money.of(order.unit_price),
        quantity,
        tax_rate=order.tax_rate,
        revenue_share_rate=order.revenue_share_rate,
        currency=order.offer.restaurant.currency,
    )


def price_alternative(order: PreOrder) -> Price | None:
    """What the order costs if the alternative is served, at the rates it was begun with; None when
    its diner did not agree to that.

    Never more than what was agreed for the special, which is what the card is held for
    (DECISIONS X18).
    """
    if order.alternative_price is None:
        return None
    unit = min(Money.of(order.alternative_price), Money.of(order.unit_price))
    return _price(
        unit,
        order.quantity,
        tax_rate=order.tax_rate,
        revenue_share_rate=order.revenue_share_rate,
        currency=order.offer.restaurant.currency,
    )


def _price(
    unit: Money, quantity: int, *, tax_rate: Decimal, revenue_share_rate: Decimal, currency: str
) -> Price:
    subtotal = unit * quantity
    tax = subtotal.percent(tax_rate)
    total = subtotal + tax
    fees = order_fees(
        subtotal=subtotal, total=total, revenue_share_rate=revenue_share_rate, currency=currency
    )
    return Price(unit, subtotal, tax_rate, tax, total, fees)
