"""Emails from templates: each has one template for both its text and its HTML version.

The template's first line is the subject, the second the headline, then paragraphs separated by
blank lines; one that begins with "> " is a quote. Those after a line of three hyphens are notes, in
small print below the button. A headline begins with a mark for what kind of news it is (`LEADS`);
the button of an email to a team that is for the records is only an outline. The layout is in
`templates/emails/layout.*`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template import Context, Engine
from django.template.loader import render_to_string

PLATFORM_NAME = "Fully Booked"
MAX_NAME_IN_SUBJECT = 50  # characters
NOTES_FOLLOW = "---"
_LINK_START = re.compile(r"(?i)\b(?:[a-z][a-z0-9+.-]*:\s*/{1,2}|www\.|mailto:)")
_LINK_DOT = re.compile(r"(?<=\w)\.(?=\w)")


@dataclass(frozen=True, slots=True)
class Lead:
    """What kind of news an email is: an icon and a color of its own, in both themes, for the
    headline of an email about an order or a special; and for `text`, above any other headline."""

    text: str
    icon: str
    color: str
    color_dark: str


# By the mark in front of the headline.
LEADS = {
    "! ": Lead("Needs you", "!", "#a8201a", "#ff8a80"),
    "+ ": Lead("Good news", "\u2713", "#2c6a3b", "#7cc98d"),
    "= ": Lead("For your records", "i", "#655c54", "#b8ada1"),
    "~ ": Lead("Not decided yet", "\u00b7\u00b7\u00b7", "#8a5a00", "#e9b949"),
}


@dataclass(frozen=True, slots=True)
class EmailText:
    """The rendered text of an email template."""

    subject: str
    headline: str
    paragraphs: list[str]
    notes: list[str] = field(default_factory=list)  # below the button
    preview: str = ""  # what an inbox shows after the subject; without one, the first paragraphs
    lead: Lead | None = None


@dataclass(frozen=True, slots=True)
class EmailAction:
    """A button or a link; `url` is absolute."""

    text: str
    url: str


def one_line(text: str) -> str:
    """The text without line breaks, which would end a header or a paragraph."""
    return " ".join(text.split())


def name_in_subject(name: str) -> str:
    """A name that a user chose, for a subject line: short, and without anything that email programs
    make a link of, so that nobody can send their own message from our address."""
    words = one_line(_LINK_START.sub(" ", name))
    return short_name(_LINK_DOT.sub(" ", words).replace("/", " ").replace("@", " "))


def short_name(name: str) -> str:
    """The name, cut so that a phone's list of emails shows what follows it in the subject."""
    words = one_line(name)
    if len(words) <= MAX_NAME_IN_SUBJECT:
        return words
    return f"{words[: MAX_NAME_IN_SUBJECT - 1].rstrip(' ,')}…"


def quoted(text: str) -> str:
    """What somebody wrote, for a template: each of its lines is a paragraph, shown as a quote."""
    return "\n\n".join(f"> {line}" for line in text.splitlines() if line.strip())


def plain(template: str, context: Mapping[str, Any]) -> str:
    """Render a template as plain text, without HTML escaping."""
    found = Engine.get_default().get_template(template)
    return found.render(Context(dict(context), autoescape=False))


def render_email_text(
    template: str, facts: Mapping[str, Any], *, names: Sequence[str] = ()
) -> EmailText:
    """Render an email template with `facts` and split it into its parts. Each of `names` is shorter
    in the subject if it is long."""
    subject, headline, *rest = plain(template, facts).split("\n")
    for name in names:
        subject = subject.replace(name, short_name(name))
    texts = [one_line(each) for each in re.split(r"\n\s*\n", "\n".join(rest)) if each.strip()]
    lead = LEADS.get(headline[:2])
    end = texts.index(NOTES_FOLLOW) if NOTES_FOLLOW in texts else len(texts)
    return EmailText(
        subject=one_line(subject),
        headline=one_line(headline[2:] if lead else headline),
        paragraphs=texts[:end],
        notes=texts[end + 1 :],
        lead=lead,
    )


def platform_email(
    template: str,
    *,
    to: str,
    action: EmailAction,
    reason: str,
    facts: Mapping[str, Any] | None = None,
    listed: Sequence[tuple[str, str]] = (),
    links: Sequence[EmailAction] = (),
    stop: EmailAction | None = None,
    shown: Mapping[str, Any] | None = None,
) -> EmailMultiAlternatives:
    """An email from the platform itself, ready to send.

    `facts` is the template's context; `listed` are the rows of the small table under the text;
    `links` stand right below the button;
    `reason` is the sentence in the footer that says why the recipient gets this email; `stop` leads
    to where they choose not to; `shown` is what else the layout shows, such as a photo.
    """
    words = render_email_text(template, facts or {})
    layout: dict[str, Any] = {
        "lead": words.lead,
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "action": action,
        "is_quiet": words.lead is LEADS["= "],
        "links": links,
        "facts": [(label, one_line(value)) for label, value in listed if value],
        "sender": PLATFORM_NAME,
        "reason": reason,
        "stop": stop,
        **(shown or {}),
    }
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("emails/layout.txt", layout),
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[to],
        headers={"Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(render_to_string("emails/layout.html", layout), "text/html")
    return message
