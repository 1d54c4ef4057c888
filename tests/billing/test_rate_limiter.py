"""Calls to Stripe stay within its limits, whoever makes them; people go before background work.

https://docs.stripe.com/rate-limits
"""

import socket
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from uuid import uuid4

import pytest
import stripe as stripe_api
from celery import shared_task
from django.conf import settings
from django.db import transaction
from local_stripe.errors import StripeError
from local_stripe.limits import Limits
from local_stripe.limits import RateLimiter as StripesLimiter
from redis import Redis

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import Busy
from apps.billing.stripe_gateway import rate_limiter, transport
from apps.billing.stripe_gateway.rate_limiter import LimitReached, RateLimiter, endpoint_of
from apps.billing.stripe_gateway.transport import Transport, delay_after

READ, CUSTOMERS = "GET /v1/payment_intents/{id}", "POST /v1/customers"


class Seconds:
    """A clock in seconds that moves only when somebody sleeps."""

    def __init__(self):
        self.now = 1_800_000_000.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def seconds():
    return Seconds()


@pytest.fixture
def new_limiter(seconds):
    """Limiters of one account: each has its own connection, as each process does."""
    account = uuid4().hex
    opened = []

    def make(per_second=100, per_endpoint=25):
        redis = Redis.from_url(settings.REDIS_URL)
        opened.append(redis)
        return RateLimiter(
            redis, account=account, per_second=per_second, per_endpoint=per_endpoint, clock=seconds
        )

    yield make
    for redis in opened:
        redis.close()


def send_all(limiter, seconds, calls, *, endpoint=READ, within=1e9, background=False):
    """When each of this many calls, requested now, would be sent, in seconds from now."""
    return [
        round(limiter.reserve(endpoint, within=within, background=background), 3)
        for _ in range(calls)
    ]


def take_all(limiter, *, endpoint=READ, within, background):
    """Reserve until there is nothing left; returns how many calls were granted."""
    for granted in count():
        try:
            limiter.reserve(endpoint, within=within, background=background)
        except LimitReached:
            return granted
    raise AssertionError


def busiest_second(moments):
    """The most moments in any second."""
    most = 0
    window: deque[float] = deque()
    for moment in sorted(moments):
        window.append(moment)
        while window[0] <= moment - 1 + 1e-6:
            window.popleft()
        most = max(most, len(window))
    return most


def test_an_endpoint_gets_two_calls_at_once_and_then_one_every_45_ms(new_limiter, seconds):
    assert send_all(new_limiter(), seconds, 5) == [0, 0, 0.044, 0.089, 0.133]


def test_no_second_has_more_calls_than_the_limit(new_limiter, seconds):
    sent = send_all(new_limiter(), seconds, 200)
    assert busiest_second(sent) == 24
    assert sent[-1] == pytest.approx(198 / 22.5, abs=0.001)


def test_all_endpoints_in_sum_stay_within_the_accounts_limit(new_limiter, seconds):
    limiter = new_limiter()
    sent = []
    for number in range(8):
        sent += send_all(limiter, seconds, 40, endpoint=f"GET /v1/things-{number}")
    assert busiest_second(sent) <= 100


def test_two_processes_share_one_limit(new_limiter, seconds):
    first, second = new_limiter(), new_limiter()
    sent = [send_all(limiter, seconds, 1)[0] for limiter in (first, second) * 3]
    assert sent == [0, 0, 0.044, 0.089, 0.133, 0.178]


def test_another_account_has_limits_of_its_own(new_limiter, seconds):
    send_all(new_limiter(), seconds, 10)
    other = RateLimiter(
        Redis.from_url(settings.REDIS_URL),
        account=uuid4().hex,
        per_second=100,
        per_endpoint=25,
        clock=seconds,
    )
    assert send_all(other, seconds, 2) == [0, 0]


def test_tokens_come_back_with_time(new_limiter, seconds):
    limiter = new_limiter()
    send_all(limiter, seconds, 24)
    seconds.sleep(1)
    assert send_all(limiter, seconds, 3) == [0.022, 0.067, 0.111]


def test_a_call_that_cannot_wait_so_long_takes_no_token(new_limiter, seconds):
    limiter = new_limiter()
    send_all(limiter, seconds, 2)
    for _ in range(3):
        with pytest.raises(LimitReached):
            limiter.reserve(READ, within=0.04, background=False)
    assert send_all(limiter, seconds, 1) == [0.044]


def test_nothing_waits_without_a_limit(new_limiter, seconds):
    limiter = new_limiter(per_second=0, per_endpoint=0)
    assert send_all(limiter, seconds, 100) == [0] * 100


