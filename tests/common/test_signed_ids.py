"""Signed links: each leads to its own id, and a made-up one to nothing."""

from uuid import uuid4

import pytest

from apps.common.signed_ids import MAX_TOKEN_LENGTH, SignedIds
from apps.common.signing import signer

ORDERS, PLACES = SignedIds("tests.orders"), SignedIds("tests.places")


def test_a_token_leads_back_to_its_id():
    key = uuid4()
    token = ORDERS.token(key)
    assert len(token) < MAX_TOKEN_LENGTH
    assert ORDERS.key_of(token) == key


def test_a_token_of_one_kind_is_none_of_another():
    assert PLACES.key_of(ORDERS.token(uuid4())) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: "",
        lambda token: token[:-1],
        lambda token: token + "A",
        lambda token: f"{uuid4().hex}.{token.partition('.')[2]}",
        lambda token: token * 100,
    ],
)
def test_a_token_that_was_tampered_with_leads_nowhere(spoil):
    assert ORDERS.key_of(spoil(ORDERS.token(uuid4()))) is None


def test_what_is_signed_but_no_id_leads_nowhere():
    assert ORDERS.key_of(signer(ORDERS.purpose).sign("somebody")) is None
