"""The examples of docs/api.md run as they stand there, against the running program."""

import re
import shlex
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import requests
from standardwebhooks.webhooks import Webhook

from apps.accounts.services import issue_token
from apps.common import clock as our_clock
from apps.common import rls
from apps.common.standard_webhooks import new_secret, signed_headers
from apps.integrations.event_types import TEST_EVENT, EventType
from tests.factories import SpecialOfferFactory, save_crowd

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()
HOST = "https://fullybooked.example"


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def curl(command: str, **variables: str) -> requests.Response:
    """Send the request of a curl command. The machine may not have curl itself."""
    for name, value in variables.items():
        command = command.replace(f"${name}", value)
    program, url, *rest = shlex.split(command.replace("\\\n", " "))
    assert (program, "$" in command) == ("curl", False), command
    headers, data = {}, None
    for option, value in zip(rest[::2], rest[1::2], strict=True):
        if option == "--header":
            name, _, text = value.partition(": ")
            headers[name] = text
        else:
            assert option == "--data", option
            data = value
    return requests.request("POST" if data else "GET", url, headers=headers, data=data, timeout=30)


@pytest.fixture
def served(live_server: Any, cast: Any) -> str:
    """The program's address; its restaurant has five confirmed orders."""
    with rls.acting_as(rls.PLATFORM):
        offer = SpecialOfferFactory(restaurant=cast.restaurant)
        save_crowd(5, restaurant=cast.restaurant, offer=offer, status="confirmed")
    return str(live_server.url)


@pytest.mark.django_db(transaction=True)
class TestTheApi:
    def test_the_curl_example_reads_orders(self, served, cast):
        token = issue_token(user=cast.owner, now=our_clock.now(), scope="read")
        reading = examples("sh")[0].replace(HOST, served)
        answer = curl(reading, TOKEN=token)
        assert answer.status_code == 200
        assert len(answer.json()["orders"]) == 2
        assert answer.json()["nextCursor"]
        assert curl(reading, TOKEN="nobodys").status_code == 401

    def test_refunding_with_curl_needs_the_scope_for_orders(self, served, cast):
        order = str(uuid4())
        refund = examples("sh")[1].replace(HOST, served)
        found = {}
        for scope in ("read", "orders"):
            token = issue_token(user=cast.owner, now=our_clock.now(), scope=scope)
            answer = curl(refund, TOKEN=token, ORDER=order, KEY=str(uuid4()))
            found[scope] = (answer.status_code, answer.json()["code"])
        assert found == {"read": (403, "insufficient_scope"), "orders": (404, "not_found")}

    def test_the_python_example_reads_every_page(self, served, cast, monkeypatch, capsys):
        token = issue_token(user=cast.owner, now=our_clock.now(), scope="read")
        monkeypatch.setenv("TOKEN", token)
        program = examples("python")[0].replace(HOST, served)
        small = program.replace('status="confirmed", limit=100', "limit=2")
        assert small != program
        exec(compile(program, "docs/api.md", "exec"), {})  # exactly as documented
        capsys.readouterr()
        exec(compile(small, "docs/api.md", "exec"), {})
        assert len(capsys.readouterr().out.splitlines()) == 5


class TestWebhooks:
    def receiver(self) -> Any:
        names: dict[str, Any] = {}
        exec(compile(examples("python")[1], "docs/api.md", "exec"), names)
        return names["receive"]

    def test_the_example_takes_an_event_once_and_refuses_a_forged_one(self, monkeypatch, capsys):
        secret = new_secret()
        monkeypatch.setenv("WEBHOOK_SECRET", secret)
        receive = self.receiver()
        body = b'{"type":"order.placed","data":{"id":"1"}}'
        now = our_clock.now()
        sent = signed_headers(body, message_id="a", signing_secrets=[secret], now=now)
        headers = requests.structures.CaseInsensitiveDict(sent)
        assert [receive(headers, body), receive(headers, body)] == [204, 204]
        assert capsys.readouterr().out == "order.placed 1\n"
        assert receive(headers, body.replace(b"1", b"2")) == 400
        assert Webhook(secret).verify(body, sent)

    def test_every_type_of_event_is_described(self):
        table = PAGE.partition("| Type | When |")[2].partition("\n\n")[0]
        described = {
            name for row in table.splitlines() for name in re.findall(r"`(\w+\.\w+)`", row)
        }
        assert described == {*EventType.values, TEST_EVENT}
