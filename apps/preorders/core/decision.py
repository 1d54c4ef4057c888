"""The decision about an offer and each of its orders: one pure function.

The deadline executes its result (`settlement.deadline`) and the owner's rehearsal shows it, so the
two can't differ. It reads and writes nothing.
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
    WORD = "word"  # the restaurant guaranteed it (`SpecialOffer.goes_ahead`), below the minimum


@dataclass(frozen=True, slots=True)
class ChargeOutcome:
    """An order whose guest pays `amount` in total, including tax, at `price`.

    `amount` is less than the price's total if part of an early charge was already refunded; `fees`
    are the fees of that amount.
    """

    order: PreOrder
    price: Price
    amount: Money
    fees: Fees

    @property
    def payout(self) -> Money:
        """What the restaurant receives."""
        return self.amount - self.fees.application_fee


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of an offer and of each counted order.

    `portions` includes those the restaurant reserved for itself. Each counted order is in exactly
    one of the last four: charged for the special, charged for the alternative, hold released, or
    refunded because it was charged before the decision.
    """

    outcome: OfferStatus
    portions: int
    met_by: DecisionBasis | None
    charged: tuple[ChargeOutcome, ...] = ()
    serves_alternative: tuple[ChargeOutcome, ...] = ()
    released: tuple[PreOrder, ...] = ()
    refunded: tuple[PreOrder, ...] = ()


def decide(
    offer: SpecialOffer,
    counted: Sequence[PreOrder],
    *,
    being_charged: Collection[UUID] = (),
    too_late: bool = False,
) -> Decision:
    """Decide the offer by its counted orders (DECISIONS X18, X21).

    `counted` are the orders of `PreOrder.objects.counted()`; `being_charged` are the ids of those
    with an unfinished early charge (DECISIONS X12). If the offer fails, such a charge is called off
    even if its guest agreed to the alternative, because it may be going through for the full
    amount right now. With `too_late` the serve date is over: nobody cooked, so nobody pays.
    """
    in_orders = sum(order.quantity for order in counted)
    portions = with_restaurant_portions(offer, in_orders)
    met_by = None if too_late else _met_by(offer, in_orders)
    if met_by:
        charged = tuple(_charged(order, price_of(order)) for order in counted)
        return Decision(OfferStatus.SUCCEEDED, portions, met_by, charged)
    alternative, released, refunded = [], [], []
    for order in counted:
        called_off = too_late or order.pk in being_charged
        price = None if called_off else price_alternative(order)
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
    """Whether the offer would go ahead with this many portions in counted orders."""
    return _met_by(offer, ordered_portions) is not None


def with_restaurant_portions(offer: SpecialOffer, portions: int) -> int:
    """These portions plus those the restaurant reserved for itself."""
    return portions + offer.restaurant_portions


def _met_by(offer: SpecialOffer, ordered_portions: int) -> DecisionBasis | None:
    """Why the offer goes ahead; None if it doesn't. Without a single order it never does, whatever
    the restaurant reserved or guaranteed."""
    if not ordered_portions:
        return None
    if with_restaurant_portions(offer, ordered_portions) >= offer.min_preorders:
        return DecisionBasis.MINIMUM
    return DecisionBasis.WORD if offer.goes_ahead else None


def _charged(order: PreOrder, price: Price) -> ChargeOutcome:
    """The order at this price. An early charge stands, less what was refunded and what will be
    because the alternative costs less."""
    if order.payment_status != PaymentStatus.CAPTURED:
        return ChargeOutcome(order, price, price.total, price.fees)
    taken, fees = Money.of(order.total_amount), price_of(order).fees
    amount = min(price.total, taken - Money.of(order.refunded_amount))
    back = refunded_fees(fees, charged=taken, refunded=taken - amount)
    return ChargeOutcome(order, price, amount, fees - back)
