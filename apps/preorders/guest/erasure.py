"""Deleting a guest's personal data at their request (decision 27).

The orders and their amounts stay, because the restaurant must keep its accounts. Everything that
identifies the guest is removed.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext as _

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common import formats
from apps.common.errors import Conflict
from apps.offers.locks import lock_offers
from apps.preorders.core import jobs
from apps.preorders.core.portions import recount
from apps.preorders.guest.data_export import ERASED_NAME, orders_of_guest, waitlist_entries_of_guest
from apps.preorders.models import (
    Cart,
    Email,
    EmailPreference,
    OrderNote,
    PaymentOperation,
    PreOrder,
    PreOrderTransition,
)
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import (
    ON_WAITLIST,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)

OVER = frozenset({PreOrderStatus.CANCELLED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW})
MONEY_CHANGES = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED})


def why_not_erased(order: PreOrder, *, now: datetime) -> str:
    """Why the data can't be deleted yet; empty once the order is over."""
    return _running(PreOrder.objects.filter(pk=order.pk), now)


def erase_guest(*, order: PreOrder, now: datetime) -> PreOrder:
    """Remove name, email address, phone number and notes from every order this guest placed at the
    restaurant, their saved cards at Stripe, and their waitlist entries; portions reserved for an
    entry go to the next guest. Safe to repeat.

    Raises Conflict while one of the orders is open: its card is held or the food is still to come.
    """
    with transaction.atomic():
        # Lock order (`locks`): offers whose portions may become free, then the orders.
        entries = waitlist_entries_of_guest(order)
        waiting_offers = lock_offers(
            entries.filter(state__in=sorted(ON_WAITLIST)).values_list("offer_id", flat=True)
        )
        ids = list(
            orders_of_guest(order)
            .select_for_update(of=("self",))
            .order_by("pk")
            .values_list("pk", flat=True)
        )
        if running := _running(PreOrder.objects.filter(pk__in=ids), now):
            raise Conflict(running)
        PreOrder.objects.filter(pk__in=ids).update(
            customer_name=ERASED_NAME,
            customer_email="",
            customer_phone="",
            note="",
            user=None,
            link_revision=F("link_revision") + 1,
            origin_network="",
            origin_device="",
        )
        Cart.objects.filter(items__in=ids).update(fingerprint="")  # it contains the name too
        OrderNote.objects.filter(pre_order__in=ids).delete()
        EmailPreference.objects.filter(
            restaurant_id=order.restaurant_id, email=order.customer_email.lower()
        ).delete()
        # No more emails to this guest.
        Email.objects.filter(pre_order__in=ids, sent_at=None).delete()
        entries.filter(~Q(state__in=sorted(ON_WAITLIST)) | Q(offer__in=waiting_offers)).delete()
        for offer in waiting_offers:
            recount(offer)
        # What the team wrote about an order can name its guest.
        for records in (PreOrderTransition.objects, PaymentOperation.objects):
            records.filter(pre_order__in=ids).update(reason="")
        _forget_cards(ids, now)
        record(
            Kind.GUEST_DATA_ERASED,
            restaurant=order.restaurant_id,
            about=("order", order.pk),
            by_guest=True,
            orders=len(ids),
            now=now,
        )
    return PreOrder.objects.get(pk=order.pk)


def _forget_cards(order_ids: list[UUID], now: datetime) -> None:
    """Queue the deletion of the customers and saved cards at Stripe; refunds don't need them."""
    with_card = PreOrder.objects.filter(
        Q(payment_customer_id__gt="") | Q(cart__payment_customer_id__gt=""), pk__in=order_ids
    )
    PaymentOperation.objects.bulk_create(
        [
            PaymentOperation(
                restaurant_id=each.restaurant_id,
                pre_order=each,
                kind=OperationKind.FORGET,
                due_at=now,
                created_at=now,
            )
            for each in with_card.order_by("pk")
        ],
        ignore_conflicts=True,  # erased before
    )
    queued = PaymentOperation.objects.filter(
        pre_order__in=order_ids, kind=OperationKind.FORGET, state=OperationStatus.PENDING
    )
    jobs.enqueue_operations(list(queued.values_list("pk", flat=True)))


def _running(orders: PreOrderQuerySet, now: datetime) -> str:
    """The message about the first of these orders that is not over; empty when all are."""
    for each in orders.filter(_not_over(now)).select_related("offer__restaurant")[:1]:
        return _(
            "Your order %(code)s for %(day)s is still open. Cancel it, or wait until it's over."
        ) % {"code": each.code, "day": formats.day(each.offer.serve_date)}
    return ""


def _not_over(now: datetime) -> Q:
    """The food is still to come, the card is held or a payment is under way. One day past the serve
    date, because that day ends at a different time in each time zone."""
    yesterday = now.date() - timedelta(days=1)
    waits = ~Q(status__in=sorted(OVER)) & Q(offer__serve_date__gte=yesterday)
    moving = PaymentOperation.objects.filter(
        pre_order=OuterRef("pk"), state=OperationStatus.PENDING
    ).exclude(kind=OperationKind.FORGET)
    return waits | Q(payment_status__in=sorted(MONEY_CHANGES)) | Q(Exists(moving))
