"""Wrong passwords from elsewhere don't lock an owner out of a browser they used before."""

import pytest
from django.conf import settings

from apps.accounts.rate_limits import FAILED_SIGN_INS, SIGN_IN_BY_ADDRESS
from tests.factories import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
API = "/api/login"


def sign_in(client, user, password=PASSWORD, address="203.0.113.5"):
    sent = {"email": user.email, "password": password}
    return client.post(API, sent, REMOTE_ADDR=address)


def guess_from_everywhere(api, user):
    """As many wrong passwords as it takes, each from another address."""
    for number in range(FAILED_SIGN_INS.times + 1):
        sign_in(api(), user, "wrong", address=f"198.51.100.{number}")


def test_a_browser_that_signed_in_before_is_not_locked_out_by_guesses(api, cast):
    own = api()
    assert sign_in(own, cast.owner).status_code == 200
    guess_from_everywhere(api, cast.owner)
    assert sign_in(api(), cast.owner).status_code == 429  # from a new browser
    own.cookies.pop("sessionid")
    assert sign_in(own, cast.owner).status_code == 200


def test_a_sign_in_on_the_page_makes_the_browser_known(api, cast, submit):
    own = api()
    page = submit(own, "/login", email=cast.owner.email, password=PASSWORD)
    assert page.status_code == 302
    cookie = page.cookies[settings.KNOWN_DEVICE_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    guess_from_everywhere(api, cast.owner)
    own.cookies.pop("sessionid")
    assert sign_in(own, cast.owner).status_code == 200


def test_a_wrong_password_does_not_make_a_browser_known(api, cast):
    client = api()
    sign_in(client, cast.owner, "wrong")
    assert settings.KNOWN_DEVICE_COOKIE_NAME not in client.cookies


def test_a_known_browser_can_guess_a_limited_number_of_times(api, cast):
    own = api()
    sign_in(own, cast.owner)
    own.cookies.pop("sessionid")
    for number in range(FAILED_SIGN_INS.times):
        answer = sign_in(own, cast.owner, "wrong", address=f"198.51.100.{number}")
        assert answer.status_code == 401
    assert sign_in(own, cast.owner, address="198.51.100.200").status_code == 429
    assert sign_in(api(), cast.owner).status_code == 200  # its guesses count alone


def test_one_accounts_browser_is_unknown_to_another(api, cast):
    own = api()
    sign_in(own, cast.outsider)
    guess_from_everywhere(api, cast.owner)
    assert sign_in(own, cast.owner).status_code == 429


@pytest.mark.parametrize("forged", ["x", "a:b:c", "W10:x:y", "\x00"])
def test_a_forged_cookie_changes_nothing(api, cast, forged):
    client = api()
    client.cookies[settings.KNOWN_DEVICE_COOKIE_NAME] = forged
    guess_from_everywhere(api, cast.owner)
    assert sign_in(client, cast.owner).status_code == 429


def test_one_address_is_limited_whatever_the_browser(api, cast):
    own = api()
    sign_in(own, cast.owner)
    for _ in range(SIGN_IN_BY_ADDRESS.times):
        sign_in(own, cast.owner, "wrong")
    assert sign_in(own, cast.owner).status_code == 429


def test_guesses_from_many_networks_are_stopped_and_the_owner_gets_in(api, cast):
    own = api()
    sign_in(own, cast.owner)
    own.cookies.pop("sessionid")
    attacker = api()
    answers: dict[int, int] = {}
    for number in range(60):  # each further one is refused before the password is looked at
        address = f"2001:db8:{number % 50:x}::{number:x}"
        status = sign_in(attacker, cast.owner, "wrong", address=address).status_code
        answers[status] = answers.get(status, 0) + 1
    assert answers == {401: FAILED_SIGN_INS.times, 429: 60 - FAILED_SIGN_INS.times}
    assert sign_in(own, cast.owner).status_code == 200
