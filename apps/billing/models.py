"""Payment accounts and the append-only ledger (design §4)."""

import uuid
from decimal import Decimal

from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN


class ConnectAccount(models.Model):
    """The restaurant's account at Stripe, as last read from there."""

    restaurant = models.OneToOneField(
        "restaurants.Restaurant", models.CASCADE, related_name="connect_account"
    )
    account_id = models.CharField(max_length=255, unique=True)
    details_submitted = models.BooleanField(default=False)
    charges_enabled = models.BooleanField(default=False)
    payouts_enabled = models.BooleanField(default=False)
    # Stripe's lists of requirements by name, and its `disabled_reason`.
    requirements = models.JSONField(default=dict)
    # Where the account is and what its bank gets. Neither can change at Stripe.
    country = models.CharField(max_length=2, default="US")
    currency = models.CharField(max_length=3, default="usd")
    synced_at = models.DateTimeField()
    # In `currency`, negative if the account owes; what waits for a payout, and what will.
    available_balance = models.DecimalField(**MONEY_COLUMN, default=0)
    pending_balance = models.DecimalField(**MONEY_COLUMN, default=0)
    balance_read_at = models.DateTimeField(null=True)
    # What it differed by from the ledger when it was read; two readings in a row raise an alarm.
    balance_difference = models.DecimalField(**MONEY_COLUMN, default=0)
    # When staff lifted the limit of a new restaurant (decision 47).
    limit_lifted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.account_id

    @property
    def is_complete(self) -> bool:
        """Whether the setup is finished: charges and payouts are both enabled."""
        return self.details_submitted and self.charges_enabled and self.payouts_enabled


class MonthlyBillingCycle(models.Model):
    """One calendar month of a restaurant, in its own time zone."""

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="billing_cycles"
    )
    year = models.PositiveSmallIntegerField()
    month = models.PositiveSmallIntegerField()
    cycle_start_date = models.DateField()
    cycle_end_date = models.DateField()
    special_offers_count = models.PositiveIntegerField(default=0)
    revenue_share_active = models.BooleanField(default=False)
    total_revenue = models.DecimalField(**MONEY_COLUMN, default=0)
    platform_fees = models.DecimalField(**MONEY_COLUMN, default=0)
    subscription_tier = models.CharField(max_length=20)
    revenue_share_rate = models.DecimalField(max_digits=5, decimal_places=2)
    # Once it is closed the row never changes again; the chain's length and head at that time.
    closed_at = models.DateTimeField(null=True)
    chain_length = models.PositiveBigIntegerField(default=0)
    chain_head = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "year", "month"], name="one_cycle_per_month"
            ),
            models.CheckConstraint(condition=Q(month__range=(1, 12)), name="month_of_the_year"),
        ]

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.year}-{self.month:02}"


