"""Importing followers from a CSV file, with the proof that each asked for it.

Read first and shown as a preview; written in one transaction, or not at all. An import never
subscribes anybody who unsubscribed, bounced, or reported spam, and never asks twice.
"""

import csv
import io
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.common.errors import FieldError, Invalid
from apps.common.languages import ENGLISH
from apps.preorders.emails.preferences import Consent, confirm, lock_subscriber
from apps.preorders.models import Subscriber
from apps.restaurants.models import Restaurant

MAX_LINES = 2000
MAX_BYTES = 200 * 1024
MAX_ERRORS_SHOWN = 50
LANGUAGES = {"": ENGLISH, "en": ENGLISH, "en-us": ENGLISH, "es": "es"}
COLUMNS = ("email", "name", "language", "consent_date", "consent_source")
REQUIRED = ("email", "consent_date", "consent_source")
NO_FILE = "Choose a CSV file."
TOO_LARGE = f"The file is too large. Import at most {MAX_LINES:,} lines at a time."
NOT_TEXT = "We couldn't read this file. Save it as “CSV UTF-8” and try again."
NO_LINES = "The file has no followers in it."
NO_PROOF = "Confirm that everybody in the file asked for your emails."
HAS_ERRORS = "Nothing was imported. Fix the lines below in your file, then choose it again."

Status = Subscriber.Status


@dataclass(frozen=True, slots=True)
class Line:
    """One valid line of the file."""

    email: str
    name: str
    language: str
    consent_on: date
    consent_source: str


@dataclass(slots=True)
class Preview:
    """What importing the file would do; each of `errors` begins with its line's number."""

    lines: list[Line] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    new: int = 0
    known: int = 0  # follow already
    stopped: int = 0  # unsubscribed, or can't be emailed: they stay that way


def decoded(content: bytes) -> str:
    """The file's text. Raises Invalid if it is too large, or isn't UTF-8."""
    if len(content) > MAX_BYTES:
        raise _invalid(TOO_LARGE)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _invalid(NOT_TEXT) from None


def preview_import(restaurant: Restaurant, text: str, *, now: datetime) -> Preview:
    """Read the file and say what an import would do. Raises Invalid if it can't be read at all."""
    preview = _read(text, now=now)
    addresses = [each.email for each in preview.lines]
    found = dict(
        Subscriber.objects.filter(restaurant=restaurant, email__in=addresses).values_list(
            "email", "status"
        )
    )
    for address in addresses:
        match found.get(address):
            case Status.CONFIRMED:
                preview.known += 1
            case Status.UNSUBSCRIBED | Status.SUPPRESSED:
                preview.stopped += 1
            case _:
                preview.new += 1
    return preview


@transaction.atomic
def import_followers(
    *, restaurant: Restaurant, text: str, has_proof: bool, now: datetime
) -> Preview:
    """Import the file. Raises Invalid, and then nothing is written, if a line is wrong or the
    owner doesn't confirm that everybody asked for it."""
    if not has_proof:
        raise _invalid(NO_PROOF, "proof")
    preview = preview_import(restaurant, text, now=now)
    if preview.errors:
        raise _invalid(HAS_ERRORS)
    # In one order, so that two imports at once don't deadlock.
    for line in sorted(preview.lines, key=lambda each: each.email):
        subscriber = lock_subscriber(restaurant_id=restaurant.pk, address=line.email, now=now)
        if subscriber.status not in (Status.NONE, Status.PENDING):
            continue
        consent = Consent(
            Subscriber.Source.IMPORT, "", line.consent_source, line.name, line.language
        )
        confirm(subscriber, consent, now=now)
        # When they asked, not when it was imported; that is in `confirmed_at`.
        asked = datetime.combine(line.consent_on, time(12), restaurant.zone).astimezone(UTC)
        subscriber.consent_at = min(asked, now)
        subscriber.changed_at = now
        subscriber.save()
    record(
        Kind.AUDIENCE_IMPORTED,
        restaurant=restaurant,
        lines=len(preview.lines),
        new=preview.new,
        now=now,
    )
    return preview


def _read(text: str, *, now: datetime) -> Preview:
    if "\0" in text:
        raise _invalid(NOT_TEXT)
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error:
        raise _invalid(NOT_TEXT) from None
    if len(rows) < 2:
        raise _invalid(NO_LINES)
    if len(rows) > MAX_LINES + 1:
        raise _invalid(TOO_LARGE)
    header = [cell.strip().lower().replace(" ", "_") for cell in rows[0][1]]
    if missing := [name for name in REQUIRED if name not in header]:
        raise _invalid(
            f"The first line must name the columns {', '.join(COLUMNS)}. Missing: "
            f"{', '.join(missing)}."
        )
    preview = Preview()
    seen: set[str] = set()
    for number, cells in rows[1:]:
        named = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        line = _line(named, now=now)
        if isinstance(line, str):
            preview.errors.append(f"Line {number}: {line}")
        elif line.email in seen:
            preview.errors.append(f"Line {number}: {line.email} is in the file twice.")
        else:
            seen.add(line.email)
            preview.lines.append(line)
    return preview


def _line(named: dict[str, str], *, now: datetime) -> Line | str:
    """The line, or what is wrong with it."""
    email = named.get("email", "").lower()
    try:
        validate_email(email)
    except ValidationError:
        return f"“{email[:60]}” isn't an email address."
    if len(email) > 255:
        return "The email address is too long."
    language = LANGUAGES.get(named.get("language", "").lower())
    if language is None:
        return "The language must be en or es."
    try:
        asked = date.fromisoformat(named.get("consent_date", ""))
    except ValueError:
        return "The consent date must look like 2026-11-23."
    if not date(1990, 1, 1) <= asked <= now.date():
        return "The consent date must be in the past."
    source = named.get("consent_source", "")
    if not source:
        return "Say where they asked for your emails, such as “sign-up sheet at the counter”."
    return Line(email, named.get("name", "")[:255], language, asked, source[:500])


def _invalid(message: str, name: str = "file") -> Invalid:
    return Invalid(message, fields=[FieldError(name, message)])
