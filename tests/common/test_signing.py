"""What we sign: a key for each purpose, none of them SECRET_KEY, and rotation (decision 62)."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.core.signing import BadSignature

from apps.accounts import bot_check
from apps.common.signing import keyed_hash, signer, timestamp_signer

OLD, NEW = "an-old-key" * 6, "a-new-key" * 6


def test_what_was_signed_for_one_purpose_is_not_accepted_for_another():
    signed = signer("one").sign("me")
    assert signer("one").unsign(signed) == "me"
    with pytest.raises(BadSignature):
        signer("another").unsign(signed)


def test_after_a_routine_rotation_what_the_old_key_signed_is_still_accepted(settings):
    settings.SIGNING_KEYS = [OLD]
    signed, stamped = signer("links").sign("me"), timestamp_signer("links").sign("me")
    settings.SIGNING_KEYS = [NEW, OLD]
    assert signer("links").unsign(signed) == "me"
    assert timestamp_signer("links").unsign(stamped, max_age=60) == "me"
    assert signer("links").sign("me") != signed


def test_after_a_leak_what_the_old_key_signed_is_refused(settings):
    settings.SIGNING_KEYS = [OLD]
    signed = signer("links").sign("me")
    settings.SIGNING_KEYS = [NEW]
    with pytest.raises(BadSignature):
        signer("links").unsign(signed)


def test_a_new_secret_key_leaves_what_we_signed_alone(settings):
    signed, hashed = signer("links").sign("me"), keyed_hash("origins", "203.0.113.7")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-secret" * 5, []
    assert signer("links").unsign(signed) == "me"
    assert keyed_hash("origins", "203.0.113.7") == hashed


def test_a_form_opened_before_a_leak_has_to_be_opened_again(settings, clock):
    settings.SIGNING_KEYS = [OLD]
    proof = bot_check.FormProof(started=bot_check.started_at(now=clock.now))
    settings.SIGNING_KEYS = [NEW]
    with pytest.raises(bot_check.BotSuspected):
        bot_check.check_form(proof, address="203.0.113.7", now=clock.now + timedelta(seconds=9))


def test_only_one_module_makes_signers():
    """So nothing of ours signs with SECRET_KEY, whose leak or rotation is about sessions."""
    forbidden = re.compile(
        r"import .*\b(Signer|TimestampSigner|salted_hmac)\b|signing\.(dumps|loads)"
        r"|settings\.SECRET_KEY\b"
    )
    apps = Path(configured.BASE_DIR) / "apps"
    found = {
        path.relative_to(apps).as_posix()
        for path in apps.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if forbidden.search(line)
    }
    assert found == {"common/signing.py"}
