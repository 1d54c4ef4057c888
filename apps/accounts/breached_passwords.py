"""Passwords that were in a data breach, by the range API of Have I Been Pwned or a mirror of it.

The service gets the first five characters of the password's SHA-1, which about a thousand other
passwords share, and answers with the rest of each
(https://haveibeenpwned.com/API/v3#PwnedPasswords). Off without BREACHED_PASSWORDS_URL (decision
106).
"""

import hashlib
import logging

import requests
from django.conf import settings

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 3
_PREFIX = 5  # characters
# Ask for padding, so that the answer's length says nothing; padded entries have a count of 0.
_HEADERS = {"Add-Padding": "true", "User-Agent": "Fully Booked"}


def is_breached(password: str) -> bool:
    """Whether the password is known from a breach. False if the service doesn't answer: setting a
    password mustn't depend on it."""
    if not settings.BREACHED_PASSWORDS_URL:
        return False
    # SHA-1 because the service uses it; nothing is stored or protected with it here.
    digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
    url = settings.BREACHED_PASSWORDS_URL.rstrip("/") + "/" + digest[:_PREFIX]
    try:
        answer = requests.get(url, headers=_HEADERS, timeout=TIMEOUT_SECONDS)
        answer.raise_for_status()
    except requests.RequestException as problem:
        logger.warning("breached passwords were not looked up: %s", type(problem).__name__)
        return False
    known = dict(line.strip().partition(":")[::2] for line in answer.text.splitlines())
    return known.get(digest[_PREFIX:], "0") not in ("", "0")
