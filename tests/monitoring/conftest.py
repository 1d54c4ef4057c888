"""A receiver of webhooks on this machine, and a system in which all is well."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from apps.monitoring.models import AlarmCheck
from tests.monitoring.trouble import all_is_well

WEBHOOK_SECRET = "whsec_" + "QUJD" * 10


@dataclass
class Receiver:
    """What arrived, oldest first; it answers with `status`."""

    url: str = ""
    status: int = 200
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            names = {name.lower(): value for name, value in self.headers.items()}
            kept.received.append((self.path, names, body))
            self.send_response(kept.status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    kept.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield kept
    server.shutdown()
    server.server_close()


@pytest.fixture
def well(db: None, platform: None, clock: Any, settings: Any) -> Any:
    """All is well and was checked a minute ago; notices go nowhere. Gives the clock."""
    settings.BACKUP_MAX_AGE_HOURS = 26
    settings.ALARM_EMAILS, settings.ALARM_WEBHOOK_URL = [], ""
    all_is_well(clock.now)
    AlarmCheck.objects.create(pk=1, checked_at=clock.now)
    clock.advance(seconds=5)
    return clock


@pytest.fixture
def notified(well: Any, receiver: Receiver, settings: Any) -> Receiver:
    """Notices go to `ops@platform.test` and to the receiver."""
    settings.ALARM_EMAILS = ["ops@platform.test"]
    settings.ALARM_WEBHOOK_URL = f"{receiver.url}/alarms"
    settings.ALARM_WEBHOOK_SECRET = WEBHOOK_SECRET
    return receiver
