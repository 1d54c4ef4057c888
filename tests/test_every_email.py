"""Every email has a plain text beside its HTML, whoever writes it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    "apps/preorders/emails/rendering.py:message_to_guest",
    "apps/preorders/emails/waitlist.py:_render",
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
