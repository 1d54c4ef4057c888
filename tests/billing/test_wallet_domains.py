"""Our hosts at Stripe, which shows wallets on registered ones only (decision 104)."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import stripe as stripe_api
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from apps.billing import stripe_gateway, tasks, wallet_domains
from apps.billing.models import WalletDomain
from apps.restaurants.models import Domain
from tests.factories import RestaurantFactory

LUIGIS, OWN, PLATFORM = "luigis.localhost", "order.luigis.test", "localhost"
CREATE = "POST /v1/payment_method_domains"


def sweep(world: Any) -> None:
    tasks.sync_wallet_domains_task.delay()
    world.work()


def at_stripe() -> dict[str, bool]:
    """Each registered host, and whether it is enabled."""
    found = stripe_api.PaymentMethodDomain.list(limit=100).data
    return {each.domain_name: each.enabled for each in found}


def calls(world: Any) -> dict[str, int]:
    made: dict[str, int] = world.stripe.look(1)["calls"]
    return {name: times for name, times in made.items() if "payment_method_domains" in name}


def row(host: str = LUIGIS) -> WalletDomain:
    return WalletDomain.objects.get(host=host)


@pytest.fixture
def luigis(world: Any) -> Any:
    return world.restaurant


@pytest.fixture
def own_domain(luigis: Any) -> Domain:
    """Proven and served."""
    return Domain.objects.create(domain=OWN, tenant=luigis, is_primary=False)


def test_every_host_we_serve_is_registered_once(world, luigis, own_domain):
    sweep(world)
    assert at_stripe() == {LUIGIS: True, OWN: True, PLATFORM: True}
    assert {(each.host, each.status, each.problem) for each in WalletDomain.objects.all()} == {
        (LUIGIS, "active", ""),
        (OWN, "active", ""),
        (PLATFORM, "active", ""),
    }
    assert row().checked_at == world.now
    made = calls(world)
    assert made[CREATE] == 3
    world.later(minutes=10)
    sweep(world)
    assert calls(world) == made


def test_no_transaction_is_open_while_stripe_is_asked(world, luigis, monkeypatch):
    open_ones = []
    ask = stripe_gateway.find_wallet_domain

    def look(host: str) -> Any:
        # The test's own transaction is one block; the sweep's would be another.
        open_ones.append(len(connection.savepoint_ids))
        return ask(host)

    before = len(connection.savepoint_ids)
    monkeypatch.setattr(stripe_gateway, "find_wallet_domain", look)
    sweep(world)
    assert open_ones == [before, before]


def test_a_domain_that_is_removed_is_disabled_and_one_that_returns_is_enabled(
    world, luigis, own_domain
):
    sweep(world)
    own_domain.delete()
    world.later(minutes=1)
    sweep(world)
    assert at_stripe() == {LUIGIS: True, OWN: False, PLATFORM: True}
    assert (row(OWN).status, row(OWN).check_at) == ("disabled", None)
    made = calls(world)
    world.later(days=1)
    sweep(world)
    assert calls(world) == made
    Domain.objects.create(domain=OWN, tenant=luigis, is_primary=False)
    world.later(minutes=1)
    sweep(world)
    assert at_stripe()[OWN] is True
    assert row(OWN).status == "active"
    assert calls(world)[CREATE] == 3


def test_a_host_that_is_given_up_before_it_was_registered_is_never_registered(
    world, luigis, own_domain
):
    wallet_domains.note_hosts(now=world.now)
    own_domain.delete()
    sweep(world)
    assert at_stripe() == {LUIGIS: True, PLATFORM: True}
    assert row(OWN).status == "disabled"


def test_a_host_that_apple_refuses_says_why_and_is_tried_again_less_and_less(world, luigis):
    world.stripe.control(inactive_domains=[LUIGIS])
    sweep(world)
    assert (row().status, row().problem) == (
        "inactive",
        "Apple couldn't verify https://luigis.localhost.",
    )
    pauses = []
    for _ in range(12):
        pauses.append(row().check_at - world.now)
        world.at(row().check_at)
        sweep(world)
    assert pauses[:3] == [timedelta(minutes=5), timedelta(minutes=10), timedelta(minutes=20)]
    assert pauses[-1] == timedelta(days=1)
    world.stripe.control(inactive_domains=[])
    world.at(row().check_at)
    sweep(world)
    assert (row().status, row().problem, row().attempts) == ("active", "", 0)
    assert row().check_at == world.now + timedelta(days=30)
    assert calls(world)[CREATE] == 2


def test_an_answer_that_is_lost_registers_nothing_twice(world, luigis):
    world.stripe.control(
        http_fault={
            "kind": "lost_response",
            "method": "POST",
            "path_prefix": "/v1/payment_method_domains",
        }
    )
    sweep(world)
    assert sorted(WalletDomain.objects.values_list("status", flat=True)) == ["waiting", "waiting"]
    world.later(minutes=6)
    sweep(world)
    assert at_stripe() == {LUIGIS: True, PLATFORM: True}
    assert row().status == "active"
    # The first call's answer was lost, so the host was found instead of registered again.
    assert calls(world)[CREATE] == 2


def test_a_failure_of_stripes_is_tried_again_with_another_key(world, luigis):
    world.stripe.control(
        http_fault={
            "kind": "500",
            "method": "POST",
            "path_prefix": "/v1/payment_method_domains",
            "times": 2,
        }
    )
    sweep(world)
    assert (row().status, row().attempts) == ("waiting", 1)
    world.later(minutes=5)
    sweep(world)
    assert row().status == "active"


def test_thousands_of_restaurants_do_not_register_at_once(world, luigis, monkeypatch):
    monkeypatch.setattr(wallet_domains, "EACH_SWEEP", 3)
    for number in range(5):
        RestaurantFactory(subdomain=f"one{number}")
    for registered in (3, 6, 7, 7):
        sweep(world)
        assert len(at_stripe()) == registered


def test_a_sweep_ends_when_our_calls_are_at_stripes_limit(world, luigis):
    world.stripe.control(limits={"per_second": None, "per_endpoint": 0})
    result = wallet_domains.sync_wallet_domains(now=world.now)
    assert result.done == []
    assert result.unreachable
    assert set(calls(world)) == {"GET /v1/payment_method_domains"}


def test_what_two_sweeps_find_due_only_one_asks_about(world, luigis):
    wallet_domains.note_hosts(now=world.now)
    assert {each.host for each in wallet_domains._taken(world.now)} == {LUIGIS, PLATFORM}
    assert wallet_domains._taken(world.now) == []


def test_the_command_registers_all_now_and_names_what_stays_inactive(world, luigis, monkeypatch):
    monkeypatch.setattr(wallet_domains, "EACH_SWEEP", 1)
    out, err = StringIO(), StringIO()
    call_command("register_wallet_domains", dry_run=True, stdout=out, stderr=err)
    assert out.getvalue().splitlines() == [f"Would register {LUIGIS}", f"Would register {PLATFORM}"]
    assert at_stripe() == {}
    assert not WalletDomain.objects.exists()

    world.stripe.control(inactive_domains=[LUIGIS])
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match="can't show wallets on these hosts") as found:
        call_command("register_wallet_domains", stdout=out, stderr=err)
    assert found.value.returncode == 3
    assert "luigis.localhost: Apple couldn't verify https://luigis.localhost." in err.getvalue()
    assert at_stripe() == {LUIGIS: True, PLATFORM: True}

    world.stripe.control(inactive_domains=[])
    call_command("register_wallet_domains", stdout=out, stderr=err)
    assert row().status == "active"
