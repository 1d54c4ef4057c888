"""Parts of the running program are killed while orders come in: clear answers, and nothing lost.

One evening with one special: each part goes, a guest orders meanwhile, it comes back. In the end
each guest who was told that the order stands is charged exactly once, and nobody else.
"""

import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests import database
from tests.e2e.calls import publish
from tests.e2e.conftest import _with_database
from tests.e2e.steps import GOOD
from tests.e2e.waiting import eventually
from tests.faults.outages import FragileStack

# The answers that a guest can get without each part.
ORDERS_ARE_TAKEN_WITHOUT = {"worker", "beat"}


@pytest.fixture(scope="module")
def program(
    django_db_setup: None,
    django_db_blocker: Any,
    worker_name: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[FragileStack]:
    from django.conf import settings

    own = str(settings.DATABASES["default"]["NAME"])
    with django_db_blocker.unblock(), database.copy_for(f"{worker_name}_outages") as name:
        database.use(own)
        started = FragileStack(
            database_url=_with_database(os.environ["DATABASE_URL"], name),
            redis_url=os.environ["REDIS_URL"],
            folder=tmp_path_factory.mktemp("outages"),
            number=8 + int("".join(filter(str.isdigit, worker_name)) or 0) % 2,
        )
        try:
            yield started.start()
        finally:
            started.stop()


def order(program: FragileStack, special: str, email: str) -> httpx.Response:
    wanted = {
        "dishId": special,
        "quantity": 1,
        "customerName": "Dana Guest",
        "customerEmail": email,
        "customerPhone": "212 555 0199",
    }
    return httpx.post(program.url("/api/pre-orders"), json=wanted, timeout=30)


def pay(program: FragileStack, answer: httpx.Response) -> str:
    """The guest enters a card at Stripe; the program hears of it when it can."""
    found = str(answer.json()["preorderId"])
    [(checkout,)] = program.query(
        "SELECT checkout_session_id FROM preorders_preorder WHERE id = %s", found
    )
    program.stripe.pay(checkout, number=GOOD)
    return found


def health(program: FragileStack) -> httpx.Response:
    return httpx.get(program.url("/api/health"), timeout=10)


def state_of(program: FragileStack) -> str:
    """`ok`, or the problems that `/api/health` reports. Processes that ended are started again."""
    program.restart_exited()
    try:
        answer = health(program)
    except httpx.TransportError as error:
        return type(error).__name__
    return "ok" if answer.status_code == 200 else answer.text


def payments_of(program: FragileStack, special: str) -> set[str]:
    program.restart_exited()
    return {payment for _, _, payment in program.orders(special)}


def is_clear(answer: httpx.Response) -> bool:
    """Whether the answer is a refusal in the API's format, with a message, whatever is broken."""
    body = answer.json()
    return answer.status_code in (500, 503) and bool(body["message"]) and "Error" not in answer.text


def evening(program: FragileStack, *parts: str) -> None:
    """One evening: each part dies and comes back while a guest orders, then again while cards are
    charged."""
    special = publish(program, f"An evening without {', '.join(parts)}")
    ordered = []
    for part in parts:
        program.kill(part)
        guest = f"{part}@example.test"
        if part == "web":
            with pytest.raises(httpx.TransportError):
                order(program, special, guest)
        elif part in ORDERS_ARE_TAKEN_WITHOUT:
            answer = order(program, special, guest)
            assert answer.status_code == 201, answer.text
            ordered.append(pay(program, answer))
        else:
            refused = order(program, special, guest)
            assert is_clear(refused), f"{part}: {refused.status_code} {refused.text[:500]}"
            state = health(program)
            assert state.status_code == 503
            name = {"redis": "cache", "postgres": "database"}[part]
            assert state.json()[name] != "ok"
            live = httpx.get(program.url("/api/health/live"), timeout=10)
            assert live.status_code == 200
        program.start_again(part)
        eventually(lambda: state_of(program), "ok", within=90)
        if part not in ORDERS_ARE_TAKEN_WITHOUT:
            answer = order(program, special, guest)
            assert answer.status_code == 201, answer.text
            ordered.append(pay(program, answer))
    held = "SELECT count(*) FROM preorders_preorder WHERE payment_status = 'authorized'"
    eventually(
        lambda: program.query(f"{held} AND offer_id = %s", special), [(len(parts),)], within=60
    )

    program.bring_deadline(special, seconds=0.5)
    for part in parts:
        program.kill(part)
        program.start_again(part)
    eventually(lambda: payments_of(program, special), {"captured"}, within=120)
    rows = program.orders(special)
    assert [email for email, _, _ in rows] == [f"{part}@example.test" for part in parts]
    captures = program.query(
        "SELECT pre_order_id, count(*) FROM billing_paymenthistory"
        " WHERE transaction_type = 'capture' AND offer_id = %s GROUP BY 1",
        special,
    )
    assert sorted(str(found) for found, _ in captures) == sorted(ordered)
    assert {count for _, count in captures} == {1}
    assert program.query("SELECT count(*) FROM billing_discrepancy") == [(0,)]


def test_processes_die_while_orders_come_in_and_every_guest_is_charged_once(program):
    evening(program, "worker", "beat", "web")


def test_postgres_goes_while_orders_come_in_and_every_guest_is_charged_once(program):
    evening(program, "postgres")


def test_redis_goes_while_orders_come_in_and_every_guest_is_charged_once(program):
    evening(program, "redis")
