"""Rate limits and lock timeouts: https://docs.stripe.com/rate-limits."""

from pathlib import Path

import pytest
import stripe
from local_stripe.errors import StripeError
from local_stripe.limits import DOCUMENTED, Limits, RateLimiter
from local_stripe.testing import ControlRefused, LocalStripe

READ, CREATE = "GET /v1/payment_intents/{id}", "POST /v1/payment_intents"


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def reason(limiter: RateLimiter, endpoint: str) -> str | None:
    """Why the request is refused; None if it is accepted."""
    try:
        limiter.check(endpoint)
    except StripeError as refused:
        return refused.headers["Stripe-Rate-Limited-Reason"]
    return None


def code_of(error: stripe.StripeError) -> str:
    body: dict[str, dict[str, str]] = error.json_body  # type: ignore[assignment]
    return body["error"]["code"]


def test_each_endpoint_takes_its_limit_in_any_second() -> None:
    clock = Seconds()
    limiter = RateLimiter(DOCUMENTED["live"], clock)
    assert [reason(limiter, READ) for _ in range(26)] == [None] * 25 + ["endpoint-rate"]
    assert reason(limiter, CREATE) is None
    clock.now = 0.99
    assert reason(limiter, READ) == "endpoint-rate"
    clock.now = 1.0
    assert [reason(limiter, READ) for _ in range(26)] == [None] * 25 + ["endpoint-rate"]
    assert limiter.refused == 3


def test_all_endpoints_in_sum_take_the_accounts_limit() -> None:
    limiter = RateLimiter(Limits(per_second=3, per_endpoint=2), Seconds())
    asked = [reason(limiter, endpoint) for endpoint in (READ, READ, CREATE, CREATE)]
    assert asked == [None, None, None, "global-rate"]


def test_a_second_can_begin_with_the_clocks() -> None:
    clock = Seconds()
    limiter = RateLimiter(
        Limits(per_endpoint=2), clock, does=lambda name: name == "seconds_begin_with_the_clock"
    )
    clock.now = 0.9
    assert [reason(limiter, READ) for _ in range(3)] == [None, None, "endpoint-rate"]
    clock.now = 1.0
    assert [reason(limiter, READ) for _ in range(3)] == [None, None, "endpoint-rate"]


def test_refused_requests_can_count() -> None:
    clock = Seconds()
    limiter = RateLimiter(
        Limits(per_endpoint=1), clock, does=lambda name: name == "refused_requests_count"
    )
    assert [reason(limiter, READ), reason(limiter, READ)] == [None, "endpoint-rate"]
    clock.now = 0.5
    assert reason(limiter, READ) == "endpoint-rate"
    clock.now = 1.2  # the first one is over, the last refused one isn't
    assert reason(limiter, READ) == "endpoint-rate"


def test_nothing_is_limited_unless_it_is_switched_on() -> None:
    limiter = RateLimiter(clock=Seconds())
    assert {reason(limiter, READ) for _ in range(500)} == {None}


def test_a_refused_request_can_be_repeated_with_its_key(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    server.control(limits={"per_second": 0})
    with pytest.raises(stripe.RateLimitError) as refused:
        api.v1.customers.create({"name": "Ann"}, {"idempotency_key": "k1"})
    assert code_of(refused.value) == "rate_limit"
    assert refused.value.headers is not None
    assert refused.value.headers["Stripe-Rate-Limited-Reason"] == "global-rate"
    assert "Retry-After" not in refused.value.headers
    assert server.control()["rate_limited"] == 1
    server.control(limits="off")
    made = api.v1.customers.create({"name": "Ann"}, {"idempotency_key": "k1"})
    assert [customer.id for customer in api.v1.customers.list().data] == [made.id]


def test_a_lock_timeout_asks_for_another_attempt(
    server: LocalStripe, api: stripe.StripeClient
) -> None:
    server.control(http_fault={"kind": "lock_timeout"})
    with pytest.raises(stripe.RateLimitError) as refused:
        api.v1.customers.create({})
    assert code_of(refused.value) == "lock_timeout"
    assert refused.value.headers is not None
    assert refused.value.headers["Stripe-Should-Retry"] == "true"
    assert "Stripe-Rate-Limited-Reason" not in refused.value.headers


def test_limits_that_do_not_exist_are_refused(server: LocalStripe) -> None:
    with pytest.raises(ControlRefused, match="live, sandbox, off"):
        server.control(limits="production")


def test_it_can_start_slow_and_limited(tmp_path: Path) -> None:
    started = LocalStripe(tmp_path, options=("--limits", "sandbox", "--latency", "0.001")).start()
    try:
        with pytest.raises(ControlRefused):
            started.control(limits={"per_minute": 1})
        assert started.control(latency={"seconds": 0.002})["latency"] == {"/v1/": 0.002}
        assert started.control()["limits"] == {"per_second": 25, "per_endpoint": 25}
    finally:
        started.stop()
