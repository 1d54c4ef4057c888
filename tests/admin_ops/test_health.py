"""What the health check says about workers and the scheduler."""

from datetime import timedelta
from threading import Event

import pytest

from apps.admin_ops import health, tasks

pytestmark = pytest.mark.django_db
NEVER_COMPARED = {"isLate": False, "lastFinishedAt": None, "read": 0, "openDifferences": 0}
QUEUES = ("settlement", "celery", "heartbeat", "alarms", "webhooks", "maintenance")


def report(now):
    return {name: health.check_health(now=now)[name] for name in ("worker", "scheduler")}


def test_all_is_well_while_each_queue_has_a_worker_and_the_heartbeat_comes(clock):
    health.note_worker(QUEUES, now=clock.now)
    tasks.heartbeat.apply()
    assert report(clock.now) == {"worker": "ok", "scheduler": "ok"}


def test_a_queue_without_a_worker_is_named(clock):
    health.note_worker(QUEUES[1:], now=clock.now)
    tasks.heartbeat.apply()
    assert report(clock.now) == {"worker": "settlement: no heartbeat yet", "scheduler": "ok"}


def test_a_worker_that_died_is_noticed_after_half_a_minute(clock):
    health.note_worker(QUEUES, now=clock.now)
    later = clock.now + timedelta(seconds=31)
    health.note_worker(QUEUES[1:], now=later)
    assert report(later)["worker"] == "settlement: no heartbeat for 31 s"


def test_a_scheduler_that_died_is_not_blamed_on_the_workers(clock):
    tasks.heartbeat.apply()
    later = clock.now + timedelta(seconds=31)
    health.note_worker(QUEUES, now=later)
    assert report(later) == {"worker": "ok", "scheduler": "no heartbeat for 31 s"}


def test_a_workers_own_heartbeat_names_the_queues_it_takes_from(clock):
    tasks.worker_lives()
    assert report(clock.now)["worker"] == "ok"


class TestTheEndpoint:
    def test_it_answers_200_while_all_four_respond(self, api, clock):
        health.note_worker(QUEUES, now=clock.now)
        tasks.heartbeat.apply()
        answer = api().get("/api/health")
        assert answer.status_code == 200
        names = ("status", "database", "cache", "worker", "scheduler")
        assert answer.json() == {**dict.fromkeys(names, "ok"), "reconciliation": NEVER_COMPARED}

    def test_it_answers_503_and_names_what_does_not(self, api, clock):
        health.note_worker(QUEUES, now=clock.now)
        answer = api().get("/api/health")
        assert answer.status_code == 503
        assert answer.json() == {
            "status": "failing",
            "database": "ok",
            "cache": "ok",
            "worker": "ok",
            "scheduler": "no heartbeat yet",
            "reconciliation": NEVER_COMPARED,
        }

    def test_a_probe_that_breaks_is_named_by_its_error(self, api, clock, monkeypatch):
        def broken():
            raise ConnectionError

        monkeypatch.setattr(health, "_cache", broken)
        health.note_worker(QUEUES, now=clock.now)
        tasks.heartbeat.apply()
        answer = api().get("/api/health")
        assert (answer.status_code, answer.json()["cache"]) == (503, "ConnectionError")


class TestLiveAndReady:
    def test_a_process_that_answers_is_live_whatever_is_broken(self, api, monkeypatch):
        for probe in ("_cache", "_database"):
            monkeypatch.setattr(health, probe, lambda: "gone")
        answer = api().get("/api/health/live")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})

    def test_it_is_ready_without_workers_and_scheduler(self, api, clock):
        answer = api().get("/api/health/ready")
        assert answer.status_code == 200
        assert answer.json() == {"status": "ok", "database": "ok", "cache": "ok"}

    @pytest.mark.parametrize("part", ["database", "cache"])
    def test_it_is_not_ready_without_what_a_request_needs(self, api, monkeypatch, part):
        def broken():
            raise ConnectionError("postgresql://fully_booked:s3cret@db.internal:5432")

        monkeypatch.setattr(health, f"_{part}", broken)
        answer = api().get("/api/health/ready")
        assert (answer.status_code, answer.json()[part]) == (503, "ConnectionError")
        assert "s3cret" not in answer.content.decode()

    @pytest.mark.parametrize("path", ["", "/live", "/ready"])
    def test_nobody_needs_to_sign_in(self, api, clock, path):
        assert api().get(f"/api/health{path}").status_code in (200, 503)

    def test_a_probe_that_hangs_is_not_waited_for(self, api, clock, monkeypatch):
        """The others' answers are given."""
        let_go = Event()
        monkeypatch.setattr(health, "_cache", lambda: str(let_go.wait(30)))
        monkeypatch.setattr(health, "LONGEST_WAIT_SECONDS", 0.2)
        try:
            answer = api().get("/api/health/ready")
        finally:
            let_go.set()
        assert answer.status_code == 503
        assert answer.json() == {
            "status": "failing",
            "database": "ok",
            "cache": "no answer within 0.2 s",
        }
