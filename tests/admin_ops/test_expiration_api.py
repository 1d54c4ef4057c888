"""The API of expiration management, as the platform's staff call it."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator

from apps.accounts.services import issue_token
from apps.common.error_codes import ErrorCode
from apps.preorders.models import ExpirationRun, ExpirationSchedule, SettlementPause
from tests.factories import StaffFactory

STATS = "/api/admin/expiration-stats"
STATUS = "/api/admin/scheduler/status"
PROCESS = "/api/admin/process-expirations"
START = "/api/admin/scheduler/start"
STOP = "/api/admin/scheduler/stop"
CALLS = [("get", STATS), ("get", STATUS), ("post", PROCESS), ("post", START), ("post", STOP)]


@pytest.fixture
def staff(api):
    return api(StaffFactory(email="staff@platform.test", name="Sam"))


def test_the_figures_are_four_numbers(world, staff):
    world.authorized_order(world.offer(deadline=world.now + timedelta(hours=3)))
    assert staff.get(STATS).json() == {
        "activeSpecials": 1,
        "expiringSoon": 1,
        "expired": 0,
        "totalPendingOrders": 1,
    }


def test_a_run_answers_what_it_decided(world, staff):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.at(offer.deadline)
    assert staff.post(PROCESS).json() == {
        "processedSpecials": 1,
        "confirmedOrders": 1,
        "cancelledOrders": 0,
    }
    world.work()
    assert world.fresh(order).payment_status == "captured"
    assert ExpirationRun.objects.get().started_by == "Sam"
    assert staff.post(PROCESS).json()["processedSpecials"] == 0


def test_the_scheduler_is_stopped_and_started_with_an_interval(world, staff):
    assert staff.get(STATUS).json()["isRunning"] is True
    assert staff.post(STOP).json() == {"isRunning": False, "nextRun": None}
    assert staff.get(STATUS).json() == {"isRunning": False, "nextRun": None}
    started = staff.post(START, {"intervalMinutes": 30}).json()
    assert started["isRunning"] is True
    assert started["nextRun"] == (world.now + timedelta(minutes=30)).isoformat().replace(
        "+00:00", "Z"
    )
    assert staff.get(STATUS).json() == started


def test_stopping_keeps_who_did_it_and_why(world, staff):
    staff.post(STOP, {"reason": "Stripe is being migrated"})
    pause = SettlementPause.objects.get()
    assert (pause.started_by, pause.reason) == ("Sam", "Stripe is being migrated")


@pytest.mark.parametrize("interval", [4, 1441, 0, -5, "soon", 7.5, None, [60], True, 10**30])
def test_an_interval_that_is_none_is_refused_and_nothing_is_written(world, staff, interval):
    answer = staff.post(START, {"intervalMinutes": interval})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "intervalMinutes"
    assert not ExpirationSchedule.objects.exists()


def test_a_missing_interval_is_refused(world, staff):
    assert staff.post(START).json()["message"] == "Enter an interval from 5 to 1440 minutes."


def test_a_reason_that_is_too_long_is_refused(world, staff):
    assert staff.post(STOP, {"reason": "x" * 256}).status_code == 400
    assert not SettlementPause.objects.exists()


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_nobody_is_let_in_but_staff_with_a_second_factor(api, cast, method, path):
    Authenticator.objects.filter(user=cast.staff).delete()
    clients = {
        ErrorCode.UNAUTHENTICATED: [api()],
        ErrorCode.FORBIDDEN: [api(cast.owner), api(cast.stranger)],
        ErrorCode.TWO_FACTOR_REQUIRED: [api(cast.staff)],
    }
    for code, refused in clients.items():
        for client in refused:
            answer = getattr(client, method)(path)
            assert (answer.status_code, answer.json()["code"]) == (code.status, code)
    assert not SettlementPause.objects.exists()
    assert not ExpirationRun.objects.exists()


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_token_of_staff_is_refused(api, cast, clock, method, path):
    token = issue_token(user=cast.staff, now=clock.now)
    answer = getattr(api(), method)(path, headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_the_calls_are_on_the_platforms_host_only(api, cast, method, path):
    assert getattr(api(at=cast.restaurant), method)(path).status_code == 404
