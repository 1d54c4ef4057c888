"""What a guest agrees to by ordering, and what the payment page says about the card."""

from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import formats
from apps.offers.card_terms import (
    AGREES_TO_TERMS,
    Instead,
    brief_card_terms,
    card_terms,
    charge_in_brief,
    choice_saved,
    early_charge_terms,
    no_charge,
    otherwise,
)
from apps.preorders.core.pricing import price_alternative
from apps.preorders.models import PreOrder
from apps.preorders.models.states import OrderSource, PaymentStatus


def consent_text(order: PreOrder, now: datetime) -> str:
    """What a guest agrees to by ordering, in the active language: stored with the order. A caller
    agrees on the payment provider's page, so it is what that page says."""
    by_phone = order.source == OrderSource.PHONE
    terms = _terms_and_hold(order, now) if by_phone else terms_of(order, now)
    return f"{terms} {AGREES_TO_TERMS}"


def terms_of(order: PreOrder, now: datetime, *, is_brief: bool = False) -> str:
    """What happens to the card of this order, in the active language; `is_brief` below what is
    said of several."""
    instead = _instead(order)
    currency = order.offer.restaurant.currency
    if order.payment_status == PaymentStatus.CAPTURED:
        charged = formats.money(order.total_amount, currency)
        return early_charge_terms(order.offer, now, charged=charged, instead=instead)
    if is_brief:
        total = formats.money(order.total_amount, currency)
        return brief_card_terms(order.offer, now, total=total, instead=instead)
    return card_terms(order.offer, now, instead=instead)


def charge_in_brief_of(order: PreOrder) -> str:
    """When the card of an order that is in checkout is charged, in a few words."""
    return charge_in_brief(order.offer, _instead(order), own=order.quantity)


def terms_of_hold(order: PreOrder, now: datetime, *, total: str) -> str:
    """What a guest must know of the hold, where `otherwise_of` and the deadline stand below."""
    holds = _("Your bank is holding %(total)s on your card.") % {"total": total}
    return f"{no_charge(order.offer, now)} {holds}"


def otherwise_of(order: PreOrder) -> str:
    """What happens to this order if the minimum is missed; empty if it can't be."""
    return otherwise(order.offer, _instead(order))


def choice_saved_of(order: PreOrder) -> str:
    """What the guest has just chosen for a missed minimum."""
    is_charged = order.payment_status == PaymentStatus.CAPTURED
    return choice_saved(order.offer, _instead(order), is_charged=is_charged)


def _instead(order: PreOrder) -> Instead | None:
    """The dish the guest gets if the minimum is missed, and what it costs them."""
    price = price_alternative(order)
    if price is None or not order.sold.alternative_name:
        return None
    total = formats.money(price.total, order.offer.restaurant.currency)
    return Instead(order.sold.spoken_alternative_name, total)


def card_note(order: PreOrder, now: datetime) -> str:
    """What happens to the card, for the payment provider's page, in the order's language: a worker
    may open that page."""
    with translation.override(order.language):
        return _terms_and_hold(order, now)


def change_note(order: PreOrder, now: datetime, *, before: int) -> str:
    """The same where a guest adds portions: `order` is as it will be, and had `before` portions."""
    with translation.override(order.language):
        change = _(
            "You're changing your order from %(before)s to %(after)d. Until you finish here, it "
            "stays as it is. The new hold replaces the current one."
        ) % {"before": formats.portions(before), "after": order.quantity}
        return f"{change} {_terms_and_hold(order, now)}"


def _terms_and_hold(order: PreOrder, now: datetime) -> str:
    """The guest's bank shows a hold, which our form says in its own words. Not once it is a charge,
    nor after the deadline."""
    terms = terms_of(order, now)
    if order.payment_status == PaymentStatus.CAPTURED or now >= order.offer.deadline:
        return terms
    return terms + " " + _("Your bank holds the total until then.")


def charge_note(order: PreOrder) -> str:
    """The same for a page that charges at once, after a declined charge."""
    with translation.override(order.language):
        return _("We'll charge your card now. %(restaurant)s is making your %(dish)s.") % {
            "restaurant": order.offer.restaurant.name,
            "dish": order.served_name,
        }
