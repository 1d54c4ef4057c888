"""Signing in and out: POST /api/login, /api/logout and the pages (X39–X43, X51)."""

import pytest
from django.conf import settings

from apps.accounts.models import BearerToken
from apps.accounts.rate_limits import FAILED_SIGN_INS, SIGN_IN_BY_ADDRESS
from apps.accounts.services import issue_token, valid_token
from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import PASSWORD, MembershipFactory, UserFactory
from tests.refusals import without_codes

pytestmark = pytest.mark.django_db
API = "/api/login"
FAILURES_PER_ACCOUNT, PER_ADDRESS = FAILED_SIGN_INS.times, SIGN_IN_BY_ADDRESS.times


def credentials(user, password=PASSWORD):
    return {"email": user.email, "password": password}


def bearer(token):
    return {"HTTP_AUTHORIZATION": f"Bearer {token}"}


class TestTheApi:
    def test_an_owner_is_answered_with_account_restaurant_and_token(self, api, cast, clock):
        client = api()
        answer = client.post(API, credentials(cast.owner))
        assert answer.status_code == 200
        body = answer.json()
        token = body.pop("token")
        assert body == {
            "user": {
                "id": str(cast.owner.pk),
                "name": "Owner of Luigi's",
                "email": "owner@luigis.test",
                "role": "user",
                "isRestaurantOwner": True,
                "hasCompletedOnboarding": False,
            },
            "restaurant": {
                "id": str(cast.restaurant.pk),
                "name": "Luigi's",
                "subdomain": "luigis",
                "slug": "luigis",
                "status": "active",
                "subscriptionTier": "free",
                "nextTier": "",
                "nextTierFrom": None,
                "timezone": "America/New_York",
                "publicUrl": f"http://luigis.localhost:{settings.PUBLIC_PORT}/",
            },
        }
        found = valid_token(token=token, now=clock.now)
        assert found
        assert found.user == cast.owner
        session = answer.cookies["sessionid"]
        assert (session["httponly"], session["samesite"]) == (True, "Lax")
        assert not session["domain"]
        assert "csrftoken" in answer.cookies
        assert client.get("/api/specials/available").status_code == 200

    def test_a_guest_has_no_restaurant(self, api, cast, clock):
        body = api().post(API, credentials(cast.stranger)).json()
        assert body["restaurant"] is None
        assert body["user"]["isRestaurantOwner"] is False

    def test_staff_of_a_restaurant_do_not_own_it(self, api, cast, clock):
        body = api().post(API, credentials(cast.kitchen)).json()
        assert body["restaurant"]["name"] == "Luigi's"
        assert body["user"]["isRestaurantOwner"] is False

    def test_the_case_of_the_address_does_not_matter(self, api, cast, clock):
        sent = {"email": " OWNER@Luigis.TEST ", "password": PASSWORD}
        assert api().post(API, sent).status_code == 200

    @pytest.mark.parametrize(
        "change",
        [
            {"password": "wrong"},
            {"email": "nobody@example.test"},
            {"password": "x" * 10_000},
            {"password": PASSWORD + " "},
        ],
    )
    def test_the_answer_does_not_tell_which_part_was_wrong(self, api, cast, clock, change):
        answer = api().post(API, credentials(cast.owner) | change)
        assert answer.status_code == 401
        assert without_codes(answer.json()) == {
            "message": "Invalid email or password",
            "errors": [{"field": "email", "message": "Invalid email or password"}],
        }
        assert "sessionid" not in answer.cookies
        assert not BearerToken.objects.exists()

    def test_an_inactive_account_stays_out(self, api, clock):
        gone = UserFactory(is_active=False)
        assert api().post(API, credentials(gone)).status_code == 401

    @pytest.mark.parametrize("email", ["", "owner", "a@b", None, 7, "x" * 300 + "@example.test"])
    def test_an_invalid_address_is_refused(self, api, cast, clock, email):
        answer = api().post(API, {"email": email, "password": PASSWORD})
        assert answer.status_code == 400
        assert without_codes(answer.json()) == {
            "message": "Please enter a valid email address",
            "errors": [{"field": "email", "message": "Please enter a valid email address"}],
        }

    def test_a_password_is_needed_of_any_length(self, api, cast, clock):
        answer = api().post(API, {"email": cast.owner.email})
        assert without_codes(answer.json())["errors"] == [
            {"field": "password", "message": "Please enter your password"}
        ]
        assert api().post(API, credentials(cast.owner, "x")).status_code == 401

    def test_a_suspended_restaurant_gives_way_to_an_active_one(self, api, cast, clock, platform):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="suspended")
        assert api().post(API, credentials(cast.owner)).json()["restaurant"]["name"] == "Luigi's"
        MembershipFactory(user=cast.owner, restaurant=cast.other, role="kitchen")
        assert api().post(API, credentials(cast.owner)).json()["restaurant"]["name"] == "Ming's"

    def test_of_suspended_restaurants_alone_the_first_is_named(self, api, cast, clock, platform):
        MembershipFactory(user=cast.owner, restaurant=cast.other, role="kitchen")
        Restaurant.objects.update(status="suspended")
        assert api().post(API, credentials(cast.owner)).json()["restaurant"]["name"] == "Luigi's"

    def test_signing_in_again_changes_the_session(self, api, cast, clock):
        client = api()
        client.post(API, credentials(cast.owner))
        first = client.session.session_key
        client.post(API, credentials(cast.owner))
        assert client.session.session_key != first

    def test_signing_out_ends_the_session_and_the_token(self, api, cast, clock):
        client = api()
        token = client.post(API, credentials(cast.owner)).json()["token"]
        other = issue_token(user=cast.owner, now=NOON)
        assert client.post("/api/logout", **bearer(token)).status_code == 204
        assert client.delete(f"/api/dishes/{cast.owner.pk}").status_code == 401
        assert valid_token(token=token, now=NOON) is None
        found = valid_token(token=other, now=NOON)
        assert found
        assert found.user == cast.owner

    def test_signing_out_with_the_session_needs_the_csrf_token(self, api, cast, clock):
        client = api(cast.owner, check_csrf=True)
        assert client.post("/api/logout").status_code == 403

    def test_an_expired_token_does_not_prevent_signing_in(self, api, cast, clock):
        answer = api().post(API, credentials(cast.owner), **bearer("long-gone"))
        assert answer.status_code == 200

    def test_a_restaurants_host_has_no_sign_in(self, api, cast, clock):
        assert api(at=cast.restaurant).post(API, credentials(cast.owner)).status_code == 404


