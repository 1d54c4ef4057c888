"""The email outbox."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN
from apps.preorders.models.disputes import Dispute, EarlyFraudWarning
from apps.preorders.models.orders import PreOrder
from apps.preorders.models.states import EmailKind
from apps.preorders.models.waitlist import WaitlistEntry

_SUBJECTS = ("pre_order", "waitlist_entry", "offer", "dispute", "fraud_warning")


def _about(subject: str) -> Q:
    """The condition of an email that is about this and nothing else."""
    return Q(**{f"{each}__isnull": each != subject for each in _SUBJECTS})


MESSAGE_LENGTH = 1000  # characters


class GuestMessage(models.Model):
    """A message from a restaurant to the guests of a special; each gets it in an `Email`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    offer = models.ForeignKey("offers.SpecialOffer", models.CASCADE, related_name="messages")
    text = models.TextField(max_length=MESSAGE_LENGTH)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"to the guests of {self.offer_id}"


class Email(models.Model):
    """The outbox: an email is recorded with the decision that causes it and sent by a worker.

    It is about one thing: an order, a waitlist entry, or (to the restaurant) an offer, a dispute,
    or a fraud warning. An email about an order may name another `offer` too: the one that was
    published again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=20, choices=EmailKind)
    pre_order = models.ForeignKey(
        PreOrder, models.CASCADE, null=True, blank=True, related_name="emails", db_index=False
    )
    waitlist_entry = models.ForeignKey(
        WaitlistEntry, models.CASCADE, null=True, blank=True, related_name="emails", db_index=False
    )
    offer = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, null=True, blank=True, related_name="emails"
    )
    dispute = models.ForeignKey(
        Dispute, models.CASCADE, null=True, blank=True, related_name="emails", db_index=False
    )
    fraud_warning = models.ForeignKey(
        EarlyFraudWarning,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="emails",
        db_index=False,
    )
    message = models.ForeignKey(
        GuestMessage, models.CASCADE, null=True, blank=True, related_name="emails"
    )
    # The friend's order that the email is about (decision 88); several can be queued at once.
    friend = models.ForeignKey(
        PreOrder, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    # The owner who gets a notice; other emails' addresses follow from what they are about.
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+"
    )
    # The first is 1; one that is sent again by hand, or about a second partial refund, has the
    # next. Of a waitlist entry's, one about new portions has 2.
    number = models.PositiveSmallIntegerField(default=1)
    action_url = models.URLField(max_length=2048, blank=True)
    amount = models.DecimalField(**MONEY_COLUMN, null=True)  # of the refund it is about
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)
    dropped_at = models.DateTimeField(null=True)  # no longer useful: it is never sent

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    pre_order__isnull=False,
                    waitlist_entry=None,
                    dispute=None,
                    fraud_warning=None,
                )
                | _about("waitlist_entry")
                | _about("offer")
                | _about("dispute")
                | _about("fraud_warning"),
                name="email_is_about_one_thing",
            ),
            models.UniqueConstraint(
                fields=["pre_order", "kind", "number"],
                condition=Q(pre_order__isnull=False),
                name="order_email_once",
            ),
            models.UniqueConstraint(
                fields=["waitlist_entry", "kind"],
                condition=Q(waitlist_entry__isnull=False),
                name="waitlist_email_once",
            ),
            models.UniqueConstraint(
                fields=["offer", "kind", "recipient"],
                condition=Q(pre_order=None, offer__isnull=False),
                nulls_distinct=False,
                name="offer_email_once",
            ),
            models.UniqueConstraint(
                fields=["dispute", "kind", "number"],
                condition=Q(dispute__isnull=False),
                name="dispute_email_once",
            ),
            models.UniqueConstraint(
                fields=["fraud_warning", "kind"],
                condition=Q(fraud_warning__isnull=False),
                name="fraud_warning_email_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(sent_at=None, dropped_at=None),
                name="emails_pending",
            ),
            models.Index(fields=["restaurant", "-sent_at"], name="latest_email"),
            models.Index(
                fields=["friend"], condition=Q(friend__isnull=False), name="emails_about_friends"
            ),
        ]

    def __str__(self) -> str:
        orders = self.pre_order_id or self.waitlist_entry_id or self.offer_id
        return f"{self.kind} about {orders or self.dispute_id or self.fraud_warning_id}"

    @property
    def order(self) -> PreOrder:
        """The order of an email that is about one."""
        assert self.pre_order is not None
        return self.pre_order

    @property
    def entry(self) -> WaitlistEntry:
        """The waitlist entry of an email that is about one."""
        assert self.waitlist_entry is not None
        return self.waitlist_entry
