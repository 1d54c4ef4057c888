"""Signing in with a second factor, on the page and over the API; staff need one."""

import pytest
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth as webauthn
from django.core.management import CommandError, call_command

from apps.accounts.models import BearerToken, User
from apps.accounts.services import issue_token
from apps.common import clock
from tests.accounts.conftest import code_of
from tests.factories import PASSWORD, RestaurantFactory, UserFactory
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
API = "/api/login"


@pytest.fixture
def person():
    return UserFactory(email="ann@example.test")


class TestTheApi:
    def test_a_user_signs_in_with_the_code_that_is_asked_for(self, api, person, app_of):
        app = app_of(person)
        client, sent = api(), {"email": person.email, "password": PASSWORD}
        asked = client.post(API, sent)
        assert asked.status_code == 401
        sentence = "Enter the code from your authenticator app, or one of your recovery codes."
        assert without_codes(asked.json()) == {
            "message": sentence,
            "errors": [{"field": "code", "message": sentence}],
            "codeRequired": True,
        }
        assert client.get("/account").status_code == 302
        answer = client.post(API, sent | {"code": app.code()})
        assert answer.status_code == 200
        assert answer.json()["token"]
        assert client.get("/account").status_code == 200

    def test_another_client_can_send_all_at_once(self, api, person, app_of):
        sent = {"email": person.email, "password": PASSWORD, "code": app_of(person).code()}
        assert api().post(API, sent).status_code == 200

    def test_a_wrong_code_does_not_sign_in(self, api, person, app_of):
        app = app_of(person)
        wrong = f"{(int(app.code()) + 500_000) % 1_000_000:06}"
        sent = {"email": person.email, "password": PASSWORD, "code": wrong}
        client = api()
        answer = client.post(API, sent)
        assert answer.status_code == 401
        assert answer.json()["message"].startswith("That code isn't right.")
        assert client.get("/account").status_code == 302

    def test_a_code_without_the_password_does_not_sign_in(self, api, person, app_of):
        sent = {"email": person.email, "password": "wrong", "code": app_of(person).code()}
        assert api().post(API, sent).json()["message"] == "Invalid email or password"

    def test_codes_cannot_be_tried_for_long(self, api, person, app_of):
        app_of(person)
        sent = {"email": person.email, "password": PASSWORD, "code": "000000"}
        answers = [api().post(API, sent, REMOTE_ADDR=f"192.0.2.{number}") for number in range(6)]
        assert [each.status_code for each in answers[:5]] == [401] * 5
        assert answers[5].status_code == 429
        assert int(answers[5].headers["Retry-After"]) > 0

    def test_a_recovery_code_signs_in_once(self, api, person, app_of, recovery_codes_of):
        app_of(person)
        sent = {"email": person.email, "password": PASSWORD, "code": recovery_codes_of(person)[0]}
        assert api().post(API, sent).status_code == 200
        assert api().post(API, sent).status_code == 401


class TestANewEncryptionKey:
    """Secrets of apps and codes are encrypted with the key that was the first at the time."""

    def sign_in(self, api, person, code):
        sent = {"email": person.email, "password": PASSWORD, "code": code}
        return api().post(API, sent).status_code

    def test_a_code_works_while_the_old_key_is_listed(self, api, person, app_of, settings):
        app = app_of(person)
        settings.ENCRYPTION_KEYS = ["another one", *settings.ENCRYPTION_KEYS]
        assert self.sign_in(api, person, app.code()) == 200

    def test_a_code_works_with_the_new_key_alone_once_the_keys_were_rotated(
        self, api, person, app_of, recovery_codes_of, settings, capsys
    ):
        app, codes = app_of(person), recovery_codes_of(person)
        settings.ENCRYPTION_KEYS = ["another one", *settings.ENCRYPTION_KEYS]
        call_command("rotate_keys", "--dry-run")
        call_command("rotate_keys")
        settings.ENCRYPTION_KEYS = ["another one"]
        assert capsys.readouterr().out.splitlines() == [
            "2 second factors would be encrypted with the first key, and 0 webhooks.",
            "2 second factors encrypted with the first key, and 0 webhooks.",
        ]
        assert self.sign_in(api, person, app.code()) == 200
        assert self.sign_in(api, person, codes[0]) == 200

    def test_a_new_secret_key_leaves_codes_as_they_are(self, api, person, app_of, settings):
        app = app_of(person)
        settings.SECRET_KEY = "another one"
        assert self.sign_in(api, person, app.code()) == 200

    def test_a_code_fails_once_its_key_is_removed(self, api, person, app_of, settings, caplog):
        app = app_of(person)
        settings.ENCRYPTION_KEYS = ["another one"]
        assert self.sign_in(api, person, app.code()) == 401
        assert "ENCRYPTION_KEYS" in caplog.text

    def test_rotating_says_what_no_key_fits(self, person, app_of, settings):
        app_of(person)
        before = Authenticator.objects.get().data
        settings.ENCRYPTION_KEYS = ["another one"]
        with pytest.raises(CommandError, match="1 second factors fit none of ENCRYPTION_KEYS"):
            call_command("rotate_keys")
        assert Authenticator.objects.get().data == before


