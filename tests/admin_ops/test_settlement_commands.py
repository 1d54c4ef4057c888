"""Operators' commands about settlement: run twice, as a dry run, and while Stripe fails."""

from datetime import timedelta
from io import StringIO

import pytest
import stripe as stripe_api
from django.core.management import CommandError, call_command

from apps.billing.models import Discrepancy, ReconciliationProgress
from apps.common.commands import Found
from apps.preorders import tasks
from apps.preorders.models import (
    ExpirationRun,
    PaymentOperation,
    SettlementPause,
)
from apps.preorders.settlement import expirations


def run(*args, **options):
    """What the command prints, and its exit code."""
    out = StringIO()
    try:
        call_command(*args, stdout=out, stderr=StringIO(), **options)
    except Found as end:
        return out.getvalue(), end.returncode
    return out.getvalue(), 0


def settlement(*args, **options):
    return run("settlement", *map(str, args), by="Maria", **options)


@pytest.fixture
def due(world):
    """A special with two held orders whose deadline has passed, and the scheduler is stopped."""
    offer = world.offer(min_preorders=1, name="Osso buco")
    for _ in range(2):
        world.authorized_order(offer)
    expirations.stop_scheduler(reason="Release", by="Maria", now=world.now)
    world.at(offer.deadline)
    tasks.close_due_offers_task.delay()
    world.work()
    return offer


def statuses(offer):
    return set(offer.pre_orders.values_list("payment_status", flat=True))


# --- process_expirations --------------------------------------------------------------------------
def test_processing_settles_what_is_due_once_and_says_what_came_of_it(world, due):
    dry, _ = run("process_expirations", dry_run=True)
    assert dry.endswith("Specials to settle: 1\n")
    assert str(due.pk) in dry
    assert world.fresh(due).status == "closing"
    assert not ExpirationRun.objects.exists()
    first, code = run("process_expirations", by="Maria")
    assert (code, first) == (
        0,
        "Specials settled: 1, orders confirmed: 2, orders canceled: 0, specials waiting: 0\n",
    )
    world.work()
    assert statuses(due) == {"captured"}
    again, code = run("process_expirations", by="Maria")
    assert (code, again) == (
        0,
        "Specials settled: 0, orders confirmed: 0, orders canceled: 0, specials waiting: 0\n",
    )
    assert PaymentOperation.objects.count() == 2


def test_processing_fails_when_a_special_cannot_be_settled(world, due, monkeypatch):
    def breaks(*_, **__):
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(expirations, "settle_offer", breaks)
        with pytest.raises(CommandError, match="Specials that failed: 1"):
            run("process_expirations")
    assert run("process_expirations")[0].startswith("Specials settled: 1")


# --- reconcile ------------------------------------------------------------------------------------
def test_reconciling_finds_what_nobody_heard_of_once(world):
    order = world.begin(world.offer())
    world.pay(order)
    world.later(minutes=5)
    dry, code = run("reconcile", dry_run=True)
    assert (dry, code) == ("Payments that aren't settled: 0\n", 0)
    assert world.fresh(order).payment_status == "unpaid"
    assert not ReconciliationProgress.objects.exists()
    first, code = run("reconcile")
    assert (code, "Differences found: 1, still open: 0\n" in first) == (0, True)
    assert world.fresh(order).payment_status == "authorized"
    assert "Differences found: 0, still open: 0\n" in run("reconcile")[0]


def test_reconciling_ends_with_3_while_a_difference_is_open(world):
    order = world.authorized_order(world.offer())
    Discrepancy.objects.create(
        restaurant=world.restaurant,
        pre_order=order,
        payment_intent_id="pi_unknown",
        found_at=world.now,
    )
    assert run("reconcile")[1] == 3


