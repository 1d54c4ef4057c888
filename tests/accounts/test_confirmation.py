"""An address is confirmed before there is an account (X41, X42)."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from apps.accounts import bot_check
from apps.accounts.models import BearerToken, EmailConfirmation, User
from apps.accounts.rate_limits import EMAILS_PER_RECIPIENT, REGISTRATION_BY_ADDRESS
from apps.accounts.services import valid_token
from apps.privacy.retention import prune
from apps.restaurants.models import Domain, Membership, Restaurant
from tests.conftest import NOON
from tests.factories import PASSWORD, UserFactory
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
SEND, VERIFY = "/api/send-email-confirmation", "/api/verify-email-confirmation"
REFUSED = {
    "code": "invalid_link",
    "message": "Invalid Confirmation Link",
    "errors": [
        {
            "field": "token",
            "code": "invalid",
            "message": "This link is invalid, used, or more than 24 hours old. Request a new one.",
        }
    ],
}


@pytest.fixture
def link(api, emails):
    """`link(email)` requests the confirmation email, and returns the parameters of its link."""

    def ask(email="new@luigis.test"):
        answer = api().post(SEND, {"email": email, "hcaptchaToken": ""})
        assert answer.status_code == 200, answer.content
        return emails.query()

    return ask


class TestAsking:
    def test_an_email_with_a_link_goes_out(self, api, emails):
        answer = api().post(SEND, {"email": " New@Luigis.test ", "hcaptchaToken": ""})
        assert answer.status_code == 200
        assert answer.json() == {"message": "Check your email for a link. It works for 24 hours."}
        email = emails.last()
        assert email.to == ["new@luigis.test"]
        assert email.subject == "Confirm your email for Fully Booked"
        assert "\nEmail: new@luigis.test\n" in email.body
        assert emails.link().startswith("/verify-email?token=")
        assert emails.query()["email"] == "new@luigis.test"
        assert "style=" in email.alternatives[0][0]
        assert not User.objects.exists()

    def test_the_token_is_not_stored_readable(self, link):
        token = link()["token"]
        row = EmailConfirmation.objects.get()
        assert token not in (row.digest, row.email)
        assert row.expires_at == NOON + timedelta(hours=24)

    @pytest.mark.parametrize("email", ["", "luigi", "a@b", None, 7])
    def test_an_invalid_address_is_refused(self, api, email):
        answer = api().post(SEND, {"email": email, "hcaptchaToken": ""})
        assert answer.status_code == 400
        assert answer.json()["message"] == "Please enter a valid email address"

    def test_an_address_with_an_account_is_refused_and_its_owner_gets_an_email(self, api, emails):
        UserFactory(email="ann@example.test")
        answer = api().post(SEND, {"email": "ANN@example.test", "hcaptchaToken": ""})
        assert answer.status_code == 409
        assert without_codes(answer.json()) == {
            "message": "Email Already Registered",
            "errors": [
                {
                    "field": "email",
                    "message": "You already have an account. Sign in, or reset your password.",
                }
            ],
        }
        assert emails.last().subject == "You already have a Fully Booked account"
        assert emails.last().to == ["ann@example.test"]
        assert emails.link() == "/login"

    def test_an_address_gets_a_limited_number_of_emails(self, api):
        sent = {"email": "new@luigis.test", "hcaptchaToken": ""}
        for number in range(EMAILS_PER_RECIPIENT.times):
            assert api().post(SEND, sent, REMOTE_ADDR=f"192.0.2.{number}").status_code == 200
        answer = api().post(SEND, sent, REMOTE_ADDR="192.0.2.99")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
        assert answer.json()["message"] == "Too many attempts. Wait 60 minutes and try again."

    def test_a_client_can_ask_a_limited_number_of_times(self, api, clock):
        started = bot_check.started_at(now=clock.now - timedelta(seconds=5))
        answers = [
            api().post(SEND, {"email": f"n{number}@x.test", "startedAt": started})
            for number in range(REGISTRATION_BY_ADDRESS.times + 1)
        ]
        assert {each.status_code for each in answers[:-1]} == {200}
        assert answers[-1].status_code == 429


class TestIsItAPerson:
    def post(self, api, **fields):
        return api().post(SEND, {"email": "new@luigis.test", "hcaptchaToken": "", **fields})

    def started(self, clock, **ago):
        return bot_check.started_at(now=clock.now - timedelta(**ago))

    def test_the_key_is_empty_when_the_check_is_off(self, api):
        answer = api().get("/api/hcaptcha-config")
        assert (answer.status_code, answer.json()) == (200, {"siteKey": ""})
        answer = api().post("/api/verify-hcaptcha", {"token": "anything"})
        assert answer.json() == {"valid": True, "message": "Security check passed"}

    def test_a_form_that_took_time_to_fill_in_passes(self, api, clock):
        assert self.post(api, startedAt=self.started(clock, seconds=3)).status_code == 200

    @pytest.mark.parametrize("ago", [{"seconds": 1}, {"seconds": -60}])
    def test_a_form_that_was_sent_at_once_does_not_pass(self, api, clock, ago):
        answer = self.post(api, startedAt=self.started(clock, **ago))
        assert answer.status_code == 400
        assert without_codes(answer.json()) == {
            "message": "Security Check Failed",
            "errors": [{"field": "hcaptchaToken", "message": "Reload the page and try again."}],
        }

    def test_a_form_of_yesterday_has_to_be_loaded_again(self, api, clock):
        answer = self.post(api, startedAt=self.started(clock, hours=2, seconds=1))
        sentence = "This page has been open too long. Reload it and try again."
        assert answer.json()["errors"][0]["message"] == sentence

    @pytest.mark.parametrize(
        "fields",
        [
            {"website": "https://cheap.test"},
            {"startedAt": "1800000000"},
            {"startedAt": "1800000000:forged"},
            {"startedAt": "nan:x"},
        ],
    )
    def test_a_field_that_people_cannot_see_must_be_empty(self, api, fields):
        answer = self.post(api, **fields)
        assert answer.status_code == 400
        assert answer.json()["message"] == "Security Check Failed"


class TestWithHcaptcha:
    @pytest.fixture(autouse=True)
    def _configured(self, settings):
        settings.HCAPTCHA_SITE_KEY = "site"
        settings.HCAPTCHA_SECRET_KEY = "secret"

    @pytest.fixture
    def provider(self, monkeypatch):
        """The provider's answer, or the exception that a call to it raises."""
        asked = []

        class Answer:
            def __init__(self, body):
                self.body = body

            def raise_for_status(self):
                pass

            def json(self):
                return self.body

        def post(url, *, data, timeout):
            asked.append(data | {"timeout": timeout})
            if isinstance(provider.says, Exception):
                raise provider.says
            return Answer(provider.says)

        class Provider:
            says: Any = {"success": True}

            def __call__(self):
                return asked

        provider = Provider()
        monkeypatch.setattr("apps.accounts.bot_check.requests.post", post)
        return provider

    def test_the_hcaptcha_token_decides(self, api, provider):
        assert api().get("/api/hcaptcha-config").json() == {"siteKey": "site"}
        sent = {"email": "new@luigis.test", "hcaptchaToken": "good"}
        assert api().post(SEND, sent).status_code == 200
        assert provider()[0] == {
            "secret": "secret",
            "sitekey": "site",
            "response": "good",
            "remoteip": "127.0.0.1",
            "timeout": 10,
        }
        provider.says = {"success": False}
        answer = api().post(SEND, sent | {"email": "other@luigis.test"})
        assert answer.status_code == 400
        assert answer.json()["message"] == "Security Check Failed"

    def test_a_token_that_was_verified_first_counts_once(self, api, provider):
        verified = api().post("/api/verify-hcaptcha", {"token": "good"})
        assert verified.json() == {"valid": True, "message": "Security check passed"}
        provider.says = {"success": False}  # the provider takes a token once
        sent = {"email": "new@luigis.test", "hcaptchaToken": "good"}
        assert api().post(SEND, sent).status_code == 200
        other = {"email": "other@luigis.test", "hcaptchaToken": "good"}
        assert api().post(SEND, other).status_code == 400
        answer = api().post("/api/verify-hcaptcha", {"token": "good"})
        assert answer.json() == {"valid": False, "message": "Security Check Failed"}

    def test_an_unreachable_hcaptcha_lets_nobody_register(self, api, provider):
        import requests

        for provider.says in (requests.Timeout(), [], {}, {"success": "true"}):
            answer = api().post(SEND, {"email": "new@luigis.test", "hcaptchaToken": "good"})
            assert answer.status_code == 400

    def test_another_email_needs_no_token(self, api, provider):
        sent = {"email": "new@luigis.test", "hcaptchaToken": "good"}
        assert api().post(SEND, sent).status_code == 200
        assert api().post(SEND, {"email": "new@luigis.test"}).status_code == 200
        assert api().post(SEND, {"email": "never@luigis.test"}).status_code == 400


