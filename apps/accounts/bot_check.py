"""Is it a person who asks? (DECISIONS X42)

With hCaptcha configured its token decides, and without an answer from it nobody gets in. Without,
three things stand in: a field people do not see, the time between opening the form and sending it,
which the server signs into the page, and the limits on how often one may ask.
"""

import hashlib
import logging
from datetime import UTC, datetime, timedelta
from typing import TypedDict

import requests
from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature, Signer

from apps.accounts import rate_limits
from apps.common.errors import FieldError, Invalid

logger = logging.getLogger(__name__)

TIMEOUT = 10  # seconds (C23)
SHORTEST_FILL = timedelta(seconds=2)
LONGEST_FILL = timedelta(hours=2)
# A token is good once at the provider; what it said is remembered for the call that follows.
REMEMBERED_FOR = 120  # seconds

FAILED = "Security Check Failed"  # T65
TRY_AGAIN = "Reload the page and try again."
TOO_LONG_OPEN = "This page has been open for too long. Reload it and try again."
PASSED = "Security check passed"

_signer = Signer(salt="accounts.bots.started-at")


class FormProps(TypedDict):
    """What a page with a guarded form needs."""

    siteKey: str
    startedAt: str
    # Before this many seconds have passed the form waits instead of sending.
    minimumSeconds: int


class BotSuspected(Invalid):
    code = "bot_suspected"

    def __init__(self, sentence: str = TRY_AGAIN) -> None:
        super().__init__(FAILED, fields=[FieldError("hcaptchaToken", sentence)])


def form_props(*, now: datetime) -> FormProps:
    """For the page: the provider's key, empty when it is off, and the signed present moment."""
    return {
        "siteKey": settings.HCAPTCHA_SITE_KEY,
        "startedAt": started_at(now=now),
        "minimumSeconds": int(SHORTEST_FILL.total_seconds()),
    }


def started_at(*, now: datetime) -> str:
    return _signer.sign(f"{now.timestamp():.3f}")


def is_person(token: str, *, address: str) -> bool:
    """What the provider says of the token; False also when it does not answer."""
    if not settings.HCAPTCHA_SECRET_KEY:
        return True
    if not token:
        return False
    if cache.delete(_key(token)):
        return True
    return _ask_provider(token, address)


def remember(token: str) -> None:
    """The provider has accepted this token; it counts once more."""
    if settings.HCAPTCHA_SECRET_KEY:
        cache.set(_key(token), 1, REMEMBERED_FOR)


def _key(token: str) -> str:
    return f"bots:{hashlib.sha256(token.encode()).hexdigest()}"


def _ask_provider(token: str, address: str) -> bool:
    try:
        answer = requests.post(
            settings.HCAPTCHA_VERIFY_URL,
            data={
                "secret": settings.HCAPTCHA_SECRET_KEY,
                "sitekey": settings.HCAPTCHA_SITE_KEY,
                "response": token,
                "remoteip": address,
            },
            timeout=TIMEOUT,
        )
        answer.raise_for_status()
        body = answer.json()
    except (requests.RequestException, ValueError) as problem:
        logger.warning("the bot check did not answer: %s", type(problem).__name__)
        return False
    return isinstance(body, dict) and body.get("success") is True


def check_form(
    *, token: str, website: str, started: str, address: str, is_repeat: bool, now: datetime
) -> None:
    """Raises BotSuspected, or TooManyAttempts, unless a person seems to have sent the form.

    `website` is the field people do not see and `started` the signed moment of the page;
    `is_repeat` says that a letter went to the same address before, so that no token is needed for
    another one.
    """
    rate_limits.REGISTRATION_BY_ADDRESS.count(address)
    if website:
        raise BotSuspected
    if started:
        _check_time(started, now)
    if settings.HCAPTCHA_SECRET_KEY:
        if not (is_repeat and not token) and not is_person(token, address=address):
            raise BotSuspected
    elif not started:
        rate_limits.REGISTRATION_UNSIGNED.count(address)


def _check_time(started: str, now: datetime) -> None:
    try:
        opened = datetime.fromtimestamp(float(_signer.unsign(started)), UTC)
    except (BadSignature, ValueError, OverflowError):
        raise BotSuspected from None
    if now - opened > LONGEST_FILL:
        raise BotSuspected(TOO_LONG_OPEN)
    if now - opened < SHORTEST_FILL:
        raise BotSuspected
