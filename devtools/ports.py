"""Ports: whether one is free, and whether the application on it is healthy."""

from __future__ import annotations

import http.client
import json
import socket

from .console import CommandError

LOOPBACK = "127.0.0.1"
HEALTH_PATH = "/api/health"


def is_free(port: int) -> bool:
    """Whether the port is free on the loopback interface."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def require_free(port: int, advice: str) -> None:
    """Raises CommandError if the port is taken."""
    if not is_free(port):
        raise CommandError(f"Port {port} is in use by another program. {advice}")


def answer_of(port: int, path: str, host: str) -> tuple[int, str]:
    """Status and body of a GET on the loopback interface; (0, reason) without a response."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": f"{host}:{port}"})
        response = connection.getresponse()
        return response.status, response.read(4000).decode(errors="replace")
    except (OSError, http.client.HTTPException) as problem:
        return 0, str(problem)
    finally:
        connection.close()


def is_healthy(port: int, host: str) -> bool:
    """Whether the application's database, cache, worker, and scheduler all respond."""
    return answer_of(port, HEALTH_PATH, host)[0] == 200


def health_report(port: int, host: str) -> str:
    """The application's health report, for a message."""
    status, body = answer_of(port, HEALTH_PATH, host)
    try:
        return f"{status}: {json.dumps(json.loads(body))}"
    except ValueError:
        return f"{status}: {body[:300]}"
