"""What a guest agrees to by ordering, and what the payment page says about the card."""

from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import formats
from apps.offers.card_terms import AGREES_TO_TERMS, Instead, card_terms, early_charge_terms
from apps.preorders.core.pricing import price_alternative
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus


def consent_text(order: PreOrder, now: datetime) -> str:
    """What a guest agrees to by ordering, in the active language: stored with the order."""
    return f"{terms_of(order, now)} {AGREES_TO_TERMS}"


def terms_of(order: PreOrder, now: datetime) -> str:
    """What happens to the card of this order, in the active language."""
    price = price_alternative(order)
    instead = None
    currency = order.offer.restaurant.currency
    if price is not None and order.sold.alternative_name:
        instead = Instead(order.sold.spoken_alternative_name, formats.money(price.total, currency))
    if order.payment_status == PaymentStatus.CAPTURED:
        charged = formats.money(order.total_amount, currency)
        return early_charge_terms(order.offer, now, charged=charged, instead=instead)
    return card_terms(order.offer, now, instead=instead)


def card_note(order: PreOrder, now: datetime) -> str:
    """What happens to the card, for the payment provider's page, in the order's language: a worker
    may open that page."""
    with translation.override(order.language):
        return terms_of(order, now)


def charge_note(order: PreOrder) -> str:
    """The same for a page that charges at once, after a declined charge."""
    with translation.override(order.language):
        return _("We'll charge your card now. %(restaurant)s is making your %(dish)s.") % {
            "restaurant": order.offer.restaurant.name,
            "dish": order.served_name,
        }
