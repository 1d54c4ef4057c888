"""The demo's mailbox: it exists only where emails are saved, and shows only what is in their
folder."""

from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from tests.conftest import Cast
from tests.pages import text_of


@pytest.fixture
def email_folder(settings: Any, tmp_path: Path) -> Path:
    settings.EMAIL_FOLDER = tmp_path
    return tmp_path


def drop(subject: str, name: str) -> None:
    message = EmailMultiAlternatives(
        subject,
        "The plain text",
        "from@x.test",
        ["Dana Guest <dana@x.test>"],
        headers={"Message-ID": f"<{name}@localhost>"},
        connection=get_connection("apps.common.email_backends.FolderBackend"),
    )
    message.attach_alternative(
        "<html><head></head><body><script>x()</script></body></html>", "text/html"
    )
    message.send()


def test_an_empty_box_says_what_to_do(api: Any, db: None, email_folder: Path) -> None:
    assert "Place a pre-order" in text_of(api().get("/_demo/mail"))


def test_the_emails_are_listed_and_shown_in_a_frame_that_runs_nothing(
    api: Any, db: None, email_folder: Path
) -> None:
    long = "Réservé: " + "Tagliatelle al Ragù, the Long Way, " * 3
    drop(long, "one")  # folded right after the header's name
    drop("Second", "two")
    page = api().get("/_demo/mail?email=one")
    assert f">{long.strip()}<" in page.text
    assert "Second Dana Guest" in text_of(page)
    assert "The plain text" in text_of(page)
    markup = page.content.decode()
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in markup
    assert "<script>x()" not in markup
    assert "&lt;script&gt;x()" in markup


def test_an_emails_pictures_are_shown_from_the_restaurants_addresses(
    api: Any, db: None, email_folder: Path
) -> None:
    page = api().get("/_demo/mail")
    rules = page.headers["Content-Security-Policy"].split("; ")
    [pictures] = [rule for rule in rules if rule.startswith("img-src ")]
    assert f" http://*.{page.wsgi_request.get_host()}" in pictures


@pytest.mark.parametrize("name", ["three", "../secret", "%2e%2e/secret"])
def test_no_file_outside_the_demos_mailbox_is_shown(
    api: Any, db: None, email_folder: Path, name: str
) -> None:
    (email_folder.parent / "secret.eml").write_bytes(b"Subject: secret\r\n\r\n")
    drop("First", "one")
    assert api().get(f"/_demo/mail?email={name}").status_code == 404


def test_there_is_none_where_email_is_really_sent(
    api: Any, db: None, email_folder: Path, settings: Any
) -> None:
    del settings.EMAIL_FOLDER
    assert api().get("/_demo/mail").status_code == 404


def test_a_restaurants_host_has_no_mailbox(api: Any, cast: Cast, email_folder: Path) -> None:
    assert api(at=cast.restaurant).get("/_demo/mail").status_code == 404
