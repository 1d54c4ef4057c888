"""Payment method domains: where Elements may show wallets."""

import secrets

import pytest


@pytest.fixture
def host() -> str:
    """One that nobody registered: Stripe has no deletion, so each run leaves its own behind."""
    return f"conformance-{secrets.token_hex(6)}.example.com"


def test_a_domain_is_registered_and_found_by_its_name(api, host):
    made = api.v1.payment_method_domains.create({"domain_name": host})
    assert (made.domain_name, made.enabled) == (host, True)
    assert made.google_pay.status in ("active", "inactive")
    found = api.v1.payment_method_domains.list({"domain_name": host})
    assert [each.id for each in found.data] == [made.id]
    assert api.v1.payment_method_domains.retrieve(made.id).domain_name == host


def test_a_domain_that_is_registered_twice_is_one(api, host):
    first = api.v1.payment_method_domains.create({"domain_name": host})
    second = api.v1.payment_method_domains.create({"domain_name": host})
    assert second.id == first.id


def test_a_domain_can_be_disabled_and_enabled(api, host):
    made = api.v1.payment_method_domains.create({"domain_name": host})
    assert api.v1.payment_method_domains.update(made.id, {"enabled": False}).enabled is False
    enabled = api.v1.payment_method_domains.list({"domain_name": host, "enabled": True})
    assert enabled.data == []
    assert api.v1.payment_method_domains.update(made.id, {"enabled": True}).enabled is True


def test_a_domain_can_be_validated_again(api, host):
    made = api.v1.payment_method_domains.create({"domain_name": host})
    assert api.v1.payment_method_domains.validate(made.id).id == made.id


@pytest.mark.local_only(because="a sandbox's domains can't be made to fail on demand")
def test_a_domain_that_apple_refuses_says_why(api, server, host):
    server.control(inactive_domains=[host])
    made = api.v1.payment_method_domains.create({"domain_name": host})
    assert made.apple_pay.status == "inactive"
    assert made.apple_pay.status_details.error_message == f"Apple couldn't verify https://{host}."
    server.control(inactive_domains=[])
    assert api.v1.payment_method_domains.validate(made.id).apple_pay.status == "active"
