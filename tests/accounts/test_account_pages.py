"""The account's own pages: name, email, password, second factor, sessions, and tokens."""

import html
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.urls import get_resolver

from apps.accounts.models import BearerToken, User
from apps.accounts.services import issue_token
from tests.accounts.conftest import code_of
from tests.activity.writes import patterns
from tests.caching import forget_everything
from tests.conftest import NOON
from tests.factories import PASSWORD, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def text_of(page):
    body = re.sub(rb"<(script|style|head)\b.*?</\1>", b" ", page.content, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body.decode())).split())


@pytest.fixture
def person():
    return UserFactory(email="ann@example.test", name="Ann")


@pytest.fixture
def client(api, person, submit):
    browser = api()
    submit(browser, "/login", email=person.email, password=PASSWORD)
    return browser


@pytest.fixture
def again(client, submit):
    """Pass the step-up that pages ask for before they change how somebody signs in."""
    answer = submit(client, "/account/again?next=/account", password=PASSWORD)
    assert answer.status_code == 302
    return client


@pytest.mark.parametrize(
    "path",
    [
        "/account",
        "/account/email",
        "/account/password",
        "/account/two-factor/",
        "/account/two-factor/webauthn/",
        "/account/connections/",
        "/account/again",
    ],
)
def test_every_page_opens_for_its_account_and_asks_others_to_sign_in(api, client, path):
    page = client.get(path)
    assert page.status_code == 200, (path, page.headers.get("Location"))
    assert "<h1" in page.content.decode()
    stranger = api().get(path)
    assert stranger.status_code == 302
    assert stranger.headers["Location"].startswith("/login")


@pytest.mark.parametrize(
    "path",
    [
        "/account/two-factor/totp/activate/",
        "/account/two-factor/webauthn/add/",
        "/account/two-factor/recovery-codes/generate/",
    ],
)
def test_a_change_of_the_sign_in_asks_for_the_password_again(client, submit, path):
    asked = client.get(path)
    assert asked.headers["Location"].startswith("/account/again?next=")
    assert client.get(asked.headers["Location"]).status_code == 200
    wrong = submit(client, asked.headers["Location"], password="wrong")
    assert "That's not your password. Try again." in text_of(wrong)
    submit(client, asked.headers["Location"], password=PASSWORD)
    assert client.get(path).status_code == 200


# Pages of somebody who is signed in without a way to sign out, and why.
WITHOUT_SIGNING_OUT = {
    "/demo": "for visitors; its close button leads back",
    "/restaurant/branding/preview": "what guests will see, in a frame of the owner's page",
    "/restaurant/kitchen": "made for paper; a link leads back to the orders",
}
SIGNING_OUT = re.compile(r'action="/logout"|"logout": "/logout"')


def test_every_page_of_somebody_signed_in_has_a_way_to_sign_out(api, cast):
    """Those of the owner and of staff, found by asking for every address of the platform."""
    every = {address for _, address in patterns(get_resolver("config.urls_platform").url_patterns)}
    # All data pages work in the same way, so one table is enough.
    asked = {each for each in every if not each.startswith(("/api/", "/_demo", "/staff/data/"))}
    seen, without = set(), set()
    for client in (api(cast.owner), api(cast.staff)):
        for address in asked - {""} | {"/staff/data/", "/staff/data/offers/dish/"}:
            forget_everything()
            answer = client.get(address)
            is_page = answer.headers.get("Content-Type", "").startswith("text/html")
            if answer.status_code == 200 and is_page:
                seen.add(address)
                if not SIGNING_OUT.search(answer.content.decode()):
                    without.add(address)
    assert len(seen) > 40
    assert without == set(WITHOUT_SIGNING_OUT)


def test_the_page_shows_who_is_signed_in(client, person):
    page = text_of(client.get("/account"))
    assert "ann@example.test Confirmed" in page
    assert "This device" in page
    assert "No API tokens. Create one for a program that works with your orders." in page