class TestPriorities:
    def test_a_person_waits_for_half_a_second_of_background_work_at_most(
        self, new_limiter, seconds
    ):
        limiter = new_limiter()
        reserved = take_all(limiter, within=0.5, background=True)
        assert reserved == 2 + 11 + 1  # at once, in half a second, and its share
        assert send_all(limiter, seconds, 1, within=3) == [0.578]

    def test_background_work_takes_what_people_leave(self, new_limiter, seconds):
        limiter = new_limiter()
        done = {True: 0, False: 0}
        for _ in range(450):  # 20 seconds, in which people ask 15 times a second
            seconds.now += 1 / 22.5
            if done[False] < 15 * (seconds.now - 1_800_000_000):
                limiter.reserve(READ, within=3, background=False)
                done[False] += 1
            try:
                limiter.reserve(READ, within=0.5, background=True)
                done[True] += 1
            except LimitReached:
                pass
        assert done[False] in (300, 301)
        assert 145 <= done[True] <= 165

    def test_background_work_has_a_fifth_when_people_would_take_everything(
        self, new_limiter, seconds
    ):
        limiter = new_limiter()
        sent = {True: 0, False: 0}
        for _ in range(900):  # 20 seconds, each side asks as often as it can
            seconds.now += 1 / 45
            for background in (False, True):
                try:
                    within = 0.5 if background else 3
                    limiter.reserve(READ, within=within, background=background)
                    sent[background] += 1
                except LimitReached:
                    pass
        assert sent[True] == pytest.approx(20 * 22.5 / 5, rel=0.15)
        assert sent[False] > 3 * sent[True]


def test_without_redis_calls_are_sent_and_redis_is_left_alone_for_a_while(seconds, caplog):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    gone = RateLimiter(
        Redis(port=port, socket_connect_timeout=0.2),
        account="a",
        per_second=1,
        per_endpoint=1,
    )
    assert send_all(gone, seconds, 20, within=0) == [0] * 20
    assert caplog.text.count("calls to Stripe are not limited") == 1


@pytest.mark.parametrize(
    ("method", "path", "endpoint"),
    [
        ("get", "/v1/payment_intents/pi_3Nx", "GET /v1/payment_intents/{id}"),
        ("get", "/v1/payment_intents?limit=100", "GET /v1/payment_intents"),
        ("post", "/v1/payment_intents/pi_3Nx/capture", "POST /v1/payment_intents/{id}/capture"),
        ("post", "/v1/checkout/sessions", "POST /v1/checkout/sessions"),
        ("get", "/v1/checkout/sessions/cs_test_1?x=y", "GET /v1/checkout/sessions/{id}"),
        (
            "post",
            "/v1/checkout/sessions/cs_test_1/expire",
            "POST /v1/checkout/sessions/{id}/expire",
        ),
        ("post", "/v1/accounts/acct_1/login_links", "POST /v1/accounts/{id}/login_links"),
    ],
)
def test_an_endpoint_is_a_path_without_its_ids(method, path, endpoint):
    assert endpoint_of(method, path) == endpoint


# --- what the transport makes of it ---------------------------------------------------------------


class Server:
    """Answers each request with the next of the given responses, and keeps the requests."""

    def __init__(self, *answers):
        waiting = iter(answers)
        self.asked = asked = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                asked.append(self.headers["Idempotency-Key"])
                status, headers = next(waiting)
                self.send_response(status)
                for name, value in {**headers, "Content-Length": "2"}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1/customers"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def serve():
    opened = []

    def make(*answers):
        opened.append(Server(*answers))
        return opened[-1]

    yield make
    for server in opened:
        server.close()


@pytest.fixture
def send(seconds, transactional_db):
    """Sends a call as a person's request would, or with `limiter`; sleeping moves the seconds."""
    opened = []

    def ask(server, limiter=None):
        opened.append(Transport(timeout=5, limiter=limiter, sleep=seconds.sleep))
        return opened[-1].request("post", server.url, {"Idempotency-Key": "k1"}, "a=b")[1]

    yield ask
    for each in opened:
        each.close()


def test_what_stripe_refused_as_too_early_is_sent_again_with_its_key(serve, send, seconds):
    server = serve((429, {}), (429, {}), (200, {}))
    assert send(server) == 200
    assert server.asked == ["k1"] * 3
    first, second = seconds.slept
    assert 0.25 <= first <= 0.5
    assert 0.5 <= second <= 1.0


READINGS = [(), ("seconds_begin_with_the_clock",), ("refused_requests_count",)]


@pytest.fixture
def stripes_limiter(seconds, request):
    """Local Stripe's, with one of the readings of what a second is."""
    return StripesLimiter(Limits(100, 25), seconds, does=lambda name: name in request.param)


def is_refused(limiter):
    try:
        limiter.check(READ)
    except StripeError:
        return True
    return False


@pytest.mark.parametrize("stripes_limiter", READINGS, indirect=True)
@pytest.mark.parametrize("begins_at", [0.0, 0.3, 0.96])
def test_no_call_is_refused_however_stripe_measures_a_second(
    new_limiter, seconds, stripes_limiter, begins_at
):
    seconds.now += begins_at
    begun, sent = seconds.now, send_all(new_limiter(), seconds, 120)
    for moment in sent:
        seconds.now = begun + moment
        assert not is_refused(stripes_limiter), moment


