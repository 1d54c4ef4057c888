"""What becomes of an offer and of each order's money if it is decided now: one pure function.

The deadline carries out what it says (`services.closing`), and the owner's rehearsal shows it, so
the two cannot differ. It reads nothing and writes nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from apps.billing.fees import Fees, refunded_fees
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.pricing import Price, price_alternative, price_of
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus


class DecisionBasis(StrEnum):
    """Why an offer goes ahead."""

    MINIMUM = "minimum"
    WORD = "word"  # the restaurant's (`SpecialOffer.goes_ahead`), below the minimum


@dataclass(frozen=True, slots=True)
class ChargeOutcome:
    """An order whose diner pays: `amount` in all, tax included, at `price`.

    `amount` is less than the price's total where a part of an early charge went back already;
    `fees` are what is kept back of the amount.
    """

    order: PreOrder
    price: Price
    amount: Money
    fees: Fees

    @property
    def payout(self) -> Money:
        """What the restaurant gets."""
        return self.amount - self.fees.application_fee


@dataclass(frozen=True, slots=True)
class Decision:
    """`portions` are the booked ones and the house's. Each booked order is in exactly one of the
    last four: charged for the special, charged for the alternative, its hold let go, or given back
    a charge that came before the decision."""

    outcome: OfferStatus
    portions: int
    met_by: DecisionBasis | None
    charged: tuple[ChargeOutcome, ...] = ()
    serves_alternative: tuple[ChargeOutcome, ...] = ()
    released: tuple[PreOrder, ...] = ()
    refunded: tuple[PreOrder, ...] = ()


def decide(
    offer: SpecialOffer, booked: Sequence[PreOrder], *, being_charged: Collection[UUID] = ()
) -> Decision:
    """Judge the offer on its booked orders (DECISIONS X18, X21).

    `booked` are the orders of `PreOrder.objects.booked()`; `being_charged` the ids of those whose
    charge was begun before the decision and is not known to have ended (X12). Should the offer not
    go ahead, such a charge is called off whatever its diner agreed to, since it may be made for the
    whole amount at this moment.
    """
    in_orders = sum(order.quantity for order in booked)
    portions = with_restaurant_portions(offer, in_orders)
    met_by = _met_by(offer, in_orders)
    if met_by:
        charged = tuple(_charged(order, price_of(order)) for order in booked)
        return Decision(OfferStatus.SUCCEEDED, portions, met_by, charged)
    alternative, released, refunded = [], [], []
    for order in booked:
        price = None if order.pk in being_charged else price_alternative(order)
        if price is not None:
            alternative.append(_charged(order, price))
        elif order.payment_status == PaymentStatus.CAPTURED:
            refunded.append(order)
        else:
            released.append(order)
    return Decision(
        OfferStatus.FAILED,
        portions,
        None,
        serves_alternative=tuple(alternative),
        released=tuple(released),
        refunded=tuple(refunded),
    )


def is_met(offer: SpecialOffer, ordered_portions: int) -> bool:
    """Whether the offer would go ahead with so many portions in booked orders."""
    return _met_by(offer, ordered_portions) is not None


def with_restaurant_portions(offer: SpecialOffer, portions: int) -> int:
    """These portions and those the restaurant has taken on itself."""
    return portions + offer.restaurant_portions


def _met_by(offer: SpecialOffer, ordered_portions: int) -> DecisionBasis | None:
    """However many the house takes on and whatever the restaurant has said, somebody must have
    ordered."""
    if not ordered_portions:
        return None
    if with_restaurant_portions(offer, ordered_portions) >= offer.min_preorders:
        return DecisionBasis.MINIMUM
    return DecisionBasis.WORD if offer.goes_ahead else None


def _charged(order: PreOrder, price: Price) -> ChargeOutcome:
    """The order at this price. An early charge stands, less what of it went back already or goes
    back because the alternative costs less."""
    if order.payment_status != PaymentStatus.CAPTURED:
        return ChargeOutcome(order, price, price.total, price.fees)
    taken, fees = Money.of(order.total_amount), price_of(order).fees
    amount = min(price.total, taken - Money.of(order.refunded_amount))
    back = refunded_fees(fees, charged=taken, refunded=taken - amount)
    return ChargeOutcome(order, price, amount, fees - back)
