"""The embedded Valkey keeps its data, even if it is killed."""

import os
import signal
from pathlib import Path

import pytest
from redis import Redis

from config.env import celery_url
from devtools.embedded.directories import MAX_SOCKET_DIRECTORY
from tests.devtools.conftest import Servers


@pytest.mark.parametrize("name", ["vk", "with a space", "n" * (MAX_SOCKET_DIRECTORY + 30)])
def test_valkey_answers_on_its_own_socket(servers: Servers, place: Path, name: str) -> None:
    server = servers.valkey(place / name)
    server.start()

    with Redis.from_url(server.url()) as client:
        assert client.set("word", "stored")
        assert client.config_get("port") == {"port": "0"}
    assert server.socket.stat().st_mode & 0o077 == 0


def test_what_was_written_survives_a_kill(servers: Servers, place: Path) -> None:
    server = servers.valkey(place / "vk")
    server.start()
    with Redis.from_url(server.url()) as client:
        client.config_set("appendfsync", "always")
        client.set("word", "stored")
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()

    server.start()

    with Redis.from_url(server.url()) as client:
        assert client.get("word") == b"stored"


def test_a_second_start_finds_the_first_server(servers: Servers, place: Path) -> None:
    first, second = servers.valkey(place / "vk"), servers.valkey(place / "vk")
    first.start()
    second.start()

    assert second.process is None


def test_celery_finds_it_in_a_path_with_a_space(servers: Servers, place: Path) -> None:
    from kombu import Connection

    server = servers.valkey(place / "with a space")
    server.start()

    with Connection(celery_url(server.url())) as connection:
        connection.ensure_connection(max_retries=1)
        assert connection.connected
        queue = connection.SimpleQueue("words")
        queue.put("sent")
        assert queue.get(timeout=5).payload == "sent"
        queue.close()
