"""Settling specials by schedule and by hand: one scheduler at a time, and nothing is forgotten."""

from datetime import timedelta
from threading import Barrier, local

import pytest

from apps.common.errors import Invalid
from apps.preorders import tasks
from apps.preorders.core import jobs
from apps.preorders.models import ExpirationRun, ExpirationSchedule, PaymentOperation
from apps.preorders.models.states import RunTrigger
from apps.preorders.settlement import deadline, expirations, overdue, pauses
from tests.caching import forget_everything
from tests.threads import STUCK_AFTER, at_once


def start(world, minutes=60):
    return expirations.start_scheduler(interval_minutes=minutes, by="Maria", now=world.now)


def stop(world, reason="Stripe is being migrated"):
    return expirations.stop_scheduler(reason=reason, by="Maria", now=world.now)


def tick(world):
    """Let a second of the schedule pass, with everything that it causes."""
    forget_everything()  # an offer is looked at every five seconds of real time
    tasks.close_due_offers_task.delay()
    return world.work()


def run(world, trigger=RunTrigger.STAFF):
    return expirations.process_expirations(trigger=trigger, by="Maria", now=world.now)


def figures(run):
    return (run.processed_specials, run.confirmed_orders, run.cancelled_orders)


@pytest.mark.parametrize("minutes", [5, 60, 1440])
def test_a_started_scheduler_runs_every_so_many_minutes(world, minutes):
    status = start(world, minutes)
    assert (status.is_running, status.interval_minutes) == (True, minutes)
    assert status.next_run == world.now + timedelta(minutes=minutes)
    assert "preorders.process_expirations" not in tick(world)
    world.later(minutes=minutes)
    assert "preorders.process_expirations" in tick(world)
    assert ExpirationRun.objects.get().trigger == "schedule"
    assert expirations.scheduler_status(now=world.now).next_run == world.now + timedelta(
        minutes=minutes
    )
    assert "preorders.process_expirations" not in tick(world)


@pytest.mark.parametrize("minutes", [-60, 0, 4, 1441])
def test_an_interval_out_of_range_is_refused(world, minutes):
    with pytest.raises(Invalid, match="5 to 1440"):
        start(world, minutes)
    assert not ExpirationSchedule.objects.exists()


def test_a_running_scheduler_gets_a_new_interval(world):
    start(world, 1440)
    world.later(minutes=10)
    assert start(world, 5).next_run == world.now + timedelta(minutes=5)


def test_a_new_installation_runs_without_being_started(world):
    assert expirations.scheduler_status(now=world.now).is_running
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    tick(world)
    assert world.fresh(order).payment_status == "captured"


