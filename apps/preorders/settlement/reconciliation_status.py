"""How the reconciliation is doing: for health checks, alarms, and the staff's pages."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from apps.billing.models import ConnectAccount, Discrepancy, ReconciliationProgress

# Passes come every five minutes; later than this, one of the lists isn't read to its end.
LATE_AFTER = timedelta(minutes=30)
READ_EVERY_PASS = ("refunds", "failed_refunds", "intents", "balance")


@dataclass(frozen=True, slots=True)
class ListStatus:
    """One of Stripe's lists; `read` counts the objects of the last complete pass."""

    name: str
    finished_at: datetime | None
    is_under_way: bool
    read: int


@dataclass(frozen=True, slots=True)
class ReconciliationStatus:
    lists: list[ListStatus]
    open_issues: dict[str, int]  # by kind
    balances_that_differ: int

    def is_late(self, *, now: datetime) -> bool:
        """Whether a list wasn't read to its end for `LATE_AFTER`; False before the first pass."""
        return any(
            each.finished_at is not None and now - each.finished_at > LATE_AFTER
            for each in self.lists
            if each.name in READ_EVERY_PASS
        )

    @property
    def last_finished_at(self) -> datetime | None:
        """When the list that was read to its end the longest ago was; None if one never was."""
        finished = [each.finished_at for each in self.lists if each.name in READ_EVERY_PASS]
        times = [each for each in finished if each]
        return min(times) if times and len(times) == len(finished) else None

    @property
    def read(self) -> int:
        """Stripe's objects in the last full pass."""
        return sum(each.read for each in self.lists if each.name in READ_EVERY_PASS)

    @property
    def open_differences(self) -> int:
        return sum(self.open_issues.values()) + self.balances_that_differ


def reconciliation_status() -> ReconciliationStatus:
    """Act as the platform."""
    rows = ReconciliationProgress.objects.order_by("name")
    issues = Discrepancy.objects.filter(resolved_at=None).order_by("kind").values("kind")
    return ReconciliationStatus(
        lists=[
            ListStatus(row.name, row.finished_at, row.begun_at is not None, row.last_read_count)
            for row in rows
        ],
        open_issues={row["kind"]: row["count"] for row in issues.annotate(count=Count("pk"))},
        balances_that_differ=ConnectAccount.objects.exclude(balance_difference=0).count(),
    )
