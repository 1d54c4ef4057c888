"""What Stripe keeps of the platform's money."""

from django.db import models

from apps.common.money import MONEY_COLUMN


class StripeFee(models.Model):
    """The fee of one of the platform's balance transactions at Stripe, as Stripe says (decision
    128). Negative if Stripe returned it. `currency` is what the platform settles in."""

    movement_id = models.CharField(max_length=255, primary_key=True)
    kind = models.CharField(max_length=50)  # Stripe's type of transaction, or `dispute`
    source_id = models.CharField(max_length=255)
    payment_intent_id = models.CharField(max_length=255, blank=True)
    amount = models.DecimalField(**MONEY_COLUMN)
    currency = models.CharField(max_length=3)
    charged_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} for {self.source_id}"
