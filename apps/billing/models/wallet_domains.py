"""Where Stripe may show wallets."""

from django.db import models


class WalletDomain(models.Model):
    """A host of ours as a payment method domain at Stripe, and what Stripe last said of it
    (decision 104). The hosts themselves are `restaurants.Domain` and the platform's."""

    class Status(models.TextChoices):
        WAITING = "waiting"  # to be registered
        ACTIVE = "active"  # Apple Pay and Google Pay can show
        INACTIVE = "inactive"  # one of them can't: `problem`
        ENDING = "ending"  # no host of ours anymore, to be disabled
        DISABLED = "disabled"

    host = models.CharField(max_length=253, unique=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    domain_id = models.CharField(max_length=255, blank=True)  # Stripe's
    problem = models.CharField(max_length=255, blank=True)  # in Stripe's words
    attempts = models.PositiveSmallIntegerField(default=0)  # without success
    check_at = models.DateTimeField(null=True)  # None: nothing is left to do
    checked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["check_at"], name="wallet_domains_to_check")]

    def __str__(self) -> str:
        return f"{self.host}: {self.status}"
