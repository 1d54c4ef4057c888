"""Letters: one template each, from which the text and the HTML are made with the same words.

A letter's template has the subject on its first line, the headline on the second, then paragraphs
separated by blank lines. What a letter looks like stands in `templates/mail/letter.*`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template import Context, Engine
from django.template.loader import render_to_string

PLATFORM_NAME = "Fully Booked"


@dataclass(frozen=True, slots=True)
class EmailText:
    """What a letter's template says."""

    subject: str
    headline: str
    paragraphs: list[str]


@dataclass(frozen=True, slots=True)
class EmailAction:
    """The letter's one button; `url` is absolute."""

    text: str
    url: str


def one_line(text: str) -> str:
    """Without line breaks, which would end a header or a paragraph."""
    return " ".join(text.split())


def plain(template: str, context: Mapping[str, Any]) -> str:
    """A template rendered as plain text: nothing is escaped, since nothing is markup."""
    found = Engine.get_default().get_template(template)
    return found.render(Context(dict(context), autoescape=False))


def render_email_text(template: str, facts: Mapping[str, Any]) -> EmailText:
    """Subject, headline and paragraphs of a letter's template, filled in with `facts`."""
    subject, headline, *rest = plain(template, facts).split("\n")
    paragraphs = re.split(r"\n\s*\n", "\n".join(rest))
    return EmailText(
        subject=one_line(subject),
        headline=one_line(headline),
        paragraphs=[one_line(text) for text in paragraphs if text.strip()],
    )


def platform_email(
    template: str,
    *,
    to: str,
    action: EmailAction,
    reason: str,
    facts: Mapping[str, Any] | None = None,
    listed: Sequence[tuple[str, str]] = (),
) -> EmailMultiAlternatives:
    """A letter from the platform itself, ready to send.

    `facts` fill in the template; `listed` are the lines of the small table under the words;
    `reason` is the sentence at the foot that says why somebody gets this letter.
    """
    words = render_email_text(template, facts or {})
    letter: dict[str, Any] = {
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "action": action,
        "facts": [(label, one_line(value)) for label, value in listed if value],
        "sender": PLATFORM_NAME,
        "reason": reason,
    }
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("mail/letter.txt", letter),
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[to],
        headers={"Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(render_to_string("mail/letter.html", letter), "text/html")
    return message
