"""Every email has a plain text beside its HTML, whoever writes it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template.loader import render_to_string

from apps.common.emails import LEADS, EmailAction, platform_email

ROOT = Path(__file__).resolve().parents[1]
# Django's ways to send an email: https://docs.djangoproject.com/en/5.2/topics/email/
SENDERS = {
    *("EmailMessage", "EmailMultiAlternatives", "AnymailMessage"),
    *("send_mail", "send_mass_mail", "mail_admins", "mail_managers"),
}
MAKERS = {
    "apps/common/emails.py:platform_email",
    "apps/marketing/campaigns/rendering.py:message_of",
    "apps/marketing/subscribers/emails.py:_render",
    "apps/preorders/emails/rendering.py:message_from",
}


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _calls(node: ast.AST, names: set[str]) -> list[ast.Call]:
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    return [each for each in calls if _name(each) in names]


def functions_that_make_emails() -> Iterator[tuple[str, ast.FunctionDef]]:
    for file in sorted((ROOT / "apps").rglob("*.py")):
        text = file.read_text()
        if not any(f"{name}(" in text for name in SENDERS):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and _calls(node, SENDERS):
                yield f"{file.relative_to(ROOT).as_posix()}:{node.name}", node


def test_these_functions_make_all_emails() -> None:
    assert {place for place, _ in functions_that_make_emails()} == MAKERS


@pytest.mark.parametrize(
    "function", [pytest.param(node, id=place) for place, node in functions_that_make_emails()]
)
def test_an_email_is_made_with_a_plain_text_and_html(function: ast.FunctionDef) -> None:
    [made] = _calls(function, SENDERS)
    [body] = [each.value for each in made.keywords if each.arg == "body"]
    assert isinstance(body, ast.Call)
    assert _name(body) == "plain"
    [html] = _calls(function, {"attach_alternative"})
    assert ast.literal_eval(html.args[1]) == "text/html"
    [page] = html.args[:1]
    assert isinstance(page, ast.Call)
    assert _name(page) == "render_to_string"


TEMPLATES = sorted((ROOT / "apps").glob("*/templates/*/emails/*.txt"))
TO_TEAMS = [
    path
    for path in TEMPLATES
    if "{% load i18n %}" not in path.read_text()  # guests' emails are translated
]


@pytest.mark.parametrize("path", TO_TEAMS, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_an_email_to_a_team_says_first_what_kind_of_news_it_is(path: Path) -> None:
    headline = path.read_text().split("\n")[1]
    while headline.startswith("{% if"):  # by the case
        headline = re.sub(r"^{% if [^%]+ %}(.)(.*?){% endif %}", r"\1", headline)
    assert headline[:2] in LEADS


def test_what_kind_of_news_it_is_has_an_icon_and_a_word_in_both_parts() -> None:
    message = platform_email(
        "billing/emails/payout_failed.txt",
        to="owner@example.test",
        action=EmailAction("See your payouts", "http://localhost/"),
        reason="You own Luigi's.",
        facts={"amount": "$12.00", "why": "The account was closed."},
    )
    assert message.body.startswith("Needs you\nYour payout didn't arrive\n")
    html = str(message.alternatives[0][0])
    assert re.search(r'class="lead-icon"[^>]*>!</div>', html)
    assert html.index("Needs you</p>") < html.index("<h1")
    assert "! Your payout" not in html


def test_where_images_are_blocked_two_lines_of_the_name_fit_into_the_logo() -> None:
    shown = {"logo": "http://localhost/logo.png", "sender": "Luigi's"}
    html = render_to_string("emails/layout.html", shown)
    found = re.search(r'class="logo"[^>]*style="([^"]+)"', html)
    assert found
    sizes = dict(re.findall(r"([\w-]+):(\d+)px", found[1]))
    assert 2 * int(sizes["line-height"]) <= int(sizes["max-height"])
