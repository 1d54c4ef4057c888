"""Emails about an extended deadline: every guest whose card is held gets one, and can cancel for
free (DECISIONS X10, decision 18)."""

from datetime import datetime

from django.db.models import Max

from apps.offers.models import SpecialOffer
from apps.preorders import handoff
from apps.preorders.models import OrderMail, PreOrder
from apps.preorders.states import MailKind, PaymentStatus

# Emails per queue message, so that a thousand are spread over all workers.
TOGETHER = 25


def write_extended_letters(offer: SpecialOffer, *, now: datetime) -> None:
    """Queue one email per extension to every guest of the offer whose card is held. The caller
    holds the offer's lock."""
    held = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.AUTHORIZED).booked()
    numbers = dict(
        OrderMail.objects.filter(pre_order__offer=offer, kind=MailKind.EXTENDED)
        .values_list("pre_order_id")
        .annotate(last=Max("number"))
    )
    letters = [
        OrderMail(
            restaurant_id=offer.restaurant_id,
            pre_order=order,
            kind=MailKind.EXTENDED,
            number=numbers.get(order.pk, 0) + 1,
            due_at=now,
        )
        for order in held.exclude(customer_email="").order_by("pk")
    ]
    OrderMail.objects.bulk_create(letters, batch_size=500)
    for start in range(0, len(letters), TOGETHER):
        with handoff.letters_together():
            for letter in letters[start : start + TOGETHER]:
                handoff.send_mail(letter.pk)
