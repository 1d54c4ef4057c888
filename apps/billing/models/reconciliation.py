"""What of Stripe was read and processed, and what differs."""

from django.db import models


class ProcessedEvent(models.Model):
    """A Stripe event that was processed.

    Only the event that ends an intent has a `payment_intent_id`, so that it can be unique
    (DECISIONS X62).
    """

    stripe_event_id = models.CharField(max_length=255, unique=True)
    payment_intent_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    event_type = models.CharField(max_length=100)
    processed_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.event_type} {self.stripe_event_id}"


class ReconciliationProgress(models.Model):
    """How far the reconciler has read one of Stripe's lists, which are newest first.

    A pass that ran out of time has `begun_at` and a `cursor`, the last object it read; the next one
    continues there. `since` is the creation time with which the list ends.
    """

    name = models.CharField(max_length=20, primary_key=True)
    since = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    cursor = models.CharField(max_length=255, blank=True)
    finished_at = models.DateTimeField(null=True)  # the last complete pass
    # Objects read in the current pass, and in the last complete one.
    read_count = models.PositiveBigIntegerField(default=0)
    last_read_count = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class Discrepancy(models.Model):
    """Something about a payment that needs a person; `resolved_at` is set once it is over.

    The reconciler writes and resolves differences between Stripe's records and ours; the worker,
    what Stripe refuses (`preorders.settlement.alarms`).
    """

    class Kind(models.TextChoices):
        DIFFERENCE = "difference", "Stripe's records and ours differ"
        # Not by the card: by the account, its permissions, or for good.
        REFUSED = "refused", "Stripe refuses"
        # The guest doesn't get it back without a person.
        REFUND_FAILED = "refund_failed", "Refund failed"
        REFUND_RETURNED = "refund_returned", "Bank returned a refund"
        # For days, or because the platform's balance is too low.
        REFUND_PENDING = "refund_pending", "Refund is pending"
        UNREADABLE = "unreadable", "Decision waits for a checkout"
        # Too many captures of one offer were declined.
        PAUSED = "paused", "Captures paused"
        # Too many cards were declined in checkouts.
        CARD_TESTING = "card_testing", "Card testing"
        # The restaurant's share of disputed charges is too high.
        CHARGEBACKS = "chargebacks", "Too many chargebacks"
        # Of the restaurant's account; these have no order. The platform pays what it owes.
        NEGATIVE = "negative", "Balance below zero"
        # The bank sent it back, or Stripe refuses it.
        PAYOUT_FAILED = "payout_failed", "Payout failed"
        # The restaurant's balance doesn't cover it, above what the platform advances.
        REFUND_HELD = "refund_held", "Refund held for staff"
        # What a won dispute returned can't reach the restaurant's account.
        TRANSFER_FAILED = "transfer_failed", "Transfer to the restaurant failed"
        # The sums of its entries aren't the month's.
        LEDGER = "ledger", "Ledger doesn't add up"
        # Stripe's balance or one of its transactions isn't what the ledger says.
        BALANCE = "balance", "Balance differs"
        # An entry was changed or removed after it was sealed.
        CHAIN = "chain", "Ledger was changed"
        # Stripe turned off charges or payouts for an account that had both.
        RESTRICTED = "restricted", "Account restricted"

    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    pre_order = models.ForeignKey("preorders.PreOrder", models.CASCADE, null=True, related_name="+")
    payment_intent_id = models.CharField(max_length=255, blank=True)
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.DIFFERENCE)
    description = models.CharField(max_length=255)
    found_at = models.DateTimeField(db_index=True)
    # When the restaurant's owners got an email about a returned refund or a restricted account.
    owners_emailed_at = models.DateTimeField(null=True)
    resolved_at = models.DateTimeField(null=True)
    # If a person resolved it: who, and what they did.
    resolved_by = models.CharField(max_length=100, blank=True)
    resolution = models.CharField(max_length=255, blank=True)

    class Meta:
        verbose_name_plural = "discrepancies"

    def __str__(self) -> str:
        return f"{self.payment_intent_id or self.restaurant_id}: {self.description}"

    @property
    def runbook(self) -> str:
        """Where it says what to do about an issue of this kind."""
        return f"docs/operations.md#issue-{self.kind}"
