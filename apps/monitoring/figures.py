"""What the Status page and the metrics show: alarms, figures, and how much work is waiting."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.utils.safestring import SafeString
from markdown import markdown

from apps.admin_ops import health
from apps.billing.models import ReconciliationProgress
from apps.monitoring import services
from apps.monitoring.models import Alarm, AlarmNotice
from apps.monitoring.notices import channels, in_words, runbook_path
from apps.monitoring.questions import Finding
from apps.monitoring.rules import BY_NAME, COUNT, RULES, UNANSWERED, AlarmRule
from apps.preorders.models import PaymentOperation
from apps.preorders.models.states import OperationStatus

RECENT_SHOWN = 20
# The schedule checks every minute; after this long without a check, nobody checks.
UNCHECKED_AFTER = timedelta(minutes=3)
NOTICES_FAIL_AFTER = 2  # attempts
RUNBOOKS = "docs/operations.md"
# A link to another page of the documents, which the runbook's page can't reach.
_WITHIN_DOCS = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


@dataclass(frozen=True, slots=True)
class ShownAlarm:
    """An alarm with its rule's words."""

    row: Alarm
    title: str
    figure: str
    runbook: str


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """What a question finds now; `value` is empty if it can't be answered."""

    title: str
    value: str
    threshold: str
    detail: str
    is_ringing: bool
    runbook: str


@dataclass(frozen=True, slots=True)
class Status:
    """Everything on the Status page."""

    open: list[ShownAlarm]
    recent: list[ShownAlarm]
    figures: list[ShownFigure]
    parts: dict[str, str]
    checked_at: datetime | None
    is_checked: bool
    has_channels: bool
    unsent: int  # notices that no channel takes
    reconciled: list[ReconciliationProgress]
    operations: list[dict[str, Any]]


def current_status(*, now: datetime) -> Status:
    """Act as the platform."""
    answers = services.ask(now=now)
    checked_at = services.last_check()
    open_alarms = Alarm.objects.filter(closed_at=None).order_by("severity", "opened_at")
    recent = Alarm.objects.exclude(closed_at=None).order_by("-opened_at")[:RECENT_SHOWN]
    return Status(
        open=[_shown(alarm) for alarm in open_alarms],
        recent=[_shown(alarm) for alarm in recent],
        figures=[_figure(rule, answers) for rule in RULES if rule is not UNANSWERED and rule.limit],
        parts=health.check_health(now=now),
        checked_at=checked_at,
        is_checked=checked_at is not None and now - checked_at <= UNCHECKED_AFTER,
        has_channels=bool(channels()),
        unsent=AlarmNotice.objects.filter(
            sent_at=None, attempts__gte=NOTICES_FAIL_AFTER, created_at__gt=now - timedelta(days=1)
        ).count(),
        reconciled=list(ReconciliationProgress.objects.order_by("name")),
        operations=pending_operations(),
    )


def pending_operations() -> list[dict[str, Any]]:
    """How many payment operations wait, by kind and stage."""
    waiting = PaymentOperation.objects.filter(state=OperationStatus.PENDING)
    counted = waiting.values("kind", "stage").annotate(count=Count("pk"))
    return [dict(row) for row in counted.order_by("kind", "stage")]


def _shown(alarm: Alarm) -> ShownAlarm:
    rule = BY_NAME.get(alarm.name)
    return ShownAlarm(
        row=alarm,
        title=rule.title if rule else alarm.name,
        figure=in_words(alarm.figure, rule.unit if rule else COUNT),
        runbook=runbook_path(alarm.name),
    )


def _figure(rule: AlarmRule, answers: dict[str, Finding]) -> ShownFigure:
    finding = answers.get(rule.name)
    return ShownFigure(
        title=rule.title,
        value=in_words(finding.figure, rule.unit) if finding else "",
        threshold=in_words(rule.limit, rule.unit),
        detail=finding.detail if finding else "",
        is_ringing=finding is not None and rule.is_ringing(finding),
        runbook=runbook_path(rule.name),
    )


def runbook_html(name: str) -> SafeString | None:
    """An alarm's section of docs/operations.md; empty if that isn't installed here, None if there
    is no such alarm. The page is our own, so its HTML is trusted."""
    rule = BY_NAME.get(name)
    if rule is None:
        return None
    try:
        text = (Path(settings.BASE_DIR) / RUNBOOKS).read_text()
    except OSError:
        return SafeString("")
    found = re.search(rf"^### Alarm: {name}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    if found is None:
        return SafeString("")
    return SafeString(markdown(_WITHIN_DOCS.sub(r"*\1* (docs/operations.md)", found[1].strip())))
