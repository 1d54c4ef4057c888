"""The what-if preview of an offer: the deadline's own decision, in groups and sums."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.common import formats
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.decision import ChargeOutcome, Decision, DecisionBasis
from apps.preorders.models import PreOrder


@dataclass(frozen=True, slots=True)
class Group:
    """Orders with the same outcome; `amount` is what their cards are held for or charged."""

    orders: int
    portions: int
    amount: Money


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of the charges. `gross` includes `tax`; `payout` is what the restaurant receives."""

    gross: Money
    tax: Money
    revenue_share: Money
    processing_fee: Money
    payout: Money


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What would happen if the offer closed now.

    `portions` counts ordered portions including `restaurant_portions`; `waiting` are portions in
    open checkouts; `alternative` are orders charged for the alternative dish.
    """

    goes_ahead: bool
    portions: int
    minimum: int
    restaurant_portions: int
    waiting: int
    charged: Group
    alternative: Group
    released: Group
    refunded: Group
    sums: Sums
    sentence: str


def rehearse(offer: SpecialOffer, decision: Decision) -> Rehearsal:
    """Summarize a decision about `offer`, from `settlement.deadline.decision_now`."""
    charges = (*decision.charged, *decision.serves_alternative)
    return Rehearsal(
        goes_ahead=decision.outcome == OfferStatus.SUCCEEDED,
        portions=decision.portions,
        minimum=offer.min_preorders,
        restaurant_portions=offer.restaurant_portions,
        waiting=max(0, offer.reserved_portions - decision.portions),
        charged=_charged_group(decision.charged),
        alternative=_charged_group(decision.serves_alternative),
        released=_returned_group(decision.released),
        refunded=_returned_group(decision.refunded),
        sums=_sums(charges),
        sentence=_sentence(offer, decision),
    )


def _charged_group(charges: Sequence[ChargeOutcome]) -> Group:
    portions = sum(each.order.quantity for each in charges)
    return Group(len(charges), portions, _total(each.amount for each in charges))


def _returned_group(orders: Sequence[PreOrder]) -> Group:
    """Released holds, or refunded early charges: what remains of them."""
    amounts = (Money.of(each.total_amount) - Money.of(each.refunded_amount) for each in orders)
    return Group(len(orders), sum(each.quantity for each in orders), _total(amounts))


def _sums(charges: Sequence[ChargeOutcome]) -> Sums:
    return Sums(
        gross=_total(each.amount for each in charges),
        tax=_total(_tax_in(each) for each in charges),
        revenue_share=_total(each.fees.revenue_share for each in charges),
        processing_fee=_total(each.fees.processing for each in charges),
        payout=_total(each.payout for each in charges),
    )


def _tax_in(charge: ChargeOutcome) -> Money:
    """The tax in the charged amount, in proportion if part of an early charge was refunded."""
    tax, total = charge.price.tax, charge.price.total
    if charge.amount == total:
        return tax
    return Money((2 * tax.cents * charge.amount.cents + total.cents) // (2 * total.cents))


def _total(amounts: Iterable[Money]) -> Money:
    return sum(amounts, Money(0))


def _sentence(offer: SpecialOffer, decision: Decision) -> str:
    """The outcome without sums, because every team member can read it."""
    count = formats.count
    if decision.outcome == OfferStatus.SUCCEEDED:
        cards = _cards(len(decision.charged), "charged")
        if decision.met_by is DecisionBasis.WORD:
            return f"It goes ahead below the minimum, as you guaranteed: {cards}."
        return f"It goes ahead: {cards}."
    missing = offer.min_preorders - decision.portions
    why = f"{count(missing, 'portion')} short" if missing > 0 else "no one has ordered"
    parts = []
    if decision.serves_alternative:
        cards = _cards(len(decision.serves_alternative), "charged")
        parts.append(f"{cards} for the alternative")
    if decision.released:
        parts.append(_cards(len(decision.released), "released", noun="hold"))
    if decision.refunded:
        parts.append(_cards(len(decision.refunded), "refunded", noun="charge"))
    what = ", ".join(parts) if parts else "no cards are on hold"
    return f"It doesn't go ahead, {why}: {what}."


def _cards(number: int, verb: str, *, noun: str = "card") -> str:
    return f"{formats.count(number, noun)} {'is' if number == 1 else 'are'} {verb}"
