"""A forgotten password and a new one (X39, X41)."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from apps.accounts.models import BearerToken
from apps.accounts.rate_limits import EMAILS_PER_RECIPIENT
from apps.accounts.services import issue_token, valid_token
from apps.common import clock
from apps.restaurants.models import Restaurant
from tests.client import record_sign_in
from tests.conftest import NOON
from tests.factories import PASSWORD, UserFactory
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
FORGOT, VALIDATE, RESET = "/api/forgot-password", "/api/validate-reset-token", "/api/reset-password"
NEW = "sage-and-thyme-7"
SENT = {
    "message": "If this email has an account, we sent it a link to choose a new password. "
    "The link works for one hour."
}
EXPIRED = "This reset link is invalid or has expired. Request a new one."


@pytest.fixture
def person():
    return UserFactory(email="ann@example.test", name="Ann")


@pytest.fixture
def token(api, person, emails):
    assert api().post(FORGOT, {"email": person.email}).status_code == 200
    return emails.query()["token"]


class TestForgetting:
    def test_the_answer_does_not_tell_whether_there_is_an_account(
        self, api, person, emails, run_tasks
    ):
        known = api().post(FORGOT, {"email": " ANN@example.test "})
        assert run_tasks.names == ["accounts.send_password_reset"]
        assert [email.to for email in emails.all()] == [["ann@example.test"]]
        unknown = api().post(FORGOT, {"email": "nobody@example.test"})
        assert run_tasks.names == ["accounts.send_password_reset"]
        assert len(emails.all()) == 1
        assert (known.status_code, known.json()) == (200, SENT)
        assert (unknown.status_code, unknown.json()) == (200, SENT)

    def test_the_answer_costs_the_same_queries(self, api, person, django_assert_num_queries):
        for email in (person.email, "nobody@example.test"):
            with django_assert_num_queries(0):
                api().post(FORGOT, {"email": email})

    def test_the_email_greets_and_says_for_how_long(self, token, emails):
        email = emails.last()
        assert email.subject == "Reset your Fully Booked password"
        assert "Hi Ann" in email.body
        assert "for one hour" in email.body
        assert "\nAccount: ann@example.test\n" in email.body
        assert emails.link() == f"/reset-password?token={token}"

    @pytest.mark.parametrize(
        ("email", "sentence"),
        [
            ("", "Please enter your email address first"),
            (None, "Please enter your email address first"),
            ("ann", "Please enter a valid email address"),
        ],
    )
    def test_a_request_without_an_address_is_refused(self, api, email, sentence):
        answer = api().post(FORGOT, {"email": email})
        assert answer.status_code == 400
        assert without_codes(answer.json())["errors"] == [{"field": "email", "message": sentence}]

    def test_an_inactive_account_gets_nothing(self, api, emails):
        UserFactory(email="gone@example.test", is_active=False)
        api().post(FORGOT, {"email": "gone@example.test"})
        assert emails.all() == []

    def test_an_address_gets_a_limited_number_of_emails(self, api, person):
        for number in range(EMAILS_PER_RECIPIENT.times):
            address = f"192.0.2.{number}"
            api().post(FORGOT, {"email": person.email}, REMOTE_ADDR=address)
        answer = api().post(FORGOT, {"email": person.email}, REMOTE_ADDR="192.0.2.9")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")


class TestResetting:
    def test_a_link_gives_a_new_password_and_shuts_everything(
        self, api, person, token, emails, submit
    ):
        elsewhere = api()
        submit(elsewhere, "/login", email=person.email, password=PASSWORD)
        bearer = issue_token(user=person, now=NOON)
        # Signing in ends the links that were sent before.
        assert api().post(VALIDATE, {"token": token}).json() == {"valid": False}
        api().post(FORGOT, {"email": person.email})
        token = emails.query()["token"]
        assert api().post(VALIDATE, {"token": token}).json() == {"valid": True}
        answer = api().post(RESET, {"token": token, "password": NEW})
        assert answer.status_code == 200
        assert answer.json() == {"message": "Password changed. Sign in with your new password."}
        assert "sessionid" not in answer.cookies or not answer.cookies["sessionid"].value
        assert elsewhere.get("/account").status_code == 302
        assert valid_token(token=bearer, now=NOON) is None
        assert emails.last().subject == "Your Fully Booked password was reset"
        sent = {"email": person.email, "password": PASSWORD}
        assert api().post("/api/login", sent).status_code == 401
        assert api().post("/api/login", sent | {"password": NEW}).status_code == 200

    def test_a_reset_link_works_only_once(self, api, token):
        assert api().post(RESET, {"token": token, "password": NEW}).status_code == 200
        assert api().post(VALIDATE, {"token": token}).json() == {"valid": False}
        answer = api().post(RESET, {"token": token, "password": NEW})
        assert answer.status_code == 400
        assert without_codes(answer.json()) == {
            "message": EXPIRED,
            "errors": [{"field": "token", "message": EXPIRED}],
        }

    def test_a_link_works_for_an_hour(self, api, token, settings):
        settings.PASSWORD_RESET_TIMEOUT = -1
        assert api().post(VALIDATE, {"token": token}).json() == {"valid": False}

    def test_a_link_works_for_its_account_alone(self, api, token):
        other = UserFactory()
        forged = f"{other.pk.hex}-{token.partition('-')[2]}"
        assert api().post(VALIDATE, {"token": forged}).json() == {"valid": False}

    @pytest.mark.parametrize("wrong", ["x", "-", "x-y-z", "a" * 400, "é-é"])
    def test_an_invalid_link_is_refused(self, api, wrong):
        assert api().post(VALIDATE, {"token": wrong}).json() == {"valid": False}

    @pytest.mark.parametrize("sent", [{}, {"token": ""}, {"token": None}])
    def test_a_missing_password_is_refused(self, api, sent):
        answer = api().post(VALIDATE, sent)
        assert answer.status_code == 400
        assert answer.json()["message"] == "Invalid or missing reset token"

    @pytest.mark.parametrize(
        ("password", "sentence"),
        [
            ("", "Password must be at least 8 characters long"),
            ("seven77", "Password must be at least 8 characters long"),
            ("x" * 129, "Password must not exceed 128 characters"),
            (
                "password1",
                "That password is too common. Choose another.",
            ),
        ],
    )
    def test_a_refused_password_does_not_use_the_link(self, api, token, password, sentence):
        answer = api().post(RESET, {"token": token, "password": password})
        assert answer.status_code == 400
        assert without_codes(answer.json())["errors"] == [
            {"field": "password", "message": sentence}
        ]
        assert api().post(VALIDATE, {"token": token}).json() == {"valid": True}

    def test_resetting_the_password_confirms_the_address(self, api, emails):
        person = UserFactory(email="new@example.test", address__verified=False)
        api().post(FORGOT, {"email": person.email})
        token = emails.query()["token"]
        api().post(RESET, {"token": token, "password": NEW})
        assert EmailAddress.objects.get(user=person).verified

    def test_a_second_factor_is_still_asked_for(self, api, person, token, app_of):
        app_of(person)
        api().post(RESET, {"token": token, "password": NEW})
        answer = api().post("/api/login", {"email": person.email, "password": NEW})
        assert answer.json()["codeRequired"] is True


class TestThePages:
    def test_the_email_is_asked_for_without_a_script(self, api, person, emails, submit):
        assert b"Send reset link" in api().get("/forgot-password").content
        page = submit(api(), "/forgot-password", email=person.email)
        assert b"we sent it a link to choose a new password" in page.content
        assert emails.last().to == [person.email]
        page = submit(api(), "/forgot-password", email="")
        assert page.status_code == 400
        assert b"Please enter your email address first" in page.content

    @pytest.mark.parametrize("path", ["/reset-password", "/restaurant/reset-password"])
    def test_a_new_password_is_chosen_without_a_script(self, api, token, person, submit, path):
        client = api()
        page = client.get(path, {"token": token})
        assert page.status_code == 200
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert "no-store" in page.headers["Cache-Control"]
        assert b'name="confirmation"' in page.content
        page = submit(client, path, token=token, password=NEW, confirmation="other")
        assert page.status_code == 400
        assert b"Passwords do not match" in page.content
        answer = submit(client, path, token=token, password=NEW, confirmation=NEW)
        assert answer.headers["Location"] == "/login"
        assert b"Password changed." in client.get("/login").content
        person.refresh_from_db()
        assert person.check_password(NEW)

    def test_an_expired_link_leads_to_the_form_for_a_new_one(self, api, submit):
        assert b"Invalid or missing reset token" in api().get("/reset-password").content
        page = api().get("/reset-password?token=x-y")
        assert EXPIRED.encode() in page.content
        assert b'href="/forgot-password"' in page.content
        page = submit(api(), "/reset-password", token="x-y", password=NEW, confirmation=NEW)
        assert page.status_code == 400
        assert EXPIRED.encode() in page.content


class TestSettingOnesOwn:
    API = "/api/restaurant/password"

    def test_this_session_stays_and_the_others_end(self, api, cast, emails, submit, platform):
        here, elsewhere = api(), api()
        for client in (here, elsewhere):
            submit(client, "/login", email=cast.owner.email, password=PASSWORD)
        issue_token(user=cast.owner, now=NOON)
        stranger = issue_token(user=cast.outsider, now=NOON)
        answer = here.put(self.API, {"password": NEW})
        assert (answer.status_code, answer.json()) == (200, {"message": "Password Updated"})
        assert here.get("/account").status_code == 200
        assert elsewhere.get("/account").status_code == 302
        assert [row.user for row in BearerToken.objects.all()] == [cast.outsider]
        found = valid_token(token=stranger, now=NOON)
        assert found
        assert found.user == cast.outsider
        assert emails.last().subject == "Your Fully Booked password was changed"
        changed = Restaurant.objects.filter(password_set=True)
        assert list(changed) == [cast.restaurant]

    @pytest.mark.parametrize("path", ["/api/restaurant/password", "/api/restaurant"])
    def test_a_bearer_token_cannot_replace_the_password(self, api, cast, path):
        token = issue_token(user=cast.owner, now=clock.now())
        sent = {"password": NEW, "currentPassword": PASSWORD}
        headers = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
        refused = api().put(path, sent, **headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "reauthenticate")
        cast.owner.refresh_from_db()
        assert cast.owner.check_password(PASSWORD)

    @pytest.mark.parametrize("path", ["/api/restaurant/password", "/api/restaurant"])
    def test_an_unlocked_laptop_cannot_replace_the_password(self, api, cast, path):
        left_open = api(cast.owner, signed_in_ago=16 * 60)
        refused = left_open.put(path, {"password": NEW})
        assert refused.status_code == 403
        assert refused.json() == {
            "message": "Confirm it's you first. Then try again.",
            "errors": [],
            "code": "reauthenticate",
            "reauthenticateUrl": "/account/again",
        }
        cast.owner.refresh_from_db()
        assert cast.owner.check_password(PASSWORD)
        assert left_open.get("/account").status_code == 200

    @pytest.mark.parametrize("path", ["/api/restaurant/password", "/api/restaurant"])
    def test_the_present_password_is_enough_without_a_second_factor(self, api, cast, path):
        client = api(cast.owner, signed_in_ago=16 * 60)
        wrong = client.put(path, {"password": NEW, "currentPassword": "not this one"})
        assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (400, "currentPassword")
        done = client.put(path, {"password": NEW, "currentPassword": PASSWORD})
        assert done.status_code == 200
        cast.owner.refresh_from_db()
        assert cast.owner.check_password(NEW)

    def test_the_present_password_cannot_be_guessed(self, api, cast):
        client = api(cast.owner, signed_in_ago=16 * 60)
        sent = {"password": NEW, "currentPassword": "a guess"}
        assert {client.put(self.API, sent).status_code for _ in range(10)} == {400}
        assert client.put(self.API, sent | {"currentPassword": PASSWORD}).status_code == 429

    def test_the_present_password_is_not_enough_with_a_second_factor(self, api, cast, app_of):
        app_of(cast.owner)
        client = api(cast.owner, signed_in_ago=16 * 60)
        sent = {"password": NEW, "currentPassword": PASSWORD}
        assert client.put(self.API, sent).status_code == 403
        record_sign_in(client, cast.owner, by_factor=False)
        assert client.put(self.API, sent).status_code == 403
        record_sign_in(client, cast.owner, by_factor=True)
        assert client.put(self.API, {"password": NEW}).status_code == 200

    def test_a_first_password_needs_a_recent_sign_in(self, api, cast):
        cast.owner.set_unusable_password()
        cast.owner.save(update_fields=["password"])
        left_open = api(cast.owner, signed_in_ago=16 * 60)
        assert left_open.put(self.API, {"password": NEW}).status_code == 403
        assert api(cast.owner).put(self.API, {"password": NEW}).status_code == 200

    @pytest.mark.parametrize(
        ("sent", "title", "sentence"),
        [
            ({"password": ""}, "Password Required", "Please enter a new password."),
            ({"password": None}, "Password Required", "Please enter a new password."),
            ({}, "Password Required", "Please enter a new password."),
            (
                {"password": "seven77"},
                "Password Too Short",
                "Password must be at least 8 characters long.",
            ),
            (
                {"password": "x" * 129},
                "Password must not exceed 128 characters",
                "Password must not exceed 128 characters",
            ),
        ],
    )
    def test_a_bad_password_is_refused_with_its_reason(self, api, cast, sent, title, sentence):
        answer = api(cast.owner).put(self.API, sent)
        assert answer.status_code == 400
        assert without_codes(answer.json()) == {
            "message": title,
            "errors": [{"field": "password", "message": sentence}],
        }

    def test_an_anonymous_caller_is_told_to_sign_in(self, api):
        answer = api().put(self.API, {"password": NEW})
        assert (answer.status_code, answer.json()["message"]) == (401, "401: Unauthorized")

    def test_changing_the_password_needs_the_csrf_token(self, api, cast):
        client = api(cast.owner, check_csrf=True)
        assert client.put(self.API, {"password": NEW}).status_code == 403


class TestASquattersLeftovers:
    """Somebody registers with another person's address, and attaches ways to sign in."""

    @pytest.fixture
    def account(self):
        return UserFactory(email="vera@example.test", address__verified=False)

    def test_do_not_survive_the_reset_of_an_address_that_was_never_confirmed(
        self, api, emails, account, app_of, recovery_codes_of
    ):
        app_of(account)
        recovery_codes_of(account)
        SocialAccount.objects.create(user=account, provider="google", uid="squatter")
        api().post("/api/forgot-password", {"email": account.email})
        sent = {"token": emails.query()["token"], "password": NEW}
        assert api().post("/api/reset-password", sent).status_code == 200
        assert not Authenticator.objects.filter(user=account).exists()
        assert not SocialAccount.objects.filter(user=account).exists()
        signed_in = api().post("/api/login", {"email": account.email, "password": NEW})
        assert signed_in.status_code == 200

    def test_a_confirmed_owner_who_forgot_the_password_keeps_the_second_factor(
        self, api, emails, app_of
    ):
        owner = UserFactory(email="ann@example.test")
        app_of(owner)
        api().post("/api/forgot-password", {"email": owner.email})
        sent = {"token": emails.query()["token"], "password": NEW}
        assert api().post("/api/reset-password", sent).status_code == 200
        assert Authenticator.objects.filter(user=owner).count() == 1
