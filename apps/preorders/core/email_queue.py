"""Queue emails: a row recorded with the decision that causes it, then handed to a worker."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Max

from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.preorders.core import jobs
from apps.preorders.models import Email, GuestMessage, PreOrder, WaitlistEntry
from apps.preorders.models.states import EmailKind

# So that a thousand are spread over all workers.
EMAILS_PER_MESSAGE = 25


def queue_email(
    order: PreOrder,
    kind: EmailKind,
    *,
    now: datetime,
    action_url: str = "",
    amount: Money | None = None,
    again: bool = False,
    after: timedelta = timedelta(),
    friend: PreOrder | None = None,
) -> Email | None:
    """Queue an email about an order: each kind once, or with `again` once more than there are.

    None when there is one already, or when the guest has no address: a phone order may have none.
    `amount` is the refund and `friend` the friend's order it is about. With `after`, the sweep
    sends it that much later and drops it if it is no longer useful.
    """
    if not order.customer_email:
        return None
    same = Email.objects.filter(pre_order=order, kind=kind).order_by("-number")
    last = same.values_list("number", flat=True).first()
    if last and not again:
        return None
    email = Email.objects.create(
        restaurant_id=order.restaurant_id,
        pre_order=order,
        kind=kind,
        number=(last or 0) + 1,
        due_at=now + after,
        action_url=action_url,
        amount=None if amount is None else amount.amount,
        friend=friend,
    )
    if not after:
        jobs.enqueue_email(email.pk)
    return email


def queue_emails(orders: Sequence[PreOrder], kind: EmailKind, *, now: datetime) -> None:
    """`queue_email` for several orders of one restaurant, once for each."""
    queued = set(
        Email.objects.filter(pre_order__in=[order.pk for order in orders], kind=kind).values_list(
            "pre_order_id", flat=True
        )
    )
    emails = [
        Email(restaurant_id=order.restaurant_id, pre_order=order, kind=kind, due_at=now)
        for order in orders
        if order.customer_email and order.pk not in queued
    ]
    Email.objects.bulk_create(emails)
    for email in emails:
        jobs.enqueue_email(email.pk)


def last_numbers(orders: Sequence[PreOrder], kind: EmailKind) -> dict[UUID, int]:
    """The number of the latest email of this kind, by order; orders without one are left out."""
    same = Email.objects.filter(pre_order__in=[order.pk for order in orders], kind=kind)
    return dict(same.values_list("pre_order_id").annotate(last=Max("number")))


def queue_emails_again(
    orders: Sequence[PreOrder],
    kind: EmailKind,
    *,
    now: datetime,
    message: GuestMessage | None = None,
) -> None:
    """Queue one more email of this kind for each of the orders, which are of one restaurant. The
    caller holds their offer's lock, so nobody else numbers them. `message` is what the restaurant
    wrote."""
    reachable = [order for order in orders if order.customer_email]
    numbers = last_numbers(reachable, kind)
    emails = [
        Email(
            restaurant_id=order.restaurant_id,
            pre_order=order,
            kind=kind,
            number=numbers.get(order.pk, 0) + 1,
            message=message,
            due_at=now,
        )
        for order in reachable
    ]
    Email.objects.bulk_create(emails, batch_size=500)
    for start in range(0, len(emails), EMAILS_PER_MESSAGE):
        with jobs.batched_emails():
            for email in emails[start : start + EMAILS_PER_MESSAGE]:
                jobs.enqueue_email(email.pk)


def queue_offer_email(offer: SpecialOffer, kind: EmailKind, *, now: datetime) -> None:
    """Queue an email to the restaurant about an offer; each kind once."""
    email, is_new = Email.objects.get_or_create(
        offer=offer,
        kind=kind,
        pre_order=None,
        defaults={"restaurant_id": offer.restaurant_id, "due_at": now},
    )
    if is_new:
        jobs.enqueue_email(email.pk)


def queue_waitlist_email(
    entry: WaitlistEntry,
    kind: EmailKind,
    *,
    now: datetime,
    again: bool = False,
    number: int = 1,
) -> None:
    """Queue an email about a waitlist entry; each kind once, or with `again` in place of the last
    one that was sent or dropped, under a Message-ID of its own. `number` is above 1 for one that
    tells of a change."""
    if again:
        entry.emails.filter(kind=kind).exclude(sent_at=None, dropped_at=None).delete()
    email, is_new = Email.objects.get_or_create(
        waitlist_entry=entry,
        kind=kind,
        defaults={"restaurant_id": entry.restaurant_id, "due_at": now, "number": number},
    )
    if is_new:
        jobs.enqueue_email(email.pk)