class TestThePage:
    def test_the_code_has_a_page_of_its_own_and_the_way_goes_on(self, api, person, app_of, submit):
        app = app_of(person)
        client = api()
        credentials = {"email": person.email, "password": PASSWORD}
        answer = submit(client, "/login", next="/restaurant/settings", **credentials)
        assert answer.headers["Location"] == "/account/two-factor/authenticate/"
        assert client.get("/account").status_code == 302
        page = client.get("/account/two-factor/authenticate/")
        assert b"Enter your code" in page.content
        before = client.session.session_key
        done = submit(client, "/account/two-factor/authenticate/", code=app.code())
        assert done.headers["Location"] == "/restaurant/settings"
        assert client.session.session_key != before
        assert client.get("/account").status_code == 200

    def test_a_wrong_code_says_so(self, api, person, app_of, submit):
        app_of(person)
        client = api()
        submit(client, "/login", email=person.email, password=PASSWORD)
        page = submit(client, "/account/two-factor/authenticate/", code="12")
        assert b"That code isn&#x27;t right." in page.content

    def test_the_page_for_the_code_needs_the_password_first(self, api):
        assert api().get("/account/two-factor/authenticate/").headers["Location"] == "/login"


class TestStaff:
    """Staff rights belong to a session that passed a second factor, not to the account."""

    @pytest.fixture
    def staff(self):
        return UserFactory(role=User.Role.ADMIN)

    @staticmethod
    def sees_all(client, **headers):
        """Whether closed restaurants are in the list, as only staff see them."""
        hidden = RestaurantFactory(status="suspended")
        found = client.get("/api/tenants", **headers).json()["tenants"]
        return str(hidden.pk) in {each["id"] for each in found}

    def test_a_session_that_passed_the_second_factor_has_them(self, api, staff, app_of):
        app_of(staff)
        assert self.sees_all(api(staff))

    def test_a_session_from_before_the_second_factor_has_none(self, api, staff, app_of):
        client = api(staff)
        app_of(staff)
        assert not self.sees_all(client)

    def test_a_bearer_token_has_none(self, api, staff, app_of):
        app_of(staff)
        token = issue_token(user=staff, now=clock.now())
        assert not self.sees_all(api(), HTTP_AUTHORIZATION=f"Bearer {token}")
        with_both = api(staff)
        assert not self.sees_all(with_both, HTTP_AUTHORIZATION=f"Bearer {token}")

    def test_recovery_codes_alone_give_none(self, api, staff, recovery_codes_of):
        recovery_codes_of(staff)
        assert not self.sees_all(api(staff))

    def test_the_demos_account_is_excepted_in_the_demo(self, api, settings):
        staff = UserFactory(email="admin@demo.test", role=User.Role.ADMIN)
        client = api(staff)
        assert not self.sees_all(client)
        settings.DEMO = True
        assert self.sees_all(client)

    def test_a_second_factor_alone_makes_nobody_staff(self, api, app_of):
        person = UserFactory()
        app_of(person)
        assert not self.sees_all(api(person))


class TestTheFirstFactor:
    @pytest.mark.django_db(transaction=True)
    def test_ends_other_sessions_and_tokens_and_counts_for_its_own(self, api, submit):
        person = UserFactory()
        elsewhere, here = api(), api()
        for client in (elsewhere, here):
            submit(client, "/login", email=person.email, password=PASSWORD)
        submit(here, "/account/again", password=PASSWORD)
        issue_token(user=person, now=clock.now())
        assert here.get("/account/two-factor/totp/activate/").status_code == 200
        code = code_of(here.session["mfa.totp.secret"])
        done = submit(here, "/account/two-factor/totp/activate/", code=code)
        assert done.status_code == 302
        assert elsewhere.get("/account").status_code == 302
        assert here.get("/account/email").status_code == 200
        assert not BearerToken.objects.filter(user=person).exists()

    def test_is_the_only_way_to_confirm_who_is_there(self, api, person, app_of):
        app_of(person)
        page = api(person).get("/account/again?next=/account/email")
        assert page.status_code == 302
        assert page["Location"].startswith("/account/two-factor/reauthenticate/")
        assert "next=%2Faccount%2Femail" in page["Location"]


def test_a_code_of_the_app_works_once(api, person, app_of, submit):
    code = app_of(person).code()
    for expected in (302, 200):
        client = api()
        submit(client, "/login", email=person.email, password=PASSWORD)
        answer = submit(client, "/account/two-factor/authenticate/", code=code)
        assert answer.status_code == expected


def test_a_code_is_never_valid_longer_than_its_use_is_remembered():
    """allauth remembers a used code for one period, and accepts it for one more per step either
    way: with a tolerance it would work twice."""
    assert app_settings.TOTP_TOLERANCE == 0


@pytest.mark.parametrize(
    ("origin", "is_accepted"),
    [
        ("http://localhost:8000", True),
        ("http://luigis.localhost:8000", False),
        ("http://localhost", False),
        ("https://localhost:8000", False),
        ("http://localhost:8000.evil.test", False),
    ],
)
def test_a_passkey_is_taken_from_the_platforms_own_pages_alone(origin, is_accepted):
    assert webauthn.get_server()._verify(origin) is is_accepted