class PaymentHistory(models.Model):
    """A ledger entry: one movement of money confirmed by Stripe.

    The database refuses to change or delete one (decision 113).
    """

    class Type(models.TextChoices):
        AUTHORIZATION = "authorization", "Card held"
        CAPTURE = "capture", "Card charged"
        RELEASE = "release", "Hold released"
        REFUND = "refund", "Refunded"
        # The platform has this money; the restaurant's transfer stays reversed.
        REFUND_RETURNED = "refund_returned", "Refund returned by the bank"
        # By the platform alone, after a dispute that had overtaken the refund was won.
        REFUND_REPEATED = "refund_repeated", "Refunded again"
        FEE = "fee", "Card processing"
        TRANSFER = "transfer", "Transferred to you"
        # Between Stripe and the platform, when a guest's bank takes a charge back.
        DISPUTE = "dispute", "Taken back by the guest's bank"
        DISPUTE_FEE = "dispute_fee", "Dispute fee, paid by the platform"
        REINSTATED = "reinstated", "Returned by the guest's bank"
        DISPUTE_FEE_RETURNED = "dispute_fee_back", "Dispute fee returned to the platform"
        # Between the platform and the restaurant.
        TRANSFER_REVERSAL = "transfer_reversal", "Deducted for a dispute"
        TRANSFER_RETURN = "transfer_return", "Transferred to you again"

    class Status(models.TextChoices):
        PENDING = "pending"
        SUCCEEDED = "succeeded"
        FAILED = "failed"

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="payment_history"
    )
    cycle = models.ForeignKey(MonthlyBillingCycle, models.PROTECT, null=True)
    pre_order = models.ForeignKey(
        "preorders.PreOrder", models.PROTECT, related_name="payment_history"
    )
    offer = models.ForeignKey("offers.SpecialOffer", models.PROTECT, related_name="+")
    transaction_type = models.CharField(max_length=20, choices=Type)
    amount = models.DecimalField(**MONEY_COLUMN)
    currency = models.CharField(max_length=3, default="usd")  # of all amounts but the settled one
    # What it adds to the restaurant's balance at Stripe (negative if it takes), in the account's
    # own currency; null where that is another one and Stripe converts: then it is a `Conversion`.
    settled_amount = models.DecimalField(**MONEY_COLUMN, null=True)
    settled_currency = models.CharField(max_length=3, blank=True)
    platform_fee_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    # On a refund and a transfer's reversal: the card processing fee returned to the restaurant with
    # it; on the transfer after a won dispute, the one kept again.
    processing_fee_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    fee_rate = models.DecimalField(max_digits=5, decimal_places=2, default=0)
    payment_intent_id = models.CharField(max_length=255)
    transfer_id = models.CharField(max_length=255, blank=True)
    reference = models.CharField(max_length=255, blank=True)
    status = models.CharField(max_length=20, choices=Status, default=Status.PENDING)
    processed_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Recording the same movement twice writes one entry. Several refunds of one charge are
            # distinguished by `reference`, the refund's id.
            models.UniqueConstraint(
                fields=["payment_intent_id", "transaction_type", "reference"],
                name="one_entry_per_movement",
            ),
            models.CheckConstraint(condition=Q(amount__gte=0), name="entries_are_positive"),
        ]
        indexes = [models.Index(fields=["restaurant", "-processed_at"], name="ledger_by_time")]

    def __str__(self) -> str:
        return f"{self.transaction_type} {self.amount} {self.payment_intent_id}"

    @property
    def settled(self) -> Decimal | None:
        """What it adds to the restaurant's balance; None while Stripe's conversion wasn't read."""
        if self.settled_amount is not None:
            return self.settled_amount
        conversion: Conversion | None = getattr(self, "conversion", None)
        return conversion.amount if conversion else None


class Conversion(models.Model):
    """What Stripe made of a ledger entry's amount in the account's own currency (decision 48)."""

    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    entry = models.OneToOneField(PaymentHistory, models.PROTECT, related_name="conversion")
    amount = models.DecimalField(**MONEY_COLUMN)
    currency = models.CharField(max_length=3)

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


class LedgerChain(models.Model):
    """The length and the last hash of a restaurant's chain; locked while entries are sealed."""

    restaurant = models.OneToOneField(
        "restaurants.Restaurant", models.PROTECT, primary_key=True, related_name="ledger_chain"
    )
    length = models.PositiveBigIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.restaurant_id}: {self.length}"


class LedgerSeal(models.Model):
    """A ledger entry's place in its restaurant's hash chain (decision 113); never changed.

    `hash` is SHA-256 of the seal before it and of the entry, see `billing.chain`.
    """

    entry = models.OneToOneField(
        PaymentHistory, models.PROTECT, primary_key=True, related_name="seal"
    )
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="+", db_index=False
    )
    position = models.PositiveBigIntegerField()  # from 1, without gaps
    hash = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "position"], name="one_seal_per_position"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.position}: {self.hash}"


class PlatformFee(models.Model):
    """The platform's revenue share of one captured order (DECISIONS X3)."""

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="platform_fees"
    )
    pre_order = models.ForeignKey("preorders.PreOrder", models.PROTECT, related_name="+")
    offer = models.ForeignKey("offers.SpecialOffer", models.PROTECT, related_name="+")
    order_amount = models.DecimalField(**MONEY_COLUMN)
    platform_fee_amount = models.DecimalField(**MONEY_COLUMN)
    fee_percentage = models.DecimalField(max_digits=5, decimal_places=2)
    transfer_id = models.CharField(max_length=255, blank=True)
    status = models.CharField(
        max_length=20,
        choices=PaymentHistory.Status,
        default=PaymentHistory.Status.PENDING,
    )
    processing_date = models.DateTimeField()
    payment_intent_id = models.CharField(max_length=255, unique=True)

    def __str__(self) -> str:
        return f"{self.platform_fee_amount} of {self.order_amount}"


