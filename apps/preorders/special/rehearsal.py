"""What would happen if an offer closed now, and what it comes to: the deadline's own decision,
told in groups and sums."""

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
    """Orders that meet the same end; `amount` is what their cards are held for or charged."""

    orders: int
    portions: int
    amount: Money


@dataclass(frozen=True, slots=True)
class Sums:
    """What the charges come to. `gross` includes `tax`; `payout` is what reaches the restaurant."""

    gross: Money
    tax: Money
    revenue_share: Money
    processing_fee: Money
    payout: Money


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """`portions` of `minimum` are booked, `restaurant_portions` among them; `waiting` are portions at
    the checkout, which may still join. `alternative` are charged for the alternative dish."""

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
    """`decision` (of `services.closing.decision_now`) about `offer`, in groups and sums."""
    charges = (*decision.charged, *decision.serves_alternative)
    return Rehearsal(
        goes_ahead=decision.outcome == OfferStatus.SUCCEEDED,
        portions=decision.portions,
        minimum=offer.min_preorders,
        restaurant_portions=offer.restaurant_portions,
        waiting=max(0, offer.reserved_portions - decision.portions),
        charged=_charged(decision.charged),
        alternative=_charged(decision.serves_alternative),
        released=_let_go(decision.released),
        refunded=_let_go(decision.refunded),
        sums=_sums(charges),
        sentence=_sentence(offer, decision),
    )


def _charged(charges: Sequence[ChargeOutcome]) -> Group:
    portions = sum(each.order.quantity for each in charges)
    return Group(len(charges), portions, _total(each.amount for each in charges))


def _let_go(orders: Sequence[PreOrder]) -> Group:
    """Holds let go, or early charges given back: all that is left of them."""
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
    """The tax in what is charged: all of it, or its share of what is left of an early charge."""
    tax, total = charge.price.tax, charge.price.total
    if charge.amount == total:
        return tax
    return Money((2 * tax.cents * charge.amount.cents + total.cents) // (2 * total.cents))


def _total(amounts: Iterable[Money]) -> Money:
    return sum(amounts, Money(0))


def _sentence(offer: SpecialOffer, decision: Decision) -> str:
    """What happens to whom, without sums: everybody of the team may read it."""
    count = formats.count
    if decision.outcome == OfferStatus.SUCCEEDED:
        cards = _cards(len(decision.charged), "charged")
        if decision.met_by is DecisionBasis.WORD:
            return f"It goes ahead below the minimum, as you said: {cards}."
        return f"It goes ahead: {cards}."
    missing = offer.min_preorders - decision.portions
    why = f"{count(missing, 'portion')} short" if missing > 0 else "nobody has ordered"
    parts = []
    if decision.serves_alternative:
        cards = _cards(len(decision.serves_alternative), "charged")
        parts.append(f"{cards} for the alternative")
    if decision.released:
        parts.append(_cards(len(decision.released), "released", noun="hold"))
    if decision.refunded:
        parts.append(_cards(len(decision.refunded), "refunded", noun="charge"))
    what = ", ".join(parts) if parts else "there is no card to let go"
    return f"It does not go ahead, {why}: {what}."


def _cards(number: int, verb: str, *, noun: str = "card") -> str:
    return f"{formats.count(number, noun)} {'is' if number == 1 else 'are'} {verb}"
