"""Taking a diner's name off their orders, because they ask for it (decision 27).

The orders and their amounts stay: they are the restaurant's books. What tells who ordered goes.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import Replace
from django.utils.translation import gettext as _

from apps.common import formats
from apps.common.errors import Conflict
from apps.offers.locks import lock_offers
from apps.preorders.core.portions import recount
from apps.preorders.core.quantities import GUEST
from apps.preorders.guest.data_export import ERASED_NAME, orders_of_guest, waitlist_entries_of_guest
from apps.preorders.models import (
    Cart,
    EmailPreference,
    OrderEmail,
    OrderNote,
    PaymentOperation,
    PreOrder,
    PreOrderTransition,
)
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import ON_WAITLIST, OperationStatus, PaymentStatus, PreOrderStatus

OVER = frozenset({PreOrderStatus.CANCELLED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW})
MONEY_MOVES = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED})


def why_not_erased(order: PreOrder, *, now: datetime) -> str:
    """Why nothing is erased while this order is running; nothing once it is over."""
    return _running(PreOrder.objects.filter(pk=order.pk), now)


def erase_guest(*, order: PreOrder, now: datetime) -> PreOrder:
    """Take name, e-mail address, phone number and notes off every order that the diner of this one
    made at its restaurant, and their places in its lines away; what was kept for one goes to the
    next. Asked for twice it is the same.

    Raises Conflict while one of them is running: its card is held or its meal waits.
    """
    with transaction.atomic():
        # In one order everywhere (`locks`): offers whose portions may come free, then the orders.
        places = waitlist_entries_of_guest(order)
        in_line = lock_offers(
            places.filter(state__in=sorted(ON_WAITLIST)).values_list("offer_id", flat=True)
        )
        ids = list(
            orders_of_guest(order)
            .select_for_update(of=("self",))
            .order_by("pk")
            .values_list("pk", flat=True)
        )
        if running := _running(PreOrder.objects.filter(pk__in=ids), now):
            raise Conflict(running)
        names = PreOrder.objects.filter(pk__in=ids).values_list("customer_name", flat=True)
        known = set(names) - {ERASED_NAME, ""}
        PreOrder.objects.filter(pk__in=ids).update(
            customer_name=ERASED_NAME, customer_email="", customer_phone="", note="", user=None
        )
        Cart.objects.filter(lines__in=ids).update(fingerprint="")  # it was made of the name too
        OrderNote.objects.filter(pre_order__in=ids).delete()
        EmailPreference.objects.filter(
            restaurant_id=order.restaurant_id, email=order.customer_email.lower()
        ).delete()
        # Nobody is written to any more.
        OrderEmail.objects.filter(pre_order__in=ids, sent_at=None).delete()
        places.filter(~Q(state__in=sorted(ON_WAITLIST)) | Q(offer__in=in_line)).delete()
        for offer in in_line:
            recount(offer)
        # Who cancelled an order stands in its records by name.
        for name in known:
            for records in (PreOrderTransition.objects, PaymentOperation.objects):
                records.filter(pre_order__in=ids, reason__contains=name).update(
                    reason=Replace(F("reason"), Value(name), Value(GUEST))
                )
    return PreOrder.objects.get(pk=order.pk)


def _running(orders: PreOrderQuerySet, now: datetime) -> str:
    """What to say of the first of these orders that is not over; nothing when all are."""
    for each in orders.filter(_not_over(now)).select_related("offer__restaurant")[:1]:
        return _(
            "Your order %(code)s for %(day)s is still running. Cancel it, or wait until it is over."
        ) % {"code": each.code, "day": formats.day(each.offer.serve_date)}
    return ""


def _not_over(now: datetime) -> Q:
    """Its meal waits, its card is held or its money is being moved. A day more than the serve day,
    since it ends at another moment in each zone."""
    yesterday = now.date() - timedelta(days=1)
    waits = ~Q(status__in=sorted(OVER)) & Q(offer__serve_date__gte=yesterday)
    moving = PaymentOperation.objects.filter(
        pre_order=OuterRef("pk"), state=OperationStatus.PENDING
    )
    return waits | Q(payment_status__in=sorted(MONEY_MOVES)) | Q(Exists(moving))
