"""One link opened in two tabs, one address registered twice: it happens once."""

from threading import Barrier

import pytest

from apps.accounts.models import EmailConfirmation, User
from apps.accounts.services import accounts, confirmation
from apps.accounts.services.tokens import digest_of
from apps.restaurants.models import Membership, Restaurant
from tests.conftest import NOON
from tests.threads import Meeting, at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("clock", "platform"),
]
BARRIER_SECONDS = 10  # seconds that the threads wait for each other; both always arrive


@pytest.fixture
def both_find_none(monkeypatch):
    """Let both look for an account before either creates one."""
    barrier, look = Barrier(2), accounts.account_for_email

    def looked(email):
        found = look(email)
        barrier.wait(BARRIER_SECONDS)
        return found

    monkeypatch.setattr(accounts, "account_for_email", looked)


def test_a_link_in_two_tabs_opens_one_account(api, settings, monkeypatch):
    meeting = Meeting(2)  # before either looks whether the link is still there
    monkeypatch.setattr(confirmation, "digest_of", meeting.before(digest_of))
    sent = {"email": "new@luigis.test", "token": "t" * 43}
    EmailConfirmation.objects.create(
        email=sent["email"],
        digest=digest_of(sent["token"]),
        created_at=NOON,
        expires_at=NOON + settings.EMAIL_CONFIRMATION_LIFETIME,
    )

    def open_it():
        return api().post("/api/verify-email-confirmation", sent)

    answers = at_once(open_it, open_it)
    assert meeting.has_happened
    assert sorted(each.status_code for each in answers) == [200, 400]
    assert {each.json()["message"] for each in answers if each.status_code == 400} == {
        "Invalid Confirmation Link"
    }
    assert (User.objects.count(), Restaurant.objects.count()) == (1, 1)


def test_an_address_registered_twice_has_one_account(api, both_find_none):
    sent = {"name": "Bella Roma", "email": "bella@roma.test", "password": "basil-7"}

    def register():
        return api().post("/api/register", sent)

    answers = at_once(register, register)
    assert sorted(each.status_code for each in answers) == [201, 409]
    refused = next(each for each in answers if each.status_code == 409)
    assert refused.json()["message"] == "Email Already Registered"
    assert User.objects.count() == Restaurant.objects.count() == Membership.objects.count() == 1
