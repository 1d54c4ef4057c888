"""Tells owners that Stripe restricted their payment account; `account_alarms` notes it."""

from datetime import datetime

from apps.billing.emails import send_account_restricted
from apps.billing.models import Discrepancy

BATCH_SIZE = 100


def tell_of_restrictions(*, now: datetime) -> None:
    """Email the owners of restricted accounts, once for each restriction."""
    untold = Discrepancy.objects.filter(
        kind=Discrepancy.Kind.RESTRICTED, resolved_at=None, owners_emailed_at=None
    )
    for issue in untold.select_related("restaurant__connect_account")[:BATCH_SIZE]:
        send_account_restricted(issue)
        Discrepancy.objects.filter(pk=issue.pk).update(owners_emailed_at=now)
