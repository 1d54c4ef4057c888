"""The first staff account is made on the server, with a password nobody can read there."""

import getpass
import io
import sys

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User

pytestmark = pytest.mark.django_db
GOOD = "thyme-and-patience-7"


def type_in(monkeypatch: pytest.MonkeyPatch, *passwords: str) -> None:
    typed = iter(passwords)
    monkeypatch.setattr(getpass, "getpass", lambda _: next(typed))


def test_the_password_is_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, GOOD, GOOD)
    call_command("create_staff", "ada@platform.test", name="Ada", stdout=io.StringIO())
    made = User.objects.get(email="ada@platform.test")
    assert made.is_staff
    assert made.check_password(GOOD)


def test_the_password_can_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{GOOD}\n"))
    call_command("create_staff", "ada@platform.test", password_stdin=True, stdout=io.StringIO())
    assert User.objects.get().check_password(GOOD)


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (GOOD, "another-one-8", "The passwords don't match"),
        ("short", "short", "at least 8"),
        ("password123", "password123", "too common"),
        ("x" * 129, "x" * 129, "at most 128"),
    ],
)
def test_a_weak_or_mistyped_password_makes_no_account(
    monkeypatch: pytest.MonkeyPatch, first: str, second: str, says: str
) -> None:
    type_in(monkeypatch, first, second)
    with pytest.raises(CommandError, match=says):
        call_command("create_staff", "ada@platform.test")
    assert not User.objects.exists()


def test_an_address_that_is_taken_is_refused() -> None:
    User.objects.create_user("ada@platform.test", GOOD, name="Ada")
    with pytest.raises(CommandError, match="already"):
        call_command("create_staff", "Ada@Platform.test")


def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, GOOD, GOOD)
    with pytest.raises(CommandError, match="email"):
        call_command("create_staff", "ada")
    assert not User.objects.exists()
