"""Our signatures are those of Standard Webhooks: its own library verifies them."""

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from apps.common.standard_webhooks import SECRET_BYTES, new_secret, signed_headers

BODY = '{"type":"order.placed","name":"Crème brûlée"}'.encode()


def headers(*secrets, at=None, body=BODY):
    now = at or datetime.now(UTC)
    return signed_headers(body, message_id="evt1", signing_secrets=secrets, now=now)


def test_the_specifications_library_verifies_what_we_sign():
    secret = new_secret()
    assert Webhook(secret).verify(BODY, headers(secret)) == json.loads(BODY)


def test_a_signature_is_the_one_of_the_specifications_scheme():
    # Worked out with openssl: HMAC-SHA256 over `msg_1.1614265330.{"test": 2432232314}`.
    found = signed_headers(
        b'{"test": 2432232314}',
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        signing_secrets=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        now=datetime.fromtimestamp(1614265330, UTC),
    )
    assert found["Webhook-Timestamp"] == "1614265330"
    # The vector of the reference implementations' own tests.
    assert found["Webhook-Signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_changed_body_another_secret_and_an_old_message_are_refused():
    secret = new_secret()
    for sent, verifier, body in [
        (headers(secret), secret, BODY + b" "),
        (headers(secret), new_secret(), BODY),
        (headers(secret, at=datetime.now(UTC) - timedelta(minutes=6)), secret, BODY),
    ]:
        with pytest.raises(WebhookVerificationError):
            Webhook(verifier).verify(body, sent)


def test_while_a_secret_is_replaced_both_verify():
    old, new = new_secret(), new_secret()
    sent = headers(new, old)
    assert sent["Webhook-Signature"].count("v1,") == 2
    assert Webhook(old).verify(BODY, sent) == Webhook(new).verify(BODY, sent)


def test_a_secret_is_random_and_as_long_as_the_specification_asks():
    found = {new_secret() for _ in range(50)}
    assert len(found) == 50
    assert {len(base64.b64decode(each.removeprefix("whsec_"))) for each in found} == {SECRET_BYTES}
    assert 24 <= SECRET_BYTES <= 64


@pytest.mark.parametrize("secret", ["", "abc", "whsec_not base64"])
def test_what_is_no_secret_signs_nothing(secret):
    with pytest.raises(ValueError, match=r"secret|base64|Only"):
        headers(secret)


def test_a_message_id_with_a_period_is_refused():
    with pytest.raises(ValueError, match="period"):
        signed_headers(BODY, message_id="a.b", signing_secrets=[], now=datetime.now(UTC))
