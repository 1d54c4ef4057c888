"""The append-only ledger: entries, fees, months, invoices, and the chain (design §4)."""

from decimal import Decimal

from django.db import models
from django.db.models import Q

from apps.common.money import MONEY_COLUMN


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
    # Of all amounts except the settled one.
    currency = models.CharField(max_length=3, default="usd")
    # The amount that the entry adds to the restaurant's balance at Stripe (negative if it takes
    # some away), in the account's own currency. Null if Stripe converts into a different currency:
    # then there is a `Conversion`.
    settled_amount = models.DecimalField(**MONEY_COLUMN, null=True)
    settled_currency = models.CharField(max_length=3, blank=True)
    platform_fee_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    # On a refund and a transfer's reversal: the card processing fee that is returned to the
    # restaurant; on the transfer after a won dispute, the fee that is deducted again.
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
    """A ledger entry's amount, converted by Stripe into the account's currency (decision 48)."""

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
