"""Bot check for public forms (DECISIONS X42).

With hCaptcha configured, its token decides, and if hCaptcha doesn't respond, nobody gets in.
Without it, three checks replace it: a hidden field, the time between opening and sending the form
(signed into the page by the server), and rate limits.
"""

import hashlib
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypedDict

import requests
from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature
from django.http import HttpRequest

from apps.accounts import rate_limits
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid
from apps.common.signing import signer

logger = logging.getLogger(__name__)

HCAPTCHA_TIMEOUT_SECONDS = 10
MIN_FILL_TIME = timedelta(seconds=2)
MAX_FILL_TIME = timedelta(hours=2)
# hCaptcha accepts a token once, so an accepted one is remembered for the form that follows.
ACCEPTED_TOKEN_SECONDS = 120

FAILED = "Security Check Failed"
TRY_AGAIN = "Reload the page and try again."
TOO_LONG_OPEN = "This page has been open too long. Reload it and try again."
PASSED = "Security check passed"

_PURPOSE = "accounts.bots.started-at"


class FormProps(TypedDict):
    """Props of a page whose form the bot check protects."""

    siteKey: str
    startedAt: str
    # The form delays sending until this many seconds have passed.
    minimumSeconds: int


@dataclass(frozen=True, slots=True)
class FormProof:
    """What a form sends to show that a person filled it in: hCaptcha's token, the hidden field
    (which people leave empty), and the signed time when the page was opened."""

    token: str = ""
    website: str = ""
    started: str = ""


def posted_proof(request: HttpRequest) -> FormProof:
    """The proof in a posted form; hCaptcha's own script names its field."""
    sent = request.POST
    return FormProof(
        token=sent.get("hcaptchaToken", "") or sent.get("h-captcha-response", ""),
        website=sent.get("website", ""),
        started=sent.get("startedAt", ""),
    )


class BotSuspected(Invalid):
    code = ErrorCode.BOT_SUSPECTED

    def __init__(self, sentence: str = TRY_AGAIN) -> None:
        super().__init__(FAILED, fields=[FieldError("hcaptchaToken", sentence)])


def form_props(*, now: datetime) -> FormProps:
    """hCaptcha's site key (empty when the check is off) and `now`, signed."""
    return {
        "siteKey": settings.HCAPTCHA_SITE_KEY,
        "startedAt": started_at(now=now),
        "minimumSeconds": int(MIN_FILL_TIME.total_seconds()),
    }


def started_at(*, now: datetime) -> str:
    return signer(_PURPOSE).sign(f"{now.timestamp():.3f}")


def is_person(token: str, *, address: str) -> bool:
    """Whether hCaptcha accepts the token. False if hCaptcha doesn't respond."""
    if not settings.HCAPTCHA_SECRET_KEY:
        return True
    if not token:
        return False
    if cache.delete(_key(token)):
        return True
    return _ask_provider(token, address)


def remember(token: str) -> None:
    """Let a token that hCaptcha accepted pass once more."""
    if settings.HCAPTCHA_SECRET_KEY:
        cache.set(_key(token), 1, ACCEPTED_TOKEN_SECONDS)


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
            timeout=HCAPTCHA_TIMEOUT_SECONDS,
        )
        answer.raise_for_status()
        body = answer.json()
    except (requests.RequestException, ValueError) as problem:
        logger.warning("hCaptcha did not respond: %s", type(problem).__name__)
        return False
    return isinstance(body, dict) and body.get("success") is True


def check_form(proof: FormProof, *, address: str, now: datetime, is_repeat: bool = False) -> None:
    """Check that a person sent a registration form. Raises BotSuspected and TooManyAttempts.

    `is_repeat` means that an email already went to the same address, so resending it needs no
    token. Without hCaptcha, a program may register too, within a tight limit (DECISIONS X72).
    """
    if is_repeat and not proof.token:
        _check_fields(proof, now)
    else:
        _check_person(proof, address=address, now=now)
    if not settings.HCAPTCHA_SECRET_KEY and not proof.started:
        rate_limits.REGISTRATION_UNSIGNED.count(address)


def check_once(proof: FormProof, *, address: str, now: datetime) -> None:
    """Check that a person sent the form, with a proof not used before. Raises BotSuspected."""
    _check_person(proof, address=address, now=now)
    if settings.HCAPTCHA_SECRET_KEY:
        return  # hCaptcha accepts a token once
    lifetime = int(MAX_FILL_TIME.total_seconds())
    if not proof.started or not cache.add(_key(proof.started), 1, lifetime):
        raise BotSuspected


def _check_person(proof: FormProof, *, address: str, now: datetime) -> None:
    _check_fields(proof, now)
    if settings.HCAPTCHA_SECRET_KEY and not is_person(proof.token, address=address):
        raise BotSuspected


def _check_fields(proof: FormProof, now: datetime) -> None:
    if proof.website:
        raise BotSuspected
    if proof.started:
        _check_time(proof.started, now)


def _check_time(started: str, now: datetime) -> None:
    try:
        opened = datetime.fromtimestamp(float(signer(_PURPOSE).unsign(started)), UTC)
    except (BadSignature, ValueError, OverflowError):
        raise BotSuspected from None
    if now - opened > MAX_FILL_TIME:
        raise BotSuspected(TOO_LONG_OPEN)
    if now - opened < MIN_FILL_TIME:
        raise BotSuspected
