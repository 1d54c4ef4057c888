"""Sending notices of alarms by email and by webhook, each at least once, none forgotten.

Both channels get every notice, because one of them can be what is broken. If a sender dies, the
next one sends its notice again. Receivers recognize a repeated email by its Message-ID and a
repeated webhook by its `webhook-id`.
"""

import json
import logging
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID

import requests
from django.conf import settings
from django.db import transaction

from apps.common.emails import EmailAction, platform_email
from apps.common.links import platform_url
from apps.common.standard_webhooks import signed_headers
from apps.monitoring.models import ERROR_LENGTH, Alarm, AlarmNotice
from apps.monitoring.rules import BY_NAME, COUNT, HOURS

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
WEBHOOK_TIMEOUT_SECONDS = 5
RETRIED_AFTER_AT_MOST = timedelta(minutes=30)
# After a day it is no longer news; the Status page still shows the alarm.
GIVEN_UP_AFTER = timedelta(days=1)
BATCH_SIZE = 20
STATUS_PATH = "/staff/status"


class NotSent(Exception):
    """The receiver couldn't be reached or refused; the message has no address and no secret."""


def channels() -> list[AlarmNotice.Channel]:
    """Where notices go, by the settings."""
    found = []
    if settings.ALARM_EMAILS:
        found.append(AlarmNotice.Channel.EMAIL)
    if settings.ALARM_WEBHOOK_URL:
        found.append(AlarmNotice.Channel.WEBHOOK)
    return found


def send_notices(*, now: datetime) -> int:
    """Send what is due, oldest first; returns how many were sent."""
    due = AlarmNotice.objects.filter(
        sent_at=None, due_at__lte=now, created_at__gt=now - GIVEN_UP_AFTER, channel__in=channels()
    )
    ids = list(due.order_by("created_at").values_list("pk", flat=True)[:BATCH_SIZE])
    return sum(send_notice(notice_id, now=now) for notice_id in ids)


def send_notice(notice_id: UUID, *, now: datetime) -> bool:
    """Send one notice; False if it was sent, somebody else sends it, or it failed."""
    notice = _claim(notice_id, now)
    if notice is None:
        return False
    send = _SENDERS[AlarmNotice.Channel(notice.channel)]
    try:
        send(notice, now)
    except (NotSent, OSError) as error:  # smtplib's errors are OSErrors too
        message = str(error) if isinstance(error, NotSent) else type(error).__name__
        logger.warning("notice %s of alarm %s: %s", notice.pk, notice.alarm.name, message)
        AlarmNotice.objects.filter(pk=notice.pk).update(
            error=message[:ERROR_LENGTH], due_at=now + _delay(notice.attempts)
        )
        return False
    AlarmNotice.objects.filter(pk=notice.pk).update(sent_at=now, error="")
    return True


def _delay(attempts: int) -> timedelta:
    return min(timedelta(minutes=2 ** min(attempts - 1, 10)), RETRIED_AFTER_AT_MOST)


def _claim(notice_id: UUID, now: datetime) -> AlarmNotice | None:
    with transaction.atomic():
        notice = (
            AlarmNotice.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("alarm")
            .filter(pk=notice_id, sent_at=None, due_at__lte=now)
            .first()
        )
        if notice is None:
            return None
        notice.attempts += 1
        notice.due_at = now + LEASE
        notice.save(update_fields=["attempts", "due_at"])
        return notice


# --- what is sent ---------------------------------------------------------------------------------
def in_words(figure: float, unit: str) -> str:
    """A figure as people read it: `12 minutes`, `3 hours`, `5`."""
    if unit == COUNT:
        return f"{figure:.0f}"
    seconds = figure * 3600 if unit == HOURS else figure
    for size, unit_name in ((24 * 3600, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit_name}"
    return f"{int(seconds)} s"


def runbook_path(name: str) -> str:
    """The page of an alarm's runbook, for staff."""
    return f"/staff/runbooks/{name}"


def _facts(alarm: Alarm) -> dict[str, Any]:
    rule = BY_NAME.get(alarm.name)
    return {
        "name": alarm.name,
        "title": rule.title if rule else alarm.name,
        "severity": str(alarm.severity),
        "figure": alarm.figure,
        "unit": rule.unit if rule else COUNT,
        "threshold": rule.limit if rule else None,
        "detail": alarm.detail,
        "openedAt": alarm.opened_at.isoformat(),
        "lastSeenAt": alarm.seen_at.isoformat(),
        "closedAt": alarm.closed_at.isoformat() if alarm.closed_at else None,
        "runbook": platform_url(runbook_path(alarm.name)),
        "runbookSection": f"docs/operations.md#{rule.anchor}" if rule else None,
        "statusPage": platform_url(STATUS_PATH),
    }


def _send_email(notice: AlarmNotice, now: datetime) -> None:
    alarm, rule = notice.alarm, BY_NAME.get(notice.alarm.name)
    for number, address in enumerate(settings.ALARM_EMAILS):
        message = platform_email(
            "monitoring/emails/alarm.txt",
            to=address,
            action=EmailAction("Open the Status page", platform_url(STATUS_PATH)),
            reason="You're getting this email because ALARM_EMAILS names this address.",
            facts={
                "kind": notice.kind,
                "title": rule.title if rule else alarm.name,
                "detail": alarm.detail,
            },
            links=[EmailAction("Open the runbook", platform_url(runbook_path(alarm.name)))],
            listed=[
                ("Alarm", alarm.name),
                ("Severity", alarm.get_severity_display()),
                ("Figure", in_words(alarm.figure, rule.unit if rule else COUNT)),
                ("Threshold", in_words(rule.limit, rule.unit) if rule else ""),
                ("Since", f"{alarm.opened_at:%b %-d, %H:%M} UTC"),
                ("Until", f"{alarm.closed_at:%b %-d, %H:%M} UTC" if alarm.closed_at else ""),
            ],
        )
        message.extra_headers["Message-ID"] = f"<{notice.pk}.{number}@{settings.ROOT_DOMAIN}>"
        message.send()


def _send_webhook(notice: AlarmNotice, now: datetime) -> None:
    """https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md"""
    body = json.dumps(
        {
            "type": f"alarm.{notice.kind}",
            "timestamp": notice.created_at.isoformat(),
            "data": _facts(notice.alarm),
        }
    ).encode()
    headers = signed_headers(
        body, message_id=str(notice.pk), signing_secrets=[settings.ALARM_WEBHOOK_SECRET], now=now
    )
    try:
        answer = requests.post(
            settings.ALARM_WEBHOOK_URL,
            data=body,
            headers=headers,
            timeout=WEBHOOK_TIMEOUT_SECONDS,
            allow_redirects=False,
        )
    except requests.RequestException as error:
        raise NotSent(type(error).__name__) from None  # its text has the address
    if not HTTPStatus.OK <= answer.status_code < HTTPStatus.MULTIPLE_CHOICES:
        raise NotSent(f"The webhook's receiver answered {answer.status_code}")


_SENDERS = {
    AlarmNotice.Channel.EMAIL: _send_email,
    AlarmNotice.Channel.WEBHOOK: _send_webhook,
}
