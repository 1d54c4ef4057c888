"""What the notice of a special's result says: how it ended, and the money."""

from typing import Any

from apps.common import formats
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.outcome import OfferOutcome, outcome_of


def result_facts(offer: SpecialOffer) -> dict[str, Any]:
    """What the email's text says, beside the facts of every notice."""
    outcome = outcome_of(offer)
    return {
        "succeeded": offer.status == OfferStatus.SUCCEEDED,
        "outcome": outcome,
        "ordered": offer.ordered_portions,
        "portions": formats.count(offer.ordered_portions, "portion"),
        "minimum": formats.count(offer.min_preorders, "portion"),
        "serve_day": formats.day(offer.serve_date),
        "gross": formats.money(outcome.gross, offer.restaurant.currency),
        "figures": _figures(offer, outcome),
        "listed": _money(offer, outcome) if outcome.charged_orders else [],
        "shows_seats": not outcome.charged_orders,
    }


def _figures(offer: SpecialOffer, outcome: OfferOutcome) -> list[tuple[str, str]]:
    if not outcome.charged_orders:
        return []  # the headline and the drawing of the seats say it
    currency = offer.restaurant.currency
    portions = outcome.charged_portions
    return [
        (formats.money(outcome.payout, currency), "you receive"),
        (f"{portions:,}", "portion charged" if portions == 1 else "portions charged"),
    ]


def _money(offer: SpecialOffer, outcome: OfferOutcome) -> list[tuple[str, str]]:
    currency = offer.restaurant.currency
    refunded = formats.money(outcome.refunded, currency) if outcome.refunded.cents else ""
    share = formats.money(outcome.revenue_share, currency) if outcome.revenue_share.cents else ""
    return [
        ("Charged, tax included", formats.money(outcome.gross, currency)),
        ("Refunded", refunded),
        ("Platform fee", share),
        ("Card processing", formats.money(outcome.processing_fee, currency)),
        ("Sent to your bank", formats.day(outcome.payout_day)),
    ]
