"""What the browser confirms: a payment intent for a cart of one item, else a setup intent."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import BrowserIntent, Busy, GatewayError, StillWorking
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, Unavailable
from apps.common.transitions import Cause
from apps.preorders.checkout.acceptance import OFFER_CLOSED
from apps.preorders.checkout.endings import give_up
from apps.preorders.checkout.payment_page import StillTrying, charge_of, payment_page_again
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import PreOrderStatus, ReasonCode

logger = logging.getLogger(__name__)

NO_PAYMENT = gettext_lazy("Unable to initialize payment. Please try again.")


def client_secret_of(
    cart: Cart, items: Sequence[PreOrder], now: datetime, *, can_wait: bool = False
) -> str:
    """Create the intent, outside any transaction. Idempotency keys come from the rows, so repeated
    or concurrent calls create one customer and one intent.

    Without an answer from the payment provider it raises Unavailable, and the orders end unless
    they `can_wait` for another try."""
    opened = cart.setup_intent_id or (items[0].payment_intent_id if len(items) == 1 else None)
    try:
        if opened:
            return payment_page_again(lambda: gateway.client_secret(opened))
        customer_id = _customer_of(cart, items[0])
        intent = payment_page_again(lambda: _create_intent(cart, items, customer_id))
    except Busy as error:
        raise StillTrying from error
    except GatewayError as error:
        logger.warning("no checkout for %s: %s", cart, error)
        # With StillWorking, another request is working on the cart.
        if not can_wait and not isinstance(error, StillWorking):
            for item in items:
                cause = Cause(ReasonCode.PROVIDER_UNREACHABLE)
                give_up(item.pk, now=now, cause=cause, unopened=True)
        raise Unavailable(str(NO_PAYMENT)) from error
    stored = _store_intent(cart, items, intent, customer_id)
    if stored == intent.intent_id:
        return intent.client_secret
    # The deadline ended the orders while the intent was created, or another request was quicker.
    # Nobody has its secret, so one that cannot be canceled does no harm.
    with suppress(GatewayError):
        _end(intent)
    if not stored:
        raise Conflict(OFFER_CLOSED, code=ErrorCode.ORDERS_CLOSED)
    return client_secret_of(cart, items, now, can_wait=can_wait)


def _customer_of(cart: Cart, item: PreOrder) -> str:
    name, email = item.customer_name, item.customer_email
    return payment_page_again(
        lambda: gateway.with_new_key_after_error(
            lambda key: gateway.create_customer(name=name, email=email, key=key),
            f"cart-customer:{cart.pk}",
        )
    )


def _create_intent(cart: Cart, items: Sequence[PreOrder], customer_id: str) -> BrowserIntent:
    charge = charge_of(items[0])
    if len(items) == 1:
        return gateway.with_new_key_after_error(
            lambda key: gateway.create_intent(charge, customer_id=customer_id, key=key),
            f"cart-intent:{items[0].pk}",
        )
    return gateway.with_new_key_after_error(
        lambda key: gateway.create_setup(
            cart_id=str(cart.pk),
            customer_id=customer_id,
            destination=charge.destination,
            description=f"{len(items)} specials of {items[0].offer.restaurant.name}",
            key=key,
        ),
        f"cart-setup:{cart.pk}",
    )


def _store_intent(
    cart: Cart, items: Sequence[PreOrder], intent: BrowserIntent, customer_id: str
) -> str | None:
    """Save the intent, unless another request has saved one; returns the saved one's id, or None
    when every order has ended meanwhile."""
    with transaction.atomic():
        keys = [item.pk for item in items]
        waiting = PreOrder.objects.filter(pk__in=keys, status=PreOrderStatus.PENDING)
        carts = Cart.objects.filter(pk=cart.pk)
        if len(items) == 1:
            is_first = waiting.filter(payment_intent_id=None).update(
                payment_intent_id=intent.intent_id
            )
            saved = waiting.values_list("payment_intent_id", flat=True).first()
            items[0].payment_intent_id = saved
        elif waiting.exists():
            unset = carts.filter(setup_intent_id=None)
            is_first = unset.update(setup_intent_id=intent.intent_id)
            saved = carts.values_list("setup_intent_id", flat=True).get()
            cart.setup_intent_id = saved
        else:
            return None
        if is_first:
            cart.payment_customer_id = customer_id
            carts.update(payment_customer_id=customer_id)
    return saved


def _end(intent: BrowserIntent) -> None:
    if intent.intent_id.startswith("seti_"):
        gateway.cancel_setup(intent.intent_id)
    else:
        gateway.release(intent.intent_id, key=f"cart-end:{intent.intent_id}")
