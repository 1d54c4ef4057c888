"""The alarms there are: the one list of them.

Each has a question, a threshold, and a runbook of the same name in docs/operations.md. To add one,
write its question, its line here, and its runbook; tests hold the three to each other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from apps.monitoring import questions
from apps.monitoring.models import Severity
from apps.monitoring.questions import Finding

SECONDS, HOURS, COUNT = "seconds", "hours", "count"
MINUTE = 60


@dataclass(frozen=True, slots=True)
class AlarmRule:
    """When an alarm rings: once its figure reaches the threshold.

    `title` completes "Alarm: …". `threshold` is in the figure's `unit`; the name of a setting
    stands for its value, and 0 turns the alarm off. A rule that `needs_a_running_system` isn't
    checked right after everything was down, when its figure means nothing.
    """

    name: str
    title: str
    question: Callable[[datetime], Finding]
    threshold: float | str
    unit: str = COUNT
    severity: Severity = Severity.CRITICAL
    needs_a_running_system: bool = False

    @property
    def limit(self) -> float:
        if isinstance(self.threshold, str):
            return float(getattr(settings, self.threshold))
        return self.threshold

    @property
    def anchor(self) -> str:
        """The anchor of its runbook in docs/operations.md, whose heading is `Alarm: name`."""
        return f"alarm-{self.name}"

    def is_ringing(self, finding: Finding) -> bool:
        return bool(self.limit) and finding.figure >= self.limit


def _not_asked(now: datetime) -> Finding:
    """Never called: the check itself counts the questions that failed."""
    return Finding(0)


UNANSWERED = AlarmRule("questions_failing", "The alarms can't be checked", _not_asked, 1)

RULES: tuple[AlarmRule, ...] = (
    AlarmRule(
        "settlement_late",
        "Specials aren't decided",
        questions.settlement_lag,
        2 * MINUTE,
        SECONDS,
    ),
    AlarmRule(
        "operations_late",
        "Payment operations are overdue",
        questions.operations_lag,
        5 * MINUTE,
        SECONDS,
    ),
    AlarmRule("settlement_paused", "Settlement is paused", questions.settlement_pauses, 1),
    AlarmRule("holds_ending", "Holds end before they are charged", questions.holds_ending, 1),
    AlarmRule("captures_paused", "Captures are paused", questions.captures_paused, 1),
    AlarmRule("payments_refused", "Stripe refuses payments", questions.refusals, 5),
    AlarmRule(
        "differences_found",
        "Stripe's records and ours differ",
        questions.differences,
        1,
    ),
    AlarmRule(
        "reconciliation_late",
        "Payments aren't reconciled",
        questions.reconciliation_lag,
        30 * MINUTE,
        SECONDS,
    ),
    AlarmRule(
        "payment_issues_open",
        "Payment issues are open",
        questions.payment_issues,
        1,
        severity=Severity.WARNING,
    ),
    AlarmRule(
        "disputes_due",
        "Answers to disputes are due",
        questions.disputes_due,
        1,
        severity=Severity.WARNING,
    ),
    AlarmRule(
        "webhooks_late",
        "Stripe's webhooks aren't processed",
        questions.webhook_lag,
        5 * MINUTE,
        SECONDS,
    ),
    AlarmRule("emails_late", "Emails are waiting", questions.email_lag, 15 * MINUTE, SECONDS),
    AlarmRule("emails_failing", "Emails can't be sent", questions.failing_emails, 3),
    AlarmRule(
        "scheduler_silent",
        "The scheduler is silent",
        questions.scheduler_silence,
        MINUTE,
        SECONDS,
        needs_a_running_system=True,
    ),
    AlarmRule(
        "worker_silent",
        "A worker is silent",
        questions.worker_silence,
        MINUTE,
        SECONDS,
        needs_a_running_system=True,
    ),
    AlarmRule(
        "backup_old",
        "There is no recent backup",
        questions.backup_age,
        "BACKUP_MAX_AGE_HOURS",
        HOURS,
        Severity.WARNING,
    ),
    UNANSWERED,
)
BY_NAME = {rule.name: rule for rule in RULES}
