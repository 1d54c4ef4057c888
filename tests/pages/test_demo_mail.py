"""The demo's letter box: only in the demo, only what lies in the folder."""

from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from tests.pages.conftest import text_of


@pytest.fixture
def letter_box(settings: Any, tmp_path: Path) -> Path:
    settings.DEMO = True
    settings.EMAIL_FOLDER = tmp_path
    return tmp_path


def drop(subject: str, name: str) -> None:
    message = EmailMultiAlternatives(
        subject,
        "The plain text",
        "from@x.test",
        ["Dana Diner <dana@x.test>"],
        headers={"Message-ID": f"<{name}@localhost>"},
        connection=get_connection("apps.common.email_backends.FolderBackend"),
    )
    message.attach_alternative(
        "<html><head></head><body><script>x()</script></body></html>", "text/html"
    )
    message.send()


def test_an_empty_box_says_what_to_do(api: Any, db: None, letter_box: Path) -> None:
    assert "Place a pre-order" in text_of(api().get("/_demo/mail"))


def test_the_letters_are_listed_and_shown_in_a_frame_that_runs_nothing(
    api: Any, db: None, letter_box: Path
) -> None:
    drop("First", "one")
    drop("Second", "two")
    page = api().get("/_demo/mail?letter=one")
    assert "First Dana Diner" in text_of(page)
    assert "Second Dana Diner" in text_of(page)
    assert "The plain text" in text_of(page)
    markup = page.content.decode()
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in markup
    assert "<script>x()" not in markup
    assert "&lt;script&gt;x()" in markup


@pytest.mark.parametrize("name", ["three", "../secret", "%2e%2e/secret"])
def test_only_letters_of_the_box(api: Any, db: None, letter_box: Path, name: str) -> None:
    (letter_box.parent / "secret.eml").write_bytes(b"Subject: secret\r\n\r\n")
    drop("First", "one")
    assert api().get(f"/_demo/mail?letter={name}").status_code == 404


def test_there_is_none_outside_the_demo(
    api: Any, db: None, letter_box: Path, settings: Any
) -> None:
    settings.DEMO = False
    assert api().get("/_demo/mail").status_code == 404


def test_restaurants_have_none(guest: Any, letter_box: Path) -> None:
    assert guest.get("/_demo/mail").status_code == 404