class FeeInvoice(models.Model):
    """The platform's fees of one closed month, as a document for the restaurant (decision 115).

    A negative total, of a month in which more fees were returned than taken, is a credit note.
    Never changed. Numbers have no gaps, over all restaurants.
    """

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="fee_invoices"
    )
    cycle = models.OneToOneField(MonthlyBillingCycle, models.PROTECT, related_name="invoice")
    number = models.PositiveBigIntegerField(unique=True)
    issued_at = models.DateTimeField()
    currency = models.CharField(max_length=3)
    revenue_share = models.DecimalField(**MONEY_COLUMN)  # tax included
    processing = models.DecimalField(**MONEY_COLUMN)  # tax included
    total = models.DecimalField(**MONEY_COLUMN)
    tax_rate = models.DecimalField(max_digits=6, decimal_places=3, default=0)  # percent
    tax = models.DecimalField(**MONEY_COLUMN, default=0)  # contained in the total
    jurisdiction = models.CharField(max_length=20, blank=True)  # of the tax: `DE`, `CA-QC`
    billed_to = models.TextField()  # the restaurant's name and address, line by line

    class Meta:
        indexes = [models.Index(fields=["restaurant", "-number"], name="invoices_by_number")]

    def __str__(self) -> str:
        return f"{self.number}: {self.total} {self.currency}"


class Payout(models.Model):
    """Money that goes from the restaurant's balance at Stripe to its bank (decision 46).

    It is recorded first, then requested from Stripe under a key made of it, and `attempt`, which
    grows when the bank sent it back or Stripe refused. The money of a failed payout is in the
    restaurant's balance again.
    """

    class Status(models.TextChoices):
        PENDING = "pending", "Scheduled"
        SENT = "sent", "On its way"
        PAID = "paid", "Paid"
        FAILED = "failed", "Failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="payouts")
    status = models.CharField(max_length=20, choices=Status, default=Status.PENDING)
    amount = models.DecimalField(**MONEY_COLUMN)
    currency = models.CharField(max_length=3)
    # Stripe's, of this attempt; null until it was requested, so that it can be unique.
    payout_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    # Set before Stripe is first asked: from then on it may know of the payout.
    requested_at = models.DateTimeField(null=True)
    # When a worker next looks at it; while one does, when its lease ends.
    due_at = models.DateTimeField(null=True)
    arrives_on = models.DateField(null=True)
    failure_code = models.CharField(max_length=100, blank=True)  # Stripe's
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    owner_emailed_at = models.DateTimeField(
        null=True
    )  # when the owner was emailed about the failure

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payouts_are_positive"),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-created_at"], name="payouts_by_time"),
            models.Index(fields=["due_at"], name="due_payouts", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


class PayoutEntry(models.Model):
    """A ledger entry that a payout contains; no entry is ever in two."""

    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    payout = models.ForeignKey(Payout, models.PROTECT, related_name="entries")
    entry = models.OneToOneField(PaymentHistory, models.PROTECT, related_name="payout_entry")

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.payout_id}"


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
    """Something about a payment that a person must know of; `resolved_at` is set once it is over.

    The reconciler writes and resolves differences between Stripe's records and ours; the worker,
    what Stripe refuses (`preorders.settlement.alarms`).
    """

    class Kind(models.TextChoices):
        DIFFERENCE = "difference", "Stripe and we differ"
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
        # Stripe switched off charges or payouts of an account that had both.
        RESTRICTED = "restricted", "Account restricted"

    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    pre_order = models.ForeignKey("preorders.PreOrder", models.CASCADE, null=True, related_name="+")
    payment_intent_id = models.CharField(max_length=255, blank=True)
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.DIFFERENCE)
    description = models.CharField(max_length=255)
    found_at = models.DateTimeField(db_index=True)
    # Of a returned refund or a restricted account: when the restaurant's owners were emailed.
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