def test_the_name_is_saved(client, person, submit):
    assert submit(client, "/account/name", name="Anna").status_code == 302
    person.refresh_from_db()
    assert person.name == "Anna"
    refused = submit(client, "/account/name", name=" ")
    assert refused.status_code == 400
    assert "Enter your name." in text_of(refused)


class TestTheEmail:
    def test_an_account_keeps_its_email_until_the_new_one_is_confirmed(
        self, again, person, submit, emails
    ):
        submit(again, "/account/email", email="new@example.test", action_add="1")
        person.refresh_from_db()
        assert person.email == "ann@example.test"
        assert emails.last().to == ["new@example.test"]
        link = emails.link()
        assert "Use this email?" in text_of(again.get(link))
        submit(again, link)
        person.refresh_from_db()
        assert person.email == "new@example.test"
        assert emails.last().to == ["ann@example.test"]
        assert emails.last().subject == "Your Fully Booked email was changed"
        assert "Before: " in emails.last().body

    def test_an_account_cannot_take_another_accounts_email(self, again, submit):
        UserFactory(email="taken@example.test")
        page = submit(again, "/account/email", email="taken@example.test", action_add="1")
        assert "That email already has an account. Use a different one." in text_of(page)

    def test_an_unconfirmed_email_is_replaced_at_once(self, api, submit, emails):
        person = UserFactory(email="typo@example.test", address__verified=False)
        client = api()
        submit(client, "/login", email=person.email, password=PASSWORD)
        assert "Not confirmed" in text_of(client.get("/account"))
        submit(client, "/account/again?next=/account", password=PASSWORD)
        submit(client, "/account/email", email="right@example.test", action_add="1")
        person.refresh_from_db()
        assert person.email == "right@example.test"
        assert emails.last().to == ["right@example.test"]
        assert EmailAddress.objects.get(user=person).primary

    def test_a_user_can_have_the_confirmation_email_sent_again(self, api, submit, emails):
        person = UserFactory(email="wait@example.test", address__verified=False)
        client = api(person)
        assert submit(client, "/account/confirmation").status_code == 302
        assert emails.last().to == ["wait@example.test"]
        assert emails.query()["email"] == "wait@example.test"


class TestThePassword:
    def test_a_user_changes_the_password_with_the_present_one(
        self, api, again, person, submit, emails
    ):
        other = api()
        submit(other, "/login", email=person.email, password=PASSWORD)
        token = issue_token(user=person, now=NOON)
        fields = {"password1": "sage-and-thyme-7", "password2": "sage-and-thyme-7"}
        answer = submit(again, "/account/password", oldpassword=PASSWORD, **fields)
        assert answer.headers["Location"] == "/account"
        assert again.get("/account").status_code == 200
        assert other.get("/account").status_code == 302
        assert not BearerToken.objects.filter(user=person).exists()
        assert emails.last().subject == "Your Fully Booked password was changed"
        assert token not in emails.last().body

    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"oldpassword": "wrong"}, "That's not your current password. Try again."),
            ({"password1": "short"}, "Password must be at least 8 characters long"),
            ({"password1": "x" * 129}, "Password must not exceed 128 characters"),
            ({"password1": "password123"}, "That password is too common."),
        ],
    )
    def test_a_refused_password_shows_the_reason(self, again, submit, fields, sentence):
        sent = {"oldpassword": PASSWORD, "password1": "sage-and-thyme-7"} | fields
        page = submit(again, "/account/password", password2=sent["password1"], **sent)
        assert sentence in text_of(page)
        assert "Password Update Failed" in text_of(page)

    def test_an_account_without_one_sets_its_first(self, api, submit):
        person = UserFactory()
        person.set_unusable_password()
        person.save()
        client = api(person)
        assert client.get("/account/password").headers["Location"] == "/account/password/first"
        assert client.get("/account/password/first").status_code == 200
        fields = {"password1": "sage-and-thyme-7", "password2": "sage-and-thyme-7"}
        submit(client, "/account/password/first", **fields)
        person.refresh_from_db()
        assert person.check_password("sage-and-thyme-7")


