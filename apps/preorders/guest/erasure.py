"""Deleting a guest's personal data at their request (decision 27).

The orders and their amounts stay, because the restaurant must keep its accounts. Everything that
identifies the guest is removed. The same happens by itself to orders that are long over.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import Discrepancy
from apps.common import formats
from apps.common.errors import Conflict
from apps.offers.locks import lock_offers
from apps.preorders.core import jobs
from apps.preorders.core.portions import recount
from apps.preorders.guest.data_export import ERASED_NAME, orders_of_guest, waitlist_entries_of_guest
from apps.preorders.models import (
    Cart,
    Dispute,
    DisputeTransition,
    Email,
    OrderNote,
    PaymentOperation,
    PreOrder,
    PreOrderTransition,
    Subscriber,
)
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    ON_WAITLIST,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)

OVER = frozenset({PreOrderStatus.CANCELLED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW})
# How long orders name their guest, from the serve date: a year later nobody disputes the charge
# (https://docs.stripe.com/disputes/how-disputes-work: cardholders have 120 days, rarely more), and
# the restaurant's guests of last season have come again or won't.
ORDERS_RETENTION = timedelta(days=365)
CHECKOUTS_RETENTION = timedelta(days=30)
MONEY_CHANGES = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED})
# The bank decides with the evidence, which names the guest: the right to erasure ends where a legal
# claim needs the data (GDPR, article 17(3)(e)).
_OPEN_DISPUTES = Dispute.objects.filter(pre_order=OuterRef("pk"), closed_at=None)


def why_not_erased(order: PreOrder, *, now: datetime) -> str:
    """Why the data can't be deleted yet; empty once the order is over."""
    return _running(PreOrder.objects.filter(pk=order.pk), now)


def erase_guest(*, order: PreOrder, now: datetime) -> PreOrder:
    """Remove name, email address, phone number, and notes from every order this guest placed at the
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
        _remove_person(ids, now)
        Subscriber.objects.filter(
            restaurant_id=order.restaurant_id, email=order.customer_email.lower()
        ).delete()
        entries.filter(~Q(state__in=sorted(ON_WAITLIST)) | Q(offer__in=waiting_offers)).delete()
        for offer in waiting_offers:
            recount(offer, now=now)
        record(
            Kind.GUEST_DATA_ERASED,
            restaurant=order.restaurant_id,
            about=("order", order.pk),
            orders=len(ids),
            now=now,
        )
    return PreOrder.objects.get(pk=order.pk)


def open_orders(now: datetime) -> PreOrderQuerySet:
    """Orders that need their guest: food to come, a held card, a payment, or a dispute."""
    return PreOrder.objects.filter(_not_over(now))


def outdated_orders(now: datetime) -> PreOrderQuerySet:
    """Orders whose guest's identity is no longer needed.

    `ORDERS_RETENTION` after the serve date; `CHECKOUTS_RETENTION` after it was begun if no card was
    ever given. Not those that are open, as for `erase_guest`.
    """
    never_placed = Q(
        status=PreOrderStatus.CANCELLED,
        payment_status__in=CHECKOUT_STATUSES,
        created_at__lt=now - CHECKOUTS_RETENTION,
    )
    long_ago = Q(offer__serve_date__lt=(now - ORDERS_RETENTION).date())
    named = ~Q(customer_email="", customer_phone="", customer_name=ERASED_NAME)
    return PreOrder.objects.filter(named & (never_placed | long_ago)).exclude(_not_over(now))


def anonymize_orders(orders: QuerySet[PreOrder], *, now: datetime) -> int:
    """Remove the person from these orders, as `erase_guest` does; returns how many.

    In one transaction. Orders that somebody else works on are left for the next time.
    """
    with transaction.atomic():
        free = orders.select_for_update(of=("self",), skip_locked=True).order_by("pk")
        ids = list(free.values_list("pk", flat=True))
        _remove_person(ids, now)
    return len(ids)


def _remove_person(order_ids: list[UUID], now: datetime) -> None:
    """Remove what identifies the guests of these orders, whose rows the caller has locked."""
    PreOrder.objects.filter(pk__in=order_ids).update(
        customer_name=ERASED_NAME,
        customer_email="",
        customer_phone="",
        note="",
        user=None,
        checkout_url="",
        card_brand="",
        card_digits="",
        link_revision=F("link_revision") + 1,
        origin_network="",
        origin_device="",
    )
    Cart.objects.filter(items__in=order_ids).update(fingerprint="")  # it contains the name too
    OrderNote.objects.filter(pre_order__in=order_ids).delete()
    # No more emails to this guest; of those sent, neither links nor a server's answer.
    emails = Email.objects.filter(pre_order__in=order_ids)
    emails.filter(sent_at=None).delete()
    emails.update(action_url="", error="")
    # What the team wrote about an order can name its guest.
    for records in (PreOrderTransition.objects, PaymentOperation.objects):
        records.filter(pre_order__in=order_ids).update(reason="")
    Dispute.objects.filter(pre_order__in=order_ids).update(remarks="")
    DisputeTransition.objects.filter(dispute__pre_order__in=order_ids).update(reason="")
    Discrepancy.objects.filter(pre_order__in=order_ids).update(resolution="")
    _forget_cards(order_ids, now)


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
    disputed = orders.filter(Exists(_OPEN_DISPUTES))
    for each in disputed[:1]:
        return _(
            "Your bank hasn't decided about order %(code)s yet and may need this data. Try "
            "again after it decides."
        ) % {"code": each.code}
    for each in orders.filter(_not_over(now)).select_related("offer__restaurant")[:1]:
        return _("You can delete your data once order %(code)s for %(day)s is over.") % {
            "code": each.code,
            "day": formats.day(each.offer.serve_date),
        }
    return ""


def _not_over(now: datetime) -> Q:
    """The food is still to come, the card is held, or a payment or a dispute is under way. One day
    past the serve date, because that day ends at a different time in each time zone."""
    yesterday = now.date() - timedelta(days=1)
    waits = ~Q(status__in=sorted(OVER)) & Q(offer__serve_date__gte=yesterday)
    moving = PaymentOperation.objects.filter(
        pre_order=OuterRef("pk"), state=OperationStatus.PENDING
    ).exclude(kind=OperationKind.FORGET)
    changes = Q(payment_status__in=sorted(MONEY_CHANGES))
    return waits | changes | Q(Exists(moving)) | Q(Exists(_OPEN_DISPUTES))
