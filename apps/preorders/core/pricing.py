"""Prices of orders, computed by the server in cents (DECISIONS X4, X5)."""

from dataclasses import dataclass
from decimal import Decimal

from apps.billing.fees import Fees, order_fees
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder


@dataclass(frozen=True, slots=True)
class Price:
    """The price of an order; `unit` is one portion without tax, `total` includes tax."""

    unit: Money
    subtotal: Money
    tax_rate: Decimal  # percent
    tax: Money
    total: Money
    fees: Fees

    def accepts(self, claimed: Money) -> bool:
        """Whether a client's total matches this price, with or without tax (DECISIONS X4)."""
        return claimed in (self.subtotal, self.total)


def price_order(offer: SpecialOffer, quantity: int) -> Price:
    """The current price of `quantity` portions; tax is rounded half up on the subtotal."""
    return _price(
        Money.of(offer.special_price),
        quantity,
        tax_rate=offer.restaurant.tax_rate,
        revenue_share_rate=offer.revenue_share_rate,
        currency=offer.restaurant.currency,
    )


def price_of(order: PreOrder) -> Price:
    """The price stored on the order when it was created."""
    return Price(
        Money.of(order.unit_price),
        Money.of(order.subtotal),
        order.tax_rate,
        Money.of(order.tax),
        Money.of(order.total_amount),
        Fees(Money.of(order.revenue_share), Money.of(order.processing_fee)),
    )


def price_of_portions(order: PreOrder, quantity: int) -> Price:
    """The price of this order with `quantity` portions, at the order's original price and rates."""
    return _price(
        Money.of(order.unit_price),
        quantity,
        tax_rate=order.tax_rate,
        revenue_share_rate=order.revenue_share_rate,
        currency=order.offer.restaurant.currency,
    )


def price_offered_alternative(offer: SpecialOffer, unit: Money, quantity: int) -> Price:
    """What an order of `quantity` portions would cost now if the alternative, at `unit` a portion,
    is served."""
    return _price(
        unit,
        quantity,
        tax_rate=offer.restaurant.tax_rate,
        revenue_share_rate=offer.revenue_share_rate,
        currency=offer.restaurant.currency,
    )


def price_alternative(order: PreOrder) -> Price | None:
    """The order's price if the alternative is served, at the order's original rates; None if the
    guest didn't agree to it.

    Never more than the price of the special, which is the amount held (DECISIONS X18).
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
