"""Emails about an extended deadline: every guest whose card is held gets one, and can cancel for
free (DECISIONS X10, decision 18)."""

from datetime import datetime

from django.db.models import Max

from apps.offers.models import SpecialOffer
from apps.preorders.core import jobs
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus

# Emails per queue message, so that a thousand are spread over all workers.
BATCH_SIZE = 25


def queue_deadline_moved_emails(offer: SpecialOffer, *, now: datetime) -> None:
    """Queue one email per extension to every guest of the offer whose card is held. The caller
    holds the offer's lock."""
    held = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.AUTHORIZED).counted()
    numbers = dict(
        Email.objects.filter(pre_order__offer=offer, kind=EmailKind.EXTENDED)
        .values_list("pre_order_id")
        .annotate(last=Max("number"))
    )
    emails = [
        Email(
            restaurant_id=offer.restaurant_id,
            pre_order=order,
            kind=EmailKind.EXTENDED,
            number=numbers.get(order.pk, 0) + 1,
            due_at=now,
        )
        for order in held.exclude(customer_email="").order_by("pk")
    ]
    Email.objects.bulk_create(emails, batch_size=500)
    for start in range(0, len(emails), BATCH_SIZE):
        with jobs.batched_emails():
            for email in emails[start : start + BATCH_SIZE]:
                jobs.enqueue_email(email.pk)