@pytest.mark.parametrize("stripes_limiter", READINGS, indirect=True)
def test_a_call_refused_because_of_others_gets_through_however_a_second_is_measured(
    new_limiter, seconds, stripes_limiter, monkeypatch, transactional_db
):
    """Somebody else's program has just used up the limit of this second."""
    while not is_refused(stripes_limiter):
        pass
    answers = []

    def answer(*request):
        answers.append(429 if is_refused(stripes_limiter) else 200)
        return b"{}", answers[-1], {}

    sender = Transport(timeout=5, limiter=new_limiter(), sleep=seconds.sleep)
    monkeypatch.setattr(sender, "_send", answer)
    assert sender.request("get", "https://api.stripe.test/v1/payment_intents/pi_1", {})[1] == 200
    assert answers[0] == 429


def test_the_delay_is_random_and_grows_up_to_four_seconds():
    delays = [delay_after((b"", 429, {}), 9) for _ in range(50)]
    assert 2 <= min(delays) < max(delays) <= 4


def test_a_person_waits_three_seconds_and_then_hears_that_it_is_busy(serve, send, seconds):
    server = serve(*[(429, {})] * 10)
    assert send(server) == 429
    assert sum(seconds.slept) <= rate_limiter.PERSONS_PATIENCE_SECONDS
    assert len(server.asked) - 1 == len(seconds.slept) >= 2


def test_stripe_says_when_the_next_attempt_can_come(serve, send, seconds):
    assert send(serve((429, {"Retry-After": "2"}), (200, {}))) == 200
    assert seconds.slept == [2]


def test_stripe_says_that_another_attempt_is_of_no_use(serve, send, seconds):
    server = serve((429, {"Stripe-Should-Retry": "false"}))
    assert send(server) == 429
    assert (len(server.asked), seconds.slept) == (1, [])


@pytest.mark.parametrize(("said", "attempts"), [("true", 2), ("false", 1), (None, 1)])
def test_a_failure_is_repeated_only_if_stripe_says_so(serve, send, said, attempts):
    """Its outcome is unknown otherwise, and Stripe replays it for the key."""
    headers = {"Stripe-Should-Retry": said} if said else {}
    server = serve((500, headers), (200, {}))
    assert send(server) == (200 if attempts == 2 else 500)
    assert len(server.asked) == attempts


def test_a_call_waits_for_its_turn(serve, send, seconds, new_limiter):
    limiter = new_limiter()
    send_all(limiter, seconds, 24, endpoint=CUSTOMERS)
    assert send(serve((200, {})), limiter) == 200
    assert seconds.slept == [pytest.approx(23 / 22.5, abs=0.001)]


def test_a_call_whose_turn_comes_too_late_is_not_sent(serve, send, seconds, new_limiter):
    limiter = new_limiter()
    send_all(limiter, seconds, 100, endpoint=CUSTOMERS)
    server = serve((200, {}))
    with pytest.raises(stripe_api.RateLimitError):
        send(server, limiter)
    assert (server.asked, seconds.slept) == ([], [])


def test_nothing_waits_while_a_transaction_is_open(serve, send, seconds, new_limiter):
    """Others would wait for its locks."""
    limiter = new_limiter()
    send_all(limiter, seconds, 12, endpoint=CUSTOMERS)
    with transaction.atomic():
        assert send(serve((429, {"Retry-After": "1"}), (200, {})), limiter) == 200
    assert seconds.slept == []


def test_background_work_asks_again_until_it_is_its_turn(
    serve, send, seconds, new_limiter, monkeypatch
):
    monkeypatch.setattr(transport, "is_background", lambda: True)
    limiter = new_limiter()
    send_all(limiter, seconds, 2 + 45, endpoint=CUSTOMERS)  # people have the next two seconds
    assert take_all(limiter, endpoint=CUSTOMERS, within=0.5, background=True) == 1
    server = serve((200, {}))
    assert send(server, limiter) == 200
    assert len(seconds.slept) >= 2
    assert sum(seconds.slept) <= rate_limiter.BACKGROUND_PATIENCE_SECONDS


def test_a_limit_that_stays_is_told_as_busy(world):
    """429s to the end of a person's patience: nothing was done."""
    order = world.begin(world.offer())
    world.stripe.control(limits={"per_second": 0})
    with pytest.raises(Busy):
        gateway.retrieve_checkout(order.checkout_session_id)


def test_a_workers_task_is_background_work_and_a_request_is_not():
    seen = []

    @shared_task(name="tests.who_asks")
    def who_asks():
        seen.append(rate_limiter.is_background())

    who_asks.apply()
    assert (seen, rate_limiter.is_background()) == ([True], False)