class TestSessionsAndTokens:
    def test_other_devices_are_signed_out(self, api, client, person, submit):
        other = api()
        submit(other, "/login", email=person.email, password=PASSWORD)
        issue_token(user=person, now=NOON)
        submit(client, "/account/sessions")
        assert client.get("/account").status_code == 200
        assert other.get("/account").status_code == 302
        assert not BearerToken.objects.exists()

    def test_signing_out_everywhere_ends_this_session_too(self, client, person, submit):
        answer = submit(client, "/account/sessions", everywhere="1")
        assert answer.headers["Location"] == "/login"
        assert client.get("/account").status_code == 302
        assert not Session.objects.filter(expire_date__gt=NOON).count() > 1

    def test_a_user_revokes_one_token(self, client, person, submit):
        issue_token(user=person, now=NOON)
        token = BearerToken.objects.get()
        assert "Mar 22, 2027" in text_of(client.get("/account"))
        submit(client, f"/account/tokens/{token.public_id}")
        assert not BearerToken.objects.exists()

    def test_a_user_cannot_revoke_another_users_token(self, client, submit):
        issue_token(user=UserFactory(), now=NOON)
        token = BearerToken.objects.get()
        submit(client, f"/account/tokens/{token.public_id}")
        assert "We couldn't find that token." in text_of(client.get("/account"))
        assert BearerToken.objects.filter(pk=token.pk).exists()


class TestTheSecondFactor:
    def test_an_app_is_set_up_with_recovery_codes(self, again, person, submit, emails):
        page = again.get("/account/two-factor/totp/activate/").content.decode()
        found = re.search(r'id="authenticator_secret" value="([A-Z2-7]+)"', page)
        assert found
        secret = found[1]
        answer = submit(again, "/account/two-factor/totp/activate/", code=code_of(secret))
        assert answer.headers["Location"] == "/account/two-factor/recovery-codes/"
        codes = again.get("/account/two-factor/recovery-codes/")
        assert len(re.findall(r"<code>\d{8}</code>", codes.content.decode())) == 10
        stored = Authenticator.objects.get(type="totp").data
        assert secret not in str(stored)
        assert "An authenticator app was added" in "".join(email.body for email in emails.all())
        index = text_of(again.get("/account/two-factor/"))
        assert "10 of 10 left." in index
        for path in (
            "totp/deactivate/",
            "recovery-codes/generate/",
            "recovery-codes/download/",
            "reauthenticate/",
        ):
            assert again.get(f"/account/two-factor/{path}").status_code == 200, path
        submit(again, "/account/two-factor/totp/deactivate/")
        assert not Authenticator.objects.exists()

    def test_a_second_factor_needs_a_confirmed_email(self, api, submit):
        person = UserFactory(address__verified=False)
        client = api(person)
        asked = client.get("/account/two-factor/totp/activate/")
        assert asked.headers["Location"] == "/account/two-factor/"
        assert "Confirm your email first" in text_of(client.get("/account/two-factor/"))

    def test_passkeys_are_offered_for_the_platforms_host(self, again):
        page = again.get("/account/two-factor/webauthn/add/").content.decode()
        assert '"rp": {"name": "Fully Booked", "id": "localhost"}' in page.replace("\n", "")


def test_staff_without_a_second_factor_are_told(api):
    staff = UserFactory(role=User.Role.ADMIN)
    assert "Staff accounts need two-step verification." in text_of(api(staff).get("/account"))


def test_what_is_tried_too_often_says_when_to_come_back(api, person):
    client = api()
    for _ in range(10):
        client.post("/account/two-factor/webauthn/login/", {})
    page = client.post("/account/two-factor/webauthn/login/", {})
    assert page.status_code == 429
    assert int(page.headers["Retry-After"]) > 0
    assert "Wait a minute, then try again." in text_of(page)
