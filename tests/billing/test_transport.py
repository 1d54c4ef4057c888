"""How calls travel to Stripe: a missing answer is reported as one, and a configured proxy is
used."""

import socket
import threading
from typing import Any

import pytest
import stripe as stripe_api

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import IntentStatus, Refused, Unreachable
from apps.billing.stripe_gateway.transport import Transport
from apps.common.money import Money

NOBODY = "http://127.0.0.1:9"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def address_of(server):
    return f"http://127.0.0.1:{server.getsockname()[1]}"


def answers(server, times):
    """A server that answers this many times on one connection; yields the list of requests."""
    asked = []

    def serve():
        with server.accept()[0] as connection:
            for _ in range(times):
                asked.append(connection.recv(65_536).decode())
                connection.sendall(ANSWER)

    thread = threading.Thread(target=serve)
    thread.start()
    return asked, thread


def test_one_connection_serves_several_calls(listener):
    asked, thread = answers(listener, 2)
    transport = Transport(timeout=5)
    for _ in range(2):
        body, status, _ = transport.request(
            "get", f"{address_of(listener)}/v1/x", {"Authorization": "Bearer key"}
        )
        assert (body, status) == (b"{}", 200)
    thread.join()
    transport.close()
    assert all("authorization: bearer key\r\n" in each.lower() for each in asked)


def test_who_does_not_answer_in_time_can_have_done_it(listener):
    transport = Transport(timeout=0.05)
    with pytest.raises(stripe_api.APIConnectionError):
        transport.request("post", f"{address_of(listener)}/v1/x", {}, "a=b")
    transport.close()


def test_a_redirect_is_an_answer_like_any_other(listener):
    """Stripe sends none; one that came would not be Stripe's."""

    def serve():
        with listener.accept()[0] as connection:
            connection.recv(65_536)
            head = f"HTTP/1.1 302 Found\r\nLocation: {NOBODY}/\r\nContent-Length: 0\r\n\r\n"
            connection.sendall(head.encode())

    thread = threading.Thread(target=serve)
    thread.start()
    transport = Transport(timeout=5)
    _, status, _ = transport.request("get", f"{address_of(listener)}/v1/x", {})
    thread.join()
    transport.close()
    assert status == 302


def test_the_proxy_that_the_environment_names_is_asked(listener, monkeypatch):
    monkeypatch.setenv("http_proxy", address_of(listener))
    monkeypatch.setenv("no_proxy", "")
    asked, thread = answers(listener, 1)
    transport = Transport(timeout=5)
    transport.request("get", "http://stripe.example/v1/x", {})
    thread.join()
    transport.close()
    assert asked[0].startswith("GET http://stripe.example/v1/x HTTP/1.1\r\n")


def test_the_proxy_is_not_used_for_an_exempt_host(world, monkeypatch):
    held = world.authorized_order(world.offer())
    monkeypatch.setenv("http_proxy", NOBODY)
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    monkeypatch.setattr(stripe_api, "default_http_client", Transport(timeout=5))
    assert gateway.retrieve_intent(held.payment_intent_id).state is IntentStatus.HELD
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setattr(stripe_api, "default_http_client", Transport(timeout=5))
    with pytest.raises(Unreachable):
        gateway.retrieve_intent(held.payment_intent_id)


@pytest.mark.parametrize("call", ["retrieve_intent", "release", "capture"])
def test_an_intent_without_an_id_is_never_asked_for(world, call):
    """Its address would be that of the list of them all."""
    more: dict[str, dict[str, Any]] = {
        "retrieve_intent": {},
        "release": {"key": "k"},
        "capture": {"key": "k", "amount": Money(1), "fee": Money(0)},
    }
    with pytest.raises(Refused):
        getattr(gateway, call)("", **more[call])