def test_a_stopped_scheduler_leaves_specials_undecided_until_it_is_started(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    status = stop(world)
    assert (status.is_running, status.next_run) == (False, None)
    world.at(offer.deadline + timedelta(hours=2))
    assert "preorders.process_expirations" not in tick(world)
    world.hear_of_intent(order)  # nor does a webhook decide it
    tick(world)
    assert world.fresh(offer).status == "closing"
    (late,) = overdue.overdue_offers(now=world.now)
    assert (late.held_orders, late.first_hold_ends) == (1, order.capture_before)
    start(world)
    tick(world)
    assert world.fresh(offer).status == "succeeded"
    assert world.fresh(order).payment_status == "captured"
    assert list(overdue.overdue_offers(now=world.now)) == []
    tick(world)
    assert PaymentOperation.objects.count() == 1


def test_a_stopped_scheduler_carries_out_what_is_decided(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    world.close(offer)
    stop(world)
    world.work()
    assert world.fresh(order).payment_status == "captured"


def test_stopping_says_who_and_why_and_survives_a_restart(world):
    stop(world)
    stop(world, reason="Another")
    (pause,) = pauses.settlement_pauses(now=world.now)
    assert (pause.scope, pause.started_by, pause.reason) == (
        "scheduler",
        "Maria",
        "Stripe is being migrated",
    )
    world.later(days=30)
    assert not expirations.scheduler_status(now=world.now).is_running


# --- by hand --------------------------------------------------------------------------------------
def test_a_run_by_hand_settles_what_is_due_and_counts_it_once(world):
    ahead, short = world.offer(min_preorders=2), world.offer(min_preorders=3)
    for offer in (ahead, short):
        for _ in range(2):
            world.authorized_order(offer)
    not_due = world.offer(min_preorders=1, deadline=ahead.deadline + timedelta(days=1))
    stop(world)
    world.at(ahead.deadline)
    done = run(world)
    assert figures(done) == (2, 2, 2)
    assert world.fresh(not_due).status == "active"
    world.work()
    assert world.fresh(ahead).status == "succeeded"
    assert figures(run(world)) == (0, 0, 0)
    assert [each.finished_at for each in expirations.last_runs()] == [world.now] * 2


def test_a_run_by_hand_respects_a_pause(world):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    pauses.pause_settlement(target=pauses.EVERYTHING, reason="x", by="Maria", now=world.now)
    world.at(offer.deadline)
    done = run(world)
    assert figures(done) == (0, 0, 0)
    assert done.waiting_specials == 1
    assert world.fresh(offer).status == "closing"


def test_a_special_that_fails_does_not_stop_the_others(world, monkeypatch):
    broken, fine = world.offer(min_preorders=1), world.offer(min_preorders=1)
    for offer in (broken, fine):
        world.authorized_order(offer)
    settle = deadline.settle_offer

    def breaks(offer_id, **options):
        if offer_id == broken.pk:
            raise ZeroDivisionError
        return settle(offer_id, **options)

    world.at(fine.deadline)
    with monkeypatch.context() as patched:
        patched.setattr(expirations, "settle_offer", breaks)
        done = run(world)
    assert (done.processed_specials, done.failed_specials) == (1, 1)
    assert figures(run(world)) == (1, 1, 0)


def test_a_run_out_of_time_leaves_the_rest_to_the_next(world):
    for _ in range(3):
        offer = world.offer(min_preorders=1)
    world.at(offer.deadline)
    turns = iter([True, False])
    first = expirations.process_expirations(
        trigger=RunTrigger.STAFF, now=world.now, has_time=lambda: next(turns)
    )
    assert (first.processed_specials, first.waiting_specials) == (1, 2)
    assert run(world).processed_specials == 2


def test_a_run_that_died_is_shown_as_unfinished_and_the_next_one_does_its_work(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)

    class Killed(BaseException):
        pass

    def dies(*_, **__):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(expirations, "settle_offer", dies)
        with pytest.raises(Killed):
            run(world, RunTrigger.SCHEDULE)
    assert ExpirationRun.objects.get().finished_at is None
    assert figures(run(world, RunTrigger.SCHEDULE)) == (1, 1, 0)
    world.work()
    assert world.fresh(order).payment_status == "captured"


# --- two schedulers, deaths, and clocks -----------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_of_two_schedulers_at_once_one_has_its_turn_and_settles_once(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    start(world, 5)
    world.at(offer.deadline)
    both_are_here, here = Barrier(2), local()
    claim = expirations._claim_schedule

    def meet():
        """Keep the row locked until the other thread has asked for it, too."""
        schedule = claim()
        if not getattr(here, "was", False):
            here.was = True
            both_are_here.wait(STUCK_AFTER)
        return schedule

    with monkeypatch.context() as patched:
        patched.setattr(expirations, "_claim_schedule", meet)
        turns = at_once(*[lambda: expirations.dispatch(now=world.now)] * 2)
    assert True in turns, turns
    assert not [turn for turn in turns if isinstance(turn, Exception)]
    assert world.tasks.names.count("preorders.process_expirations") == 1
    assert world.tasks.names.count("preorders.close_offer") == 1
    world.work()
    assert world.fresh(order).payment_status == "captured"
    assert PaymentOperation.objects.count() == 1


def test_a_scheduler_that_dies_before_its_commit_leaves_the_run_to_the_next(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    start(world, 5)
    world.at(offer.deadline)

    def dies():
        raise ConnectionError

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "enqueue_expirations", dies)
        with pytest.raises(ConnectionError):
            expirations.dispatch(now=world.now)
    assert ExpirationSchedule.objects.get().next_run_at < world.now
    assert "preorders.process_expirations" in tick(world)


def test_what_a_scheduler_lost_after_its_commit_is_found_by_the_next_tick(world):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    start(world, 5)
    world.at(offer.deadline)
    expirations.dispatch(now=world.now)
    world.tasks.waiting.clear()  # it died before its messages were sent
    world.later(seconds=5)
    expirations.dispatch(now=world.now)
    world.later(minutes=5)
    tick(world)
    assert world.fresh(order).payment_status == "captured"


def test_a_clock_that_was_ahead_does_not_postpone_the_next_run(world):
    start(world, 5)
    ExpirationSchedule.objects.update(next_run_at=world.now + timedelta(days=400))
    assert "preorders.process_expirations" in tick(world)
    assert ExpirationSchedule.objects.get().next_run_at == world.now + timedelta(minutes=5)


def test_a_clock_that_jumps_ahead_makes_one_run_and_not_one_for_each_interval(world):
    start(world, 5)
    world.later(days=2)
    assert tick(world).count("preorders.process_expirations") == 1
    assert tick(world).count("preorders.process_expirations") == 0


# --- figures --------------------------------------------------------------------------------------
def test_the_figures_count_open_closing_and_closed_specials_and_held_orders(world):
    soon = world.offer(deadline=world.now + timedelta(hours=24), min_preorders=9)
    world.offer(deadline=world.now + timedelta(hours=25))
    overdue_one = world.offer(deadline=world.now + timedelta(minutes=1), min_preorders=9)
    world.authorized_order(soon)
    world.begin(soon)  # has no card yet
    world.authorized_order(overdue_one)
    canceled = world.authorized_order(soon)
    world.cancel(canceled)
    world.later(minutes=2)
    stats = overdue.expiration_stats(now=world.now)
    assert (stats.active_specials, stats.expiring_soon, stats.expired) == (2, 1, 1)
    assert stats.total_pending_orders == 2
