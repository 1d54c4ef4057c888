"""The types of events that restaurants' webhooks receive: the one list of codes.

A code and the fields of its data never change their meaning; fields are only added (docs/api.md).
"""

from collections.abc import Iterator

from django.db import models


class EventType(models.TextChoices):
    ORDER_PLACED = "order.placed", "A guest ordered, and the card is held"
    ORDER_CHANGED = "order.changed", "A guest changed the number of portions"
    ORDER_CONFIRMED = "order.confirmed", "The special goes ahead with this order"
    ORDER_CANCELED = "order.canceled", "An order was canceled"
    ORDER_PICKED_UP = "order.picked_up", "An order was picked up"
    ORDER_NO_SHOW = "order.no_show", "An order wasn't picked up"
    SPECIAL_PUBLISHED = "special.published", "A special was published"
    SPECIAL_CHANGED = "special.changed", "A special's terms changed"
    SPECIAL_SUCCEEDED = "special.succeeded", "A special goes ahead"
    SPECIAL_FAILED = "special.failed", "A special doesn't go ahead"
    SPECIAL_CANCELED = "special.canceled", "A special was canceled or deleted"
    PAYMENT_CAPTURED = "payment.captured", "A card was charged"
    PAYMENT_FAILED = "payment.failed", "A card couldn't be charged"
    PAYMENT_RELEASED = "payment.released", "A hold was released"
    PAYMENT_REFUNDED = "payment.refunded", "A payment was refunded, in whole or in part"
    DISPUTE_OPENED = "dispute.opened", "A guest's bank disputes a charge"
    DISPUTE_CLOSED = "dispute.closed", "A dispute ended"
    PAYOUT_SENT = "payout.sent", "A payout is on its way to your bank"
    PAYOUT_PAID = "payout.paid", "A payout arrived"
    PAYOUT_FAILED = "payout.failed", "Your bank sent a payout back"

    @property
    def subject(self) -> str:
        """What the event is about, such as `order`."""
        return str(self.value).partition(".")[0]


# Sent by the button on the page alone, to one endpoint whatever it listens to.
TEST_EVENT = "endpoint.test"
SUBJECTS = {
    "order": "Orders",
    "special": "Specials",
    "payment": "Payments",
    "dispute": "Disputes",
    "payout": "Payouts",
}


def types_by_subject() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The choices of a form, grouped: `("Orders", [(code, description), …])`."""
    for subject, title in SUBJECTS.items():
        own = [each for each in EventType if each.subject == subject]
        yield title, [(str(each.value), str(each.label)) for each in own]
