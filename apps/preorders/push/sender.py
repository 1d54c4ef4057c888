"""Sends push messages to the browsers' push services.

A worker leases a message, sends it without a lock, and records what came of it. If it dies after
sending, the message is sent again; its tag makes the second replace the first on the device.
"""

import json
import logging
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import formats, outbound
from apps.common.links import platform_url
from apps.offers.presentation import Special
from apps.offers.states import OfferStatus
from apps.preorders.core.push_keys import authorization, from_unpadded, is_push_on
from apps.preorders.emails.notices import is_notice_ready, is_notice_still_true, notice_text
from apps.preorders.models import PushMessage, PushSubscription
from apps.preorders.models.states import NoticeKind, PushKind

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
SLICE_SECONDS = 60
MAX_ATTEMPTS = 5
ASK_AGAIN = timedelta(minutes=1)
# How long a push service keeps a message for a device that is off (RFC 8030, section 5.2).
TTL = timedelta(hours=6)
TOKEN_LIFETIME = timedelta(hours=12)  # at most a day: RFC 8292, section 2
# The subscription ended: RFC 8030, section 7.3. The browser no longer wants messages.
GONE = frozenset({404, 410})
STOP = "#stop-push"  # the page's script ends the messages on this device
MAX_TEXT = 300  # characters; a message is at most 4096 bytes, encrypted


def send_due(*, clock: Callable[[], datetime]) -> int:
    """Send what is due, for a minute at most; returns how many were sent. Read as the platform."""
    begun, sent = monotonic(), 0
    while is_push_on() and monotonic() - begun < SLICE_SECONDS:
        message = _lease(clock())
        if message is None:
            break
        sent += _send(message, clock())
    return sent


def _lease(now: datetime) -> PushMessage | None:
    with transaction.atomic():
        due = PushMessage.objects.filter(done_at=None, due_at__lte=now).order_by("due_at", "pk")
        message = due.select_for_update(skip_locked=True, of=("self",)).first()
        if message is not None:
            message.due_at, message.attempts = now + LEASE, message.attempts + 1
            message.save(update_fields=["due_at", "attempts"])
    if message is None:
        return None
    related = PushMessage.objects.select_related("subscription", "offer__restaurant")
    return related.filter(pk=message.pk).first() or message


def _send(message: PushMessage, now: datetime) -> bool:
    """Whether it was sent."""
    is_notice = message.kind in NoticeKind.values
    if is_notice and not is_notice_ready(message.kind, message.offer, now=now):
        # Waiting for the charges is no failed attempt.
        _update(message, due_at=now + ASK_AGAIN, attempts=message.attempts - 1)
        return False
    if not _is_true(message, now):
        _update(message, done_at=now)
        return False
    device = message.subscription
    try:
        answer = outbound.post(
            device.endpoint, body=_encrypted(message, now), headers=_headers(device, now)
        )
        status = answer.status
    except (outbound.InvalidAddress, outbound.NotDelivered, ValueError):
        status = 0
    if 200 <= status < 300:
        _update(message, done_at=now)
        return True
    if status in GONE:
        device.delete()
    elif message.attempts >= MAX_ATTEMPTS:
        logger.warning("A push message was given up", extra={"status": status})
        _update(message, done_at=now)
    else:
        _update(message, due_at=now + timedelta(minutes=2**message.attempts))
    return False


def _update(message: PushMessage, **columns: object) -> None:
    PushMessage.objects.filter(pk=message.pk).update(**columns)


def _is_true(message: PushMessage, now: datetime) -> bool:
    offer = message.offer
    if message.kind in NoticeKind.values:
        return is_notice_still_true(message.kind, offer, now=now)
    if offer.status != OfferStatus.ACTIVE or offer.deadline <= now:
        return False
    missing = offer.min_preorders - offer.ordered_portions
    return missing == 1 if message.kind == PushKind.ONE_MORE else missing <= 0


def _headers(device: PushSubscription, now: datetime) -> dict[str, str]:
    parts = urlsplit(device.endpoint)
    expires = int((now + TOKEN_LIFETIME).timestamp())
    return {
        "Authorization": authorization(f"{parts.scheme}://{parts.netloc}", expires=expires),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(TTL.total_seconds())),
        "Urgency": "high",
    }


def _encrypted(message: PushMessage, now: datetime) -> bytes:
    """The message as only the browser can read it: https://www.rfc-editor.org/rfc/rfc8291."""
    device = message.subscription
    encrypted: bytes = http_ece.encrypt(
        json.dumps(_content(message, now)).encode(),
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=from_unpadded(device.p256dh),
        auth_secret=from_unpadded(device.auth),
        version="aes128gcm",
    )
    return encrypted


def _content(message: PushMessage, now: datetime) -> dict[str, Any]:
    """What the device shows, in its language. A press opens `url`; the button `stop`, where the
    device shows buttons, opens the page that ends these messages."""
    offer = message.offer
    tag = f"{message.kind}-{offer.pk}"
    if message.kind in NoticeKind.values:
        text = notice_text(message.kind, offer, now=now)
        body = text.paragraphs[0] if text.paragraphs else text.headline
        url = platform_url(f"/restaurant/offers/{offer.pk}")
        stop = {"title": _("Stop"), "url": platform_url(f"/restaurant/notices{STOP}")}
        return {
            "title": text.subject,
            "body": body[:MAX_TEXT],
            "url": url,
            "tag": tag,
            "stop": stop,
        }
    with translation.override(message.subscription.language or settings.LANGUAGE_CODE):
        facts = {
            "dish": offer.spoken_name,
            "restaurant": offer.restaurant.name,
            "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
        }
        if message.kind == PushKind.ONE_MORE:
            title = _("One more and it's on: %(dish)s") % facts
            body = _("One more portion is needed at %(restaurant)s by %(deadline)s.") % facts
        else:
            title = _("It's on: %(dish)s") % facts
            body = _("Enough guests ordered at %(restaurant)s. Orders close %(deadline)s.") % facts
        stop_title = _("Stop")
    url = Special(offer, now).url
    return {
        "title": title[:MAX_TEXT],
        "body": body[:MAX_TEXT],
        "url": url,
        "tag": tag,
        "stop": {"title": stop_title, "url": url + STOP},
    }
