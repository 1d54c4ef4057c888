"""The email to a restaurant's owners when a special is decided: how it ended, and the money."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from apps.billing.payouts import payout_day
from apps.common import formats
from apps.common.emails import EmailAction, name_in_subject, platform_email
from apps.common.links import platform_url
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.outcome import OfferOutcome, outcome_of
from apps.preorders.emails.disputes import owners_of
from apps.preorders.models import SETTLEMENT_KINDS, Email, PaymentOperation
from apps.preorders.models.states import OperationStage, OperationStatus

TEMPLATE = "preorders/emails/offer_result.txt"
# The email waits this long for the charges. Those that take longer are "still being processed".
PATIENCE = timedelta(minutes=30)


def is_ready(email: Email, *, now: datetime) -> bool:
    """Whether the cards were charged or declined, or have taken too long to wait for."""
    offer = _offer_of(email)
    assert offer.decided_at is not None
    if now - offer.decided_at >= PATIENCE:
        return True
    pending = PaymentOperation.objects.filter(
        pre_order__offer=offer, kind__in=SETTLEMENT_KINDS, state=OperationStatus.PENDING
    )
    # A guest has a day to use a pay link.
    return not pending.exclude(stage=OperationStage.PAY_LINK).exists()


def render_result_email(email: Email) -> EmailMultiAlternatives:
    """The email, to nobody if the restaurant has no owner.

    Its Message-ID derives from the row, so a repeat is the same message.
    """
    offer = _offer_of(email)
    restaurant = offer.restaurant
    outcome = outcome_of(offer)
    owners = owners_of(restaurant)
    message = platform_email(
        TEMPLATE,
        to=restaurant.email,
        action=EmailAction("See the result", platform_url(f"/restaurant/offers/{offer.pk}")),
        reason=f"You're getting this because you own {restaurant.name}.",
        facts={
            "dish": offer.name,
            "dish_in_subject": name_in_subject(offer.name),
            "succeeded": offer.status == OfferStatus.SUCCEEDED,
            "outcome": outcome,
            "ordered": offer.ordered_portions,
            "portions": formats.count(offer.ordered_portions, "portion"),
            "minimum": formats.count(offer.min_preorders, "portion"),
            "serve_day": formats.day(offer.serve_date),
            "gross": formats.money(outcome.gross, restaurant.currency),
        },
        listed=_money(offer, outcome) if outcome.charged_orders else [],
    )
    message.to = owners
    message.extra_headers["Message-ID"] = f"<{email.pk}@{settings.ROOT_DOMAIN}>"
    return message


def _offer_of(email: Email) -> SpecialOffer:
    assert email.offer is not None
    return email.offer


def _money(offer: SpecialOffer, outcome: OfferOutcome) -> list[tuple[str, str]]:
    currency = offer.restaurant.currency
    refunded = formats.money(outcome.refunded, currency) if outcome.refunded.cents else ""
    share = formats.money(outcome.revenue_share, currency) if outcome.revenue_share.cents else ""
    return [
        ("Charged, tax included", formats.money(outcome.gross, currency)),
        ("Refunded", refunded),
        ("Platform fee", share),
        ("Card processing", formats.money(outcome.processing_fee, currency)),
        ("You receive", formats.money(outcome.payout, currency)),
        ("Sent to your bank", formats.day(payout_day(offer.serve_date))),
    ]
