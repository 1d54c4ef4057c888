"""Checking the alarms, and acknowledging one.

A check asks every question, then writes in one transaction which alarms opened, ring on or closed,
with the notices about it. `apps.monitoring.notices` sends those.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.monitoring.models import (
    DETAIL_LENGTH,
    NOTE_LENGTH,
    Alarm,
    AlarmCheck,
    AlarmNotice,
    Severity,
)
from apps.monitoring.notices import channels
from apps.monitoring.questions import Finding
from apps.monitoring.rules import RULES, UNANSWERED, AlarmRule

logger = logging.getLogger(__name__)

# A checker has this long; after that, another one may check.
LEASE = timedelta(minutes=2)
QUESTION_TIMEOUT_MILLISECONDS = 3000
# A longer pause between two checks means that everything was down. The first check after it skips
# the rules that need a running system.
DOWN_AFTER = timedelta(minutes=3)
# An alarm closes when it was quiet for this long; ringing again within that time isn't news.
CLOSES_AFTER = timedelta(minutes=5)
# A notice is repeated after this long while nobody has acknowledged the alarm.
REPEATED_AFTER = {Severity.CRITICAL: timedelta(hours=1), Severity.WARNING: timedelta(days=1)}
RETENTION = timedelta(days=365)  # of closed alarms
ONLY_ROW = 1


def check_alarms(*, now: datetime) -> bool:
    """Ask every question and record the answers; False if somebody else is checking."""
    AlarmCheck.objects.get_or_create(pk=ONLY_ROW)
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    if not AlarmCheck.objects.filter(free, pk=ONLY_ROW).update(claimed_until=now + LEASE):
        return False
    answers = ask(now=now, was_down=_was_down(now))
    _record(answers, now)
    return True


def last_check() -> datetime | None:
    """When the alarms were last checked; None for never."""
    return AlarmCheck.objects.filter(pk=ONLY_ROW).values_list("checked_at", flat=True).first()


def ask(*, now: datetime, was_down: bool = False) -> dict[str, Finding]:
    """The findings by the rules' names; a question that fails has none, and is counted."""
    answers: dict[str, Finding] = {}
    failed: list[str] = []
    for rule in RULES:
        if rule is UNANSWERED or (was_down and rule.needs_a_running_system):
            continue
        try:
            answers[rule.name] = _answer(rule, now)
        except Exception:
            logger.exception("the question of the alarm %s failed", rule.name)
            failed.append(rule.name)
    answers[UNANSWERED.name] = Finding(len(failed), ", ".join(failed))
    return answers


def _answer(rule: AlarmRule, now: datetime) -> Finding:
    """A question's finding, within a time limit, so that a slow one doesn't hide the others."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {QUESTION_TIMEOUT_MILLISECONDS}")
        finding = rule.question(now)
        with connection.cursor() as cursor:  # also inside an outer transaction
            cursor.execute("SET LOCAL statement_timeout = DEFAULT")
        return finding


def _was_down(now: datetime) -> bool:
    before = last_check()
    return before is None or now - before > DOWN_AFTER


@transaction.atomic
def _record(answers: Mapping[str, Finding], now: datetime) -> None:
    # The lock lets late checks write one after the other.
    check = AlarmCheck.objects.select_for_update().get(pk=ONLY_ROW)
    is_ahead = check.checked_at is not None and check.checked_at > now
    if not is_ahead:
        open_alarms = {alarm.name: alarm for alarm in Alarm.objects.filter(closed_at=None)}
        for rule in RULES:
            finding, alarm = answers.get(rule.name), open_alarms.pop(rule.name, None)
            if finding is None:
                continue  # nobody knows, so nothing changes
            if rule.is_ringing(finding):
                _ring(rule, finding, alarm, now)
            elif alarm is not None and now - alarm.seen_at >= CLOSES_AFTER:
                _close(alarm, now)
        for alarm in open_alarms.values():
            _close(alarm, now)  # its rule was removed
        check.checked_at = now
    check.claimed_until = None
    check.save()


def _ring(rule: AlarmRule, finding: Finding, alarm: Alarm | None, now: datetime) -> None:
    detail = finding.detail[:DETAIL_LENGTH]
    if alarm is None:
        alarm = Alarm.objects.create(
            name=rule.name,
            severity=rule.severity,
            figure=finding.figure,
            detail=detail,
            opened_at=now,
            seen_at=now,
        )
        logger.error("alarm %s: %s", rule.name, detail)
        _notify(alarm, AlarmNotice.Kind.OPENED, now)
        return
    alarm.figure, alarm.detail, alarm.seen_at = finding.figure, detail, now
    alarm.save(update_fields=["figure", "detail", "seen_at"])
    latest = alarm.notices.order_by("-number").values_list("created_at", flat=True).first()
    is_repeated = latest is None or now - latest >= REPEATED_AFTER[Severity(alarm.severity)]
    if is_repeated and alarm.acknowledged_at is None:
        _notify(alarm, AlarmNotice.Kind.STILL_OPEN, now)


def _close(alarm: Alarm, now: datetime) -> None:
    alarm.closed_at = now
    alarm.save(update_fields=["closed_at"])
    logger.info("alarm %s closed", alarm.name)
    _notify(alarm, AlarmNotice.Kind.CLOSED, now)


def _notify(alarm: Alarm, kind: AlarmNotice.Kind, now: datetime) -> None:
    """Queue a notice on every channel there is; without one, the Status page alone shows it."""
    latest = alarm.notices.order_by("-number").values_list("number", flat=True).first() or 0
    AlarmNotice.objects.bulk_create(
        AlarmNotice(
            alarm=alarm,
            channel=channel,
            kind=kind,
            number=latest + 1,
            created_at=now,
            due_at=now,
        )
        for channel in channels()
    )


def delete_old_alarms(*, now: datetime) -> int:
    """Delete alarms that closed longer than `RETENTION` ago; returns how many."""
    old = Alarm.objects.filter(closed_at__lt=now - RETENTION)
    return old.delete()[1].get(Alarm._meta.label, 0)


@transaction.atomic
def acknowledge_alarm(*, alarm_id: int, note: str, by: str, now: datetime) -> Alarm:
    """Say that somebody looks after an alarm: it rings on without further notices.

    Raises NotFound, Conflict if it is closed or acknowledged already, and Invalid without a note.
    """
    words = " ".join(note.split())
    if not words or len(words) > NOTE_LENGTH:
        message = f"Describe what you're doing about it in at most {NOTE_LENGTH} characters."
        raise Invalid.because([FieldError("note", message)])
    alarm = Alarm.objects.select_for_update().filter(pk=alarm_id).first()
    if alarm is None:
        raise NotFound("We couldn't find that alarm. Reload the page.")
    if alarm.closed_at is not None:
        raise Conflict("This alarm has closed. Reload the page.")
    if alarm.acknowledged_at is not None:
        raise Conflict("This alarm is already acknowledged. Reload the page.")
    alarm.acknowledged_at, alarm.acknowledged_by, alarm.note = now, by[:100], words
    alarm.save(update_fields=["acknowledged_at", "acknowledged_by", "note"])
    record(Kind.ALARM_ACKNOWLEDGED, about=("alarm", alarm.pk), alarm=alarm.name, now=now)
    return alarm