class TestConfirming:
    def test_a_new_address_gets_account_restaurant_and_session(self, api, link, clock, platform):
        client = api()
        answer = client.post(VERIFY, link("hello@luigis-corner.test"))
        assert answer.status_code == 200
        body = answer.json()
        person = User.objects.get()
        restaurant = Restaurant.objects.get()
        assert body["user"] == {
            "id": str(person.pk),
            "name": "",
            "email": "hello@luigis-corner.test",
            "role": "user",
            "isRestaurantOwner": True,
            "hasCompletedOnboarding": False,
        }
        # No name is derived from the email: the owner names the restaurant.
        assert (restaurant.name, restaurant.owner_name) == ("", "")
        assert body["restaurant"]["subdomain"] == "restaurant"
        found = valid_token(token=body["token"], now=clock.now)
        assert found
        assert found.user == person
        assert not person.has_usable_password()
        address = EmailAddress.objects.get(user=person)
        assert (address.verified, address.primary) == (True, True)
        assert restaurant.registration_status == "incomplete"
        assert not restaurant.password_set
        assert Domain.objects.get().domain == "restaurant.localhost"
        assert Membership.objects.get().role == "owner"
        assert client.get("/restaurant").status_code == 200
        assert api(at=restaurant).get("/specials").status_code == 200

    def test_the_session_has_a_new_key(self, api, link):
        client = api()
        client.get("/login")
        session = client.session
        session["x"] = 1
        session.save()
        before = client.session.session_key
        client.post(VERIFY, link())
        assert client.session.session_key != before

    def test_a_confirmation_link_works_only_once(self, api, link):
        sent = link()
        assert api().post(VERIFY, sent).status_code == 200
        answer = api().post(VERIFY, sent)
        assert (answer.status_code, answer.json()) == (400, REFUSED)
        assert User.objects.count() == 1

    def test_a_used_link_ends_the_earlier_links(self, api, link):
        first, second = link(), link()
        assert api().post(VERIFY, second).status_code == 200
        assert api().post(VERIFY, first).json() == REFUSED

    def test_a_link_works_for_a_day(self, api, link, clock):
        sent = link()
        clock.advance(hours=24)
        assert api().post(VERIFY, sent).json() == REFUSED
        assert not User.objects.exists()

    @pytest.mark.parametrize(
        "change", [{"token": "made-up"}, {"email": "other@luigis.test"}, {"email": "x"}]
    )
    def test_a_wrong_link_does_not_work(self, api, link, change):
        answer = api().post(VERIFY, link() | change)
        assert (answer.status_code, answer.json()) == (400, REFUSED)

    @pytest.mark.parametrize("sent", [{}, {"email": "a@b.test"}, {"token": 5, "email": None}])
    def test_a_link_without_its_token_does_not_work(self, api, sent):
        answer = api().post(VERIFY, sent)
        assert answer.status_code == 400
        assert answer.json()["message"] == "Invalid Confirmation Link"

    def test_opening_the_page_does_not_use_the_link(self, api, link, emails):
        sent = link()
        page = api().get(emails.link())
        assert page.status_code == 200
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert api().post(VERIFY, sent).status_code == 200

    def test_restaurants_without_a_name_have_numbered_addresses(self, api, link, platform):
        for domain in ("one.test", "two.test"):
            api().post(VERIFY, link(f"luigi@{domain}"))
        assert set(Restaurant.objects.values_list("subdomain", flat=True)) == {
            "restaurant",
            "restaurant-2",
        }


