"""A deadline that moved: everybody whose card is held is told, and may leave free of charge
(DECISIONS X10, decision 18)."""

from datetime import datetime

from django.db.models import Max

from apps.offers.models import SpecialOffer
from apps.preorders.core import jobs
from apps.preorders.models import OrderEmail, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus

# So many letters travel in one message: a thousand are spread over all workers.
BATCH_SIZE = 25


def queue_deadline_moved_emails(offer: SpecialOffer, *, now: datetime) -> None:
    """One letter to every diner of the offer whose card is held; each extension has its own. The
    caller holds the offer's lock."""
    held = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.AUTHORIZED).booked()
    numbers = dict(
        OrderEmail.objects.filter(pre_order__offer=offer, kind=EmailKind.EXTENDED)
        .values_list("pre_order_id")
        .annotate(last=Max("number"))
    )
    letters = [
        OrderEmail(
            restaurant_id=offer.restaurant_id,
            pre_order=order,
            kind=EmailKind.EXTENDED,
            number=numbers.get(order.pk, 0) + 1,
            due_at=now,
        )
        for order in held.exclude(customer_email="").order_by("pk")
    ]
    OrderEmail.objects.bulk_create(letters, batch_size=500)
    for start in range(0, len(letters), BATCH_SIZE):
        with jobs.batched_emails():
            for letter in letters[start : start + BATCH_SIZE]:
                jobs.send_email(letter.pk)
