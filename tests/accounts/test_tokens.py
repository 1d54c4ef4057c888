"""The account's bearer tokens: listed with last use, revoked one by one (X51)."""

import pytest

from apps.accounts.api import authentication
from apps.accounts.models import BearerToken
from apps.accounts.rate_limits import Limit
from apps.accounts.services import issue_token
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
API = "/api/tokens"


def bearer(token):
    return {"HTTP_AUTHORIZATION": f"Bearer {token}"}


def test_tokens_are_listed_with_their_last_use(api, cast, clock):
    first = issue_token(user=cast.owner, now=NOON)
    issue_token(user=cast.outsider, now=NOON)
    clock.advance(minutes=5)
    issue_token(user=cast.owner, now=clock.now)
    answer = api().get(API, **bearer(first))
    newest, oldest = BearerToken.objects.filter(user=cast.owner).order_by("-pk")
    assert answer.json() == {
        "tokens": [
            {
                "id": str(newest.public_id),
                "name": "Sign-in",
                "scope": "everything",
                "createdAt": "2027-03-22T16:05:00Z",
                "lastUsedAt": None,
                "expiresAt": "2027-04-21T16:05:00Z",
                "current": False,
            },
            {
                "id": str(oldest.public_id),
                "name": "Sign-in",
                "scope": "everything",
                "createdAt": "2027-03-22T16:00:00Z",
                "lastUsedAt": "2027-03-22T16:05:00Z",
                "expiresAt": "2027-04-21T16:00:00Z",
                "current": True,
            },
        ]
    }


def test_those_that_are_over_are_not(api, cast, clock):
    issue_token(user=cast.owner, now=NOON)
    clock.advance(days=30)
    assert api(cast.owner).get(API).json() == {"tokens": []}


def test_a_token_is_revoked_at_once(api, cast, clock):
    token = issue_token(user=cast.owner, now=NOON)
    row = BearerToken.objects.get()
    assert api(cast.owner).delete(f"{API}/{row.public_id}").status_code == 204
    assert api().get(API, **bearer(token)).status_code == 401


def test_another_users_token_is_not_found(api, cast, clock):
    issue_token(user=cast.outsider, now=NOON)
    row = BearerToken.objects.get()
    answer = api(cast.owner).delete(f"{API}/{row.public_id}")
    assert answer.status_code == 404
    assert answer.json()["message"] == ("We couldn't find that token. Reload the page.")
    assert BearerToken.objects.exists()


def test_a_passer_by_has_none(api, cast, clock):
    assert api().get(API).status_code == 401
    assert api().delete(f"{API}/{cast.owner.pk}").status_code == 401


class TestCreatingOne:
    SENT = {"name": "Till", "scope": "read", "days": 90}  # noqa: RUF012

    def test_it_is_shown_once_and_works_for_its_days(self, api, cast, clock):
        answer = api(cast.owner).post(API, self.SENT)
        assert answer.status_code == 201
        token = answer.json()["token"]
        [listed] = api().get(API, **bearer(token)).json()["tokens"]
        assert (listed["name"], listed["scope"]) == ("Till", "read")
        assert token not in api(cast.owner).get("/account").content.decode()
        clock.advance(days=90, seconds=-1)
        assert api().get(API, **bearer(token)).status_code == 200
        clock.advance(seconds=1)
        assert api().get(API, **bearer(token)).status_code == 401

    @pytest.mark.parametrize(
        ("change", "field"),
        [({"name": " "}, "name"), ({"scope": "admin"}, "scope"), ({"days": 4000}, "days")],
    )
    def test_a_request_with_an_invalid_field_creates_no_token(
        self, api, cast, clock, change, field
    ):
        refused = api(cast.owner).post(API, self.SENT | change)
        assert refused.status_code == 400
        assert refused.json()["errors"][0]["field"] == field
        assert not BearerToken.objects.exists()

    def test_needs_a_recent_proof_of_who_is_there(self, api, cast, clock):
        left_open = api(cast.owner, signed_in_ago=16 * 60)
        assert left_open.post(API, self.SENT).json()["code"] == "reauthenticate"
        token = issue_token(user=cast.owner, now=clock.now)
        assert api().post(API, self.SENT, **bearer(token)).status_code == 403
        assert BearerToken.objects.count() == 1

    def test_without_a_script_it_is_shown_on_the_page_of_the_answer(self, api, cast, submit):
        client = api(cast.owner)
        page = submit(client, "/account/tokens", name="Till", scope="orders", days=30)
        assert b"Copy your new token now" in page.content
        assert b"Copy your new token now" not in client.get("/account").content
        assert BearerToken.objects.get().scope == "orders"
        wrong = submit(client, "/account/tokens", name="", scope="x", days=1)
        assert wrong.status_code == 400
        assert b"Choose what the token can do." in wrong.content

    def test_form_is_shown_only_to_somebody_with_a_recent_proof(self, api, cast):
        now = api(cast.owner).get("/account").content
        assert b"Create token" in now
        assert b"/account/again?next=%2Faccount%23tokens" not in now
        later = api(cast.owner, signed_in_ago=16 * 60).get("/account").content
        assert b"Create token" not in later
        assert b"/account/again?next=%2Faccount%23tokens" in later

    def test_there_are_a_hundred_at_most(self, api, cast, clock):
        for _ in range(100):
            issue_token(user=cast.owner, now=NOON)
        assert api(cast.owner).post(API, self.SENT).status_code == 409


class TestScopes:
    @pytest.mark.parametrize(
        ("scope", "reads", "orders", "rest"),
        [("read", 200, 403, 403), ("orders", 200, 404, 403), ("everything", 200, 404, 200)],
    )
    def test_a_token_does_what_its_scope_says(self, api, cast, clock, scope, reads, orders, rest):
        token = issue_token(user=cast.owner, now=NOON, name="Till", scope=scope)
        client, headers = api(), bearer(token)
        assert client.get("/api/orders", **headers).status_code == reads
        path = f"/api/orders/{cast.owner.pk}/cancel"
        done = client.post(path, {"reason": "ill"}, **headers)
        assert done.status_code == orders
        if orders == 403:
            assert done.json()["code"] == "insufficient_scope"
        changed = client.put("/api/restaurant", {"name": "Luigi's"}, **headers)
        assert changed.status_code == rest

    def test_every_token_can_revoke_itself(self, api, cast, clock):
        token = issue_token(user=cast.owner, now=NOON, name="Till", scope="read")
        assert api().post("/api/logout", **bearer(token)).status_code == 204
        assert api().get(API, **bearer(token)).status_code == 401


def test_a_token_has_a_limit_of_requests_and_another_token_is_not_affected(
    api, cast, clock, monkeypatch
):
    monkeypatch.setattr(authentication, "REQUESTS_OF_TOKEN", Limit("token", times=3, window=60))
    first = issue_token(user=cast.owner, now=NOON)
    second = issue_token(user=cast.owner, now=NOON)
    assert [api().get(API, **bearer(first)).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = api().get(API, **bearer(first))
    assert refused.json()["code"] == "too_many_attempts"
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit-Policy"] == '"token";q=3;w=60'
    assert api().get(API, **bearer(second)).status_code == 200
    assert api(cast.owner).get(API).status_code == 200
