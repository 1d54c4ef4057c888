"""The order of a charge that a bank asks about."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from apps.billing import stripe_gateway as gateway
from apps.common import rls
from apps.preorders.core.locks import lock_order
from apps.preorders.models import PreOrder


@contextmanager
def order_of_charge(intent_id: str) -> Iterator[PreOrder | None]:
    """The order of an intent, locked, in a transaction that acts as its restaurant; None if the
    intent belongs to no order.

    Raises GatewayError if Stripe must be asked and can't be read.
    """
    known = _find(intent_id)
    if known is None:
        yield None
        return
    with rls.acting_as(known.restaurant_id), transaction.atomic():
        yield lock_order(known.pk)


def _find(intent_id: str) -> PreOrder | None:
    """The order, of any restaurant, that owns the intent or that the intent names."""
    if not intent_id:
        return None
    with rls.acting_as(rls.PLATFORM):
        orders = PreOrder.objects.only("restaurant_id")
        if order := orders.filter(payment_intent_id=intent_id).first():
            return order
        try:
            named = UUID(gateway.retrieve_intent(intent_id).pre_order_id or "")
        except ValueError:
            return None
        return orders.filter(pk=named).first()