def test_reconciling_fails_when_stripe_cannot_be_read(world, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(stripe_api, "api_base", "http://127.0.0.1:9")
        with pytest.raises(CommandError, match="Couldn't read from Stripe"):
            run("reconcile")
    assert run("reconcile")[1] == 0


# --- settlement -----------------------------------------------------------------------------------
def test_the_list_is_empty_when_all_is_well(world):
    assert run("settlement") == ("Nothing is paused, and nothing is overdue.\n", 0)


def test_the_list_names_pauses_overdue_specials_and_holds_and_ends_with_3(world, due):
    text, code = run("settlement")
    assert code == 3
    assert "paused  scheduler" in text
    assert "by Maria  Release" in text
    assert f"overdue  special {due.pk}  Osso buco" in text
    assert "held orders 2" in text
    for order in due.pre_orders.all():
        ends = order.capture_before
        assert f"hold  order {order.code}  Osso buco  ends {ends:%Y-%m-%d %H:%M}" in text


@pytest.mark.parametrize(
    ("scope", "target"), [("all", ""), ("restaurant", "luigis"), ("special", None)]
)
def test_pausing_and_continuing_can_be_repeated(world, scope, target):
    offer = world.offer()
    named = offer.pk if target is None else target
    assert "Would pause" in settlement("pause", scope, named, reason="Fraud", dry_run=True)[0]
    assert not SettlementPause.objects.exists()
    assert "Paused: " in settlement("pause", scope, named, reason="Fraud")[0]
    assert "Already paused: " in settlement("pause", scope, named, reason="Fraud")[0]
    assert "Would continue: " in settlement("continue", scope, named, dry_run=True)[0]
    assert SettlementPause.objects.filter(ended_at=None).count() == 1
    assert "Continued: " in settlement("continue", scope, named)[0]
    assert "Not paused: " in settlement("continue", scope, named)[0]
    assert SettlementPause.objects.filter(ended_at=None).count() == 0


def test_the_scheduler_is_stopped_and_started_with_its_interval(world):
    expirations.start_scheduler(interval_minutes=15, by="Maria", now=world.now)
    settlement("pause", "scheduler", reason="Release")
    assert not expirations.scheduler_status(now=world.now).is_running
    settlement("continue", "scheduler")
    status = expirations.scheduler_status(now=world.now)
    assert (status.is_running, status.interval_minutes) == (True, 15)


def test_retrying_settles_an_overdue_special(world, due):
    assert settlement("retry", "special", due.pk, dry_run=True) == (
        "Would try again: 0 payments, 1 specials.\n",
        0,
    )
    assert statuses(due) == {"authorized"}
    assert settlement("retry", "special", due.pk)[0] == "Trying again: 0 payments, 1 specials.\n"
    world.work()
    assert statuses(due) == {"captured"}
    assert settlement("retry", "special", due.pk)[0] == "Trying again: 0 payments, 0 specials.\n"


@pytest.mark.parametrize("scope", ["special", "restaurant", "all"])
def test_giving_up_needs_the_number_of_orders_and_can_be_repeated(world, due, scope):
    named = {"special": due.pk, "restaurant": "luigis", "all": ""}[scope]
    assert "Would end 2 orders" in settlement("give-up", scope, named, dry_run=True)[0]
    for wrong in (None, 1, 3):
        with pytest.raises(CommandError, match="--confirm 2"):
            settlement("give-up", scope, named, confirm=wrong)
    assert statuses(due) == {"authorized"}
    assert settlement("give-up", scope, named, confirm=2)[0] == (
        "Given up: 0 charges, 1 specials.\n"
    )
    world.work()
    assert statuses(due) == {"released"}
    assert world.fresh(due).status == "failed"
    assert settlement("give-up", scope, named)[0] == "Given up: 0 charges, 0 specials.\n"


def test_an_operation_is_paused_retried_and_given_up_by_its_number(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    world.close(offer)
    number = world.operation(order).pk
    settlement("pause", "operation", number, reason="Look at it")
    assert "0 payments" in settlement("retry", "operation", number)[0]
    world.work()
    assert world.fresh(order).payment_status == "authorized"
    settlement("give-up", "operation", number, confirm=1)
    world.work()
    assert world.fresh(order).payment_status == "released"
    assert settlement("give-up", "operation", number)[0].startswith("Given up: 0 charges")


@pytest.mark.parametrize(
    "arguments",
    [
        ("pause",),
        ("pause", "special", "x"),
        ("pause", "restaurant", "nobody"),
        ("pause", "operation", "1e3"),
        ("give-up", "scheduler"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(world, arguments):
    with pytest.raises(CommandError):
        settlement(*arguments, reason="x")
    assert not SettlementPause.objects.exists()


def test_pausing_needs_a_reason_and_a_name(world):
    with pytest.raises(CommandError, match="Enter a reason"):
        settlement("pause", "all")
    with pytest.raises(CommandError, match="--by"):
        run("settlement", "pause", "all", reason="x")


def test_a_special_that_is_not_due_is_left_alone(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.later(minutes=1)
    assert settlement("retry", "special", offer.pk)[0] == "Trying again: 0 payments, 0 specials.\n"
    assert settlement("give-up", "special", offer.pk)[0] == "Given up: 0 charges, 0 specials.\n"
    assert world.fresh(order).payment_status == "authorized"
    assert world.fresh(offer).deadline > world.now + timedelta(minutes=1)
