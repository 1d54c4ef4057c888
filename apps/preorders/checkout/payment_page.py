"""The payment provider's page for an order: what it says, opening it, opening it twice."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from time import sleep
from typing import TypeVar

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Busy, Charge, GatewayError, StillWorking, Unreachable
from apps.billing.hosted_checkout import Checkout, CheckoutItem, CheckoutLook, CheckoutRequest
from apps.common import formats
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, Unavailable
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.offers.images import photo_address
from apps.offers.sold_dishes import dish_sold
from apps.preorders.checkout.acceptance import OFFER_CLOSED
from apps.preorders.checkout.endings import give_up
from apps.preorders.checkout.terms import card_note
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.friends import when_and_invited_by
from apps.preorders.models import PreOrder
from apps.preorders.models.states import EmailKind, OrderSource, PreOrderStatus, ReasonCode
from apps.restaurants.branding import ACCENT, PAPER, brand_of, logo_address
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)
T = TypeVar("T")

# A hosted checkout lives at least 30 minutes; one more minute in case clocks differ.
CHECKOUT_LIFE = timedelta(minutes=31)

# Seconds that a second press of the button waits for the first one's page, per attempt.
DOUBLE_SUBMIT_WINDOWS = (0.2, 0.4, 0.8)

PROCESSOR_DOWN = gettext_lazy("Unable to process payment. Please try again.")
STILL_TRYING = gettext_lazy(
    "Lots of people are ordering right now. Your portions are set aside, and your card wasn't held "
    "or charged. Press the button again in a few seconds to continue."
)


class StillTrying(Unavailable):
    """Our calls are at Stripe's limit; nothing is lost, and the same request continues later."""

    code = ErrorCode.BUSY
    retry_after = 3

    def __init__(self) -> None:
        super().__init__(STILL_TRYING)


def charge_of(order: PreOrder) -> Charge:
    """What the payment provider holds or charges for this order, and for whom."""
    fees = Money.of(order.revenue_share) + Money.of(order.processing_fee)
    return Charge(
        pre_order_id=str(order.pk),
        amount=Money.of(order.total_amount),
        fee=fees,
        currency=order.offer.restaurant.currency,
        destination=order.offer.restaurant.connect_account.account_id,
        description=f"{order.quantity} × {order.served_name} ({order.code})",
    )


def confirmation_url(order: PreOrder) -> str:
    """Where the checkout page returns to; the payment provider fills in the session's id."""
    path = f"/pre-order-confirmation?preorder={order.pk}&dish={order.offer_id}"
    return absolute_url(
        f"{path}&session_id={{CHECKOUT_SESSION_ID}}", restaurant=order.offer.restaurant
    )


def checkout_request(
    order: PreOrder,
    *,
    expires_at: datetime,
    hold_only: bool,
    note: str,
    back: str = "",
    done: str = "",
    before: int | None = None,
) -> CheckoutRequest:
    """What the hosted page says, in the order's language, and does for this order. `back` is where
    it leads afterwards, used or not, for an order that was finished once before; used, with `done`
    appended. `before` is how many portions an order has that is changed here."""
    offer = order.offer
    left = f"/specials/{offer.pk}?cancelled=1&preorder={order.pk}"
    with translation.override(order.language):
        sold = dish_sold(order.sold, alternative=order.serves_alternative, pictured=True)
        item = CheckoutItem(
            name=order.served_name,
            quantity=order.quantity,
            unit=Money.of(order.unit_price),
            description=_described(order, hold_only=hold_only, before=before),
            photo_url=photo_address(sold.photo, offer.restaurant),
        )
        tax_name = _("Tax (%(rate)s)") % {"rate": formats.rate(order.tax_rate)}
    return CheckoutRequest(
        charge=charge_of(order),
        item=item,
        tax_name=tax_name,
        customer_email=order.customer_email,
        success_url=f"{back}{done}" if back else confirmation_url(order),
        cancel_url=back or absolute_url(left, restaurant=offer.restaurant),
        expires_at=expires_at,
        hold_only=hold_only,
        submit_note=note,
        locale=order.language.partition("-")[0],
        look=_look_for(offer.restaurant),
    )


def _look_for(restaurant: Restaurant) -> CheckoutLook:
    """The light look of the restaurant's pages: the payment provider's page has no other theme."""
    return CheckoutLook(
        name=restaurant.name,
        paper=PAPER,
        button=brand_of(restaurant).accent_light or ACCENT,
        logo_url=logo_address(restaurant),
    )


def _described(order: PreOrder, *, hold_only: bool, before: int | None) -> str:
    """What stands below the dish at the top of the page, whose heading is the restaurant's name. It
    has no counts of the special, nor what became of a friend's order, because Stripe refuses other
    words with the same key: https://docs.stripe.com/api/idempotent_requests. A change's own numbers
    stay: another number is another operation."""
    parts = [when_and_invited_by(order)]
    if before is not None:
        numbers = {"before": formats.portions(before), "after": order.quantity}
        parts.insert(0, _("Change from %(before)s to %(after)d") % numbers)
    if hold_only:
        parts.append(_("Held now, charged only if it's on"))
    return " · ".join(parts)


def open_checkout(order: PreOrder, now: datetime) -> None:
    """Create the checkout page, outside any transaction. The idempotency key comes from the order,
    so concurrent calls create one session. Phone orders get the link by email."""
    by_phone = order.source == OrderSource.PHONE
    request = checkout_request(
        order,
        expires_at=order.checkout_expires_at,
        hold_only=True,
        # The caller saw no page of ours, so this page asks for the consent.
        note=order.consent_text if by_phone else card_note(order, now),
    )
    try:
        checkout = payment_page_again(
            lambda: gateway.create_checkout(request, key=f"checkout:{order.pk}")
        )
    except Busy as error:
        # The portions stay reserved: the same request continues with this order.
        raise StillTrying from error
    except GatewayError as error:
        logger.warning("no checkout for order %s: %s", order.pk, error)
        if not isinstance(error, StillWorking):  # else another request is working on the order
            cause = Cause(ReasonCode.PROVIDER_UNREACHABLE)
            give_up(order.pk, now=now, cause=cause, unopened=True)
        raise Unavailable(PROCESSOR_DOWN) from error
    if not store_checkout(order, checkout, now):
        # The deadline ended the order while the page was created. If the page cannot be closed, it
        # expires on its own; nobody has its address.
        with suppress(GatewayError):
            gateway.expire_checkout(checkout.session_id)
        raise Conflict(OFFER_CLOSED, code=ErrorCode.ORDERS_CLOSED)
    order.checkout_session_id, order.checkout_url = checkout.session_id, checkout.url


def store_checkout(order: PreOrder, checkout: Checkout, now: datetime) -> bool:
    """Save the page on the order; False when the order has ended meanwhile."""
    with transaction.atomic():
        updated = PreOrder.objects.filter(pk=order.pk, status=PreOrderStatus.PENDING).update(
            checkout_session_id=checkout.session_id, checkout_url=checkout.url
        )
        if updated and order.source == OrderSource.PHONE:
            queue_email(order, EmailKind.PAY_LINK, now=now, action_url=checkout.url)
    return updated > 0


def payment_page_again(ask: Callable[[], T]) -> T:
    """Call `ask` again after a lost answer, or while another request with the same key is still
    being processed. `ask` uses the same idempotency key each time."""
    for pause in DOUBLE_SUBMIT_WINDOWS:
        try:
            return ask()
        except Busy:  # the call has waited already
            raise
        except StillWorking:
            sleep(pause)
        except Unreachable:
            break
    return ask()
