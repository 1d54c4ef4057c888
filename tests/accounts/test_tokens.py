"""The account's bearer tokens: listed with last use, revoked one by one (X51)."""

import pytest

from apps.accounts.models import BearerToken
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
                "createdAt": "2027-03-22T16:05:00Z",
                "lastUsedAt": None,
                "expiresAt": "2027-04-21T16:05:00Z",
                "current": False,
            },
            {
                "id": str(oldest.public_id),
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