class TestAnAccountThatWasThere:
    """Whoever created the account chose its password. Somebody who reads the mailbox may be another
    person."""

    @pytest.fixture
    def person(self):
        return UserFactory(email="ann@example.test", address__verified=False)

    def test_reading_its_email_alone_does_not_confirm_it(self, api, person, link, submit):
        """Whoever typed the address knows the password, and would profit."""
        client, sent = api(), link(person.email)
        refused = client.post(VERIFY, sent)
        assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_to_confirm")
        assert not EmailAddress.objects.get(user=person).verified
        assert not BearerToken.objects.exists()
        assert client.get("/account").status_code == 302
        submit(client, "/login", email=person.email, password=PASSWORD)
        assert client.post(VERIFY, sent).status_code == 200
        assert EmailAddress.objects.get(user=person).verified

    def test_the_accounts_own_browser_stays_signed_in(self, api, person, link, submit):
        client = api()
        submit(client, "/login", email=person.email, password=PASSWORD)
        body = client.post(VERIFY, link(person.email)).json()
        assert body["token"]
        assert client.get("/account").status_code == 200

    def test_a_registration_in_between_is_not_a_second_account(self, api, link):
        sent = link("ann@example.test")
        UserFactory(email="ann@example.test")
        body = api().post(VERIFY, sent).json()
        assert body["token"] is None
        assert User.objects.count() == 1


def test_expired_links_are_forgotten(api, link, clock):
    link()
    clock.advance(hours=25)
    prune(now=clock.now)
    assert not EmailConfirmation.objects.exists()