class TestTokens:
    PATH = "/api/specials/available"

    def test_an_unknown_token_is_refused_in_the_one_shape(self, api, cast, clock):
        answer = api().get(self.PATH, **bearer("made-up"))
        assert answer.status_code == 401
        assert without_codes(answer.json()) == {"message": "401: Unauthorized", "errors": []}
        assert answer.headers["WWW-Authenticate"] == "Bearer"

    def test_a_token_lasts_thirty_days(self, api, cast, clock):
        token = issue_token(user=cast.owner, now=NOON)
        clock.advance(days=30, seconds=-1)
        assert api().get(self.PATH, **bearer(token)).status_code == 200
        clock.advance(seconds=1)
        assert api().get(self.PATH, **bearer(token)).status_code == 401

    def test_a_token_is_not_stored_readable(self, cast, clock):
        token = issue_token(user=cast.owner, now=NOON)
        assert token not in BearerToken.objects.get().digest

    def test_an_inactive_account_has_no_tokens(self, api, cast, clock):
        token = issue_token(user=cast.owner, now=NOON)
        cast.owner.is_active = False
        cast.owner.save(update_fields=["is_active"])
        assert api().get(self.PATH, **bearer(token)).status_code == 401


class TestLimits:
    def test_an_account_can_fail_a_limited_number_of_times_from_any_address(self, api, cast, clock):
        for number in range(FAILURES_PER_ACCOUNT):
            address = f"192.0.2.{number}"
            answer = api().post(API, credentials(cast.owner, "wrong"), REMOTE_ADDR=address)
            assert answer.status_code == 401
        answer = api().post(API, credentials(cast.owner), REMOTE_ADDR="192.0.2.99")
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "300"
        assert without_codes(answer.json()) == {
            "message": "Too many attempts. Wait 5 minutes and try again.",
            "errors": [],
        }
        assert api().post(API, credentials(cast.outsider)).status_code == 200

    def test_an_address_can_try_a_limited_number_of_times_on_any_account(self, api, clock):
        def attempt(number, address="192.0.2.1"):
            sent = {"email": f"guess{number}@example.test", "password": "x"}
            return api().post(API, sent, REMOTE_ADDR=address).status_code

        assert {attempt(number) for number in range(PER_ADDRESS)} == {401}
        assert attempt(PER_ADDRESS) == 429
        assert attempt(PER_ADDRESS, "192.0.2.2") == 401

    def test_only_our_proxies_can_name_a_clients_address(self, api, clock, settings):
        def attempt(number):
            sent = {"email": f"guess{number}@example.test", "password": "x"}
            forwarded = f"10.0.0.{number}"
            return api().post(API, sent, HTTP_X_FORWARDED_FOR=forwarded).status_code

        for number in range(PER_ADDRESS):
            attempt(number)
        assert attempt(PER_ADDRESS) == 429
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
        assert attempt(PER_ADDRESS) == 401

    def test_signing_in_forgives_earlier_failures(self, api, cast, clock):
        for _ in range(FAILURES_PER_ACCOUNT - 1):
            api().post(API, credentials(cast.owner, "wrong"))
        assert api().post(API, credentials(cast.owner)).status_code == 200
        assert api().post(API, credentials(cast.owner, "wrong")).status_code == 401
        assert api().post(API, credentials(cast.owner)).status_code == 200


