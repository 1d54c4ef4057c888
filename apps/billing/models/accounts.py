"""Restaurants' payment accounts at Stripe."""

from django.db import models

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
    # The account's country, and the currency in which its bank is paid. Neither can change at
    # Stripe.
    country = models.CharField(max_length=2, default="US")
    currency = models.CharField(max_length=3, default="usd")
    synced_at = models.DateTimeField()
    # In `currency`, negative if the account owes money: what can be paid out now, and what can be
    # once it isn't pending anymore.
    available_balance = models.DecimalField(**MONEY_COLUMN, default=0)
    pending_balance = models.DecimalField(**MONEY_COLUMN, default=0)
    balance_read_at = models.DateTimeField(null=True)
    # How much the balance differed from the ledger when it was read; the same difference in two
    # readings in a row raises an alarm.
    balance_difference = models.DecimalField(**MONEY_COLUMN, default=0)
    # When staff lifted the limit of a new restaurant (decision 47).
    limit_lifted_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.account_id

    @property
    def is_complete(self) -> bool:
        """Whether the setup is finished: charges and payouts are both enabled."""
        return self.details_submitted and self.charges_enabled and self.payouts_enabled