class TestThePage:
    FORM = "application/x-www-form-urlencoded"

    @pytest.fixture(autouse=True)
    def _clock(self, clock):
        """The clock that sessions and limits read."""

    def send(self, client, path="/login", **data):
        from urllib.parse import urlencode

        return client.post(path, urlencode(data), self.FORM)

    def test_the_sign_in_page_is_a_form(self, api):
        page = api().get("/login?next=/restaurant/settings")
        assert page.status_code == 200
        assert b'name="next" value="/restaurant/settings"' in page.content
        assert b'autocomplete="current-password"' in page.content
        assert "no-store" in page.headers["Cache-Control"]

    def test_signing_in_leads_to_the_dashboard(self, api, cast):
        client = api()
        answer = self.send(client, **credentials(cast.owner))
        assert (answer.status_code, answer.headers["Location"]) == (302, "/restaurant")
        assert client.get("/login").headers["Location"] == "/restaurant"

    @pytest.mark.parametrize(
        ("wanted", "reached"),
        [
            ("/restaurant/settings?tab=1", "/restaurant/settings?tab=1"),
            ("https://evil.test/", "/restaurant"),
            ("//evil.test/", "/restaurant"),
            ("/\\evil.test/", "/restaurant"),
            ("\\\\evil.test", "/restaurant"),
            ("/\t/evil.test", "/restaurant"),
            ("javascript:alert(1)", "/restaurant"),
            ("restaurant", "/restaurant"),
            ("///evil.test", "/restaurant"),
            ("http:evil.test", "/restaurant"),
            ("", "/restaurant"),
        ],
    )
    def test_signing_in_never_leads_to_another_host(self, api, cast, wanted, reached):
        answer = self.send(api(), next=wanted, **credentials(cast.owner))
        assert answer.headers["Location"] == reached
        assert api(cast.owner).get("/login", {"next": wanted}).headers["Location"] == reached

    def test_the_page_shows_what_is_wrong(self, api, cast):
        page = self.send(api(), **credentials(cast.owner, "wrong"))
        assert page.status_code == 401
        assert b'<p class="error" id="email-error">Invalid email or password</p>' in page.content
        assert b'aria-invalid="true" aria-describedby="email-error" autofocus' in page.content
        assert b'value="owner@luigis.test"' in page.content
        assert b"wrong" not in page.content
        page = self.send(api(), email="owner", password="")
        assert page.status_code == 400
        assert b"Please enter a valid email address" in page.content
        assert b"Please enter your password" in page.content

    def test_the_page_shows_when_there_were_too_many_tries(self, api, cast):
        for _ in range(FAILURES_PER_ACCOUNT):
            self.send(api(), **credentials(cast.owner, "wrong"))
        page = self.send(api(), **credentials(cast.owner))
        assert (page.status_code, page.headers["Retry-After"]) == (429, "300")
        assert b"Too many attempts. Wait 5 minutes and try again." in page.content

    def test_the_form_needs_the_csrf_token(self, api, cast):
        client = api(check_csrf=True)
        assert self.send(client, **credentials(cast.owner)).status_code == 403
        client.get("/login")
        token = client.cookies["csrftoken"].value
        data = credentials(cast.owner) | {"csrfmiddlewaretoken": token}
        assert self.send(client, **data).status_code == 302

    def test_signing_out_is_a_post(self, api, cast):
        client = api(cast.owner)
        assert client.get("/logout").status_code == 405
        answer = self.send(client, "/logout")
        assert (answer.status_code, answer.headers["Location"]) == (302, "/login")
        assert client.get("/login").status_code == 200
