"""Errors that a passing browser test would hide: in the browser and in the program's logs."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

from tests.e2e.stack import OWN_DOMAIN, Stack

BEGINS = "Traceback (most recent call last)"
# Left out: what the browser says about missing pages, forms with mistakes, and connections that a
# test cut. Answers of 500 and more are found by their status.
OF_THE_TEST = re.compile(
    r"Failed to load resource: (the server responded with a status of [45]"
    r"|net::ERR_(INTERNET_DISCONNECTED|FAILED)$)"
)


def is_ours(address: str) -> bool:
    """Whether a request stays on this machine."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https", "ws", "wss"}:
        return True
    host = parts.hostname or ""
    return host in {"localhost", "127.0.0.1", OWN_DOMAIN} or host.endswith(".localhost")


class Watch:
    """Collects what went wrong in one test; `expected` are patterns of what it provokes."""

    def __init__(self, stack: Stack, expected: tuple[str, ...] = ()) -> None:
        self._stack = stack
        self._expected = expected
        self._problems: list[str] = []
        self._read = {log: log.stat().st_size for log in self._logs()}
        self._violations = len(self._contract_violations())

    def __call__(self, context: BrowserContext) -> None:
        context.on("weberror", self._page_error)
        context.on("console", self._console)
        context.on("request", self._request)
        context.on("response", self._response)

    def _page_error(self, error: WebError) -> None:
        self._problems.append(f"page error: {error.error}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not OF_THE_TEST.match(message.text):
            where = message.location.get("url", "")
            self._problems.append(f"console: {message.text} ({where})")

    def _request(self, request: Request) -> None:
        if not is_ours(request.url):
            self._problems.append(f"request to another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            method = response.request.method
            self._problems.append(f"answer {response.status}: {method} {response.url}")

    def _logs(self) -> list[Path]:
        return sorted(self._stack.folder.rglob("*.log"))

    def _contract_violations(self) -> list[str]:
        found: list[str] = self._stack.stripe.look(1)["contract_violations"]
        return found

    def _tracebacks(self) -> list[str]:
        found = []
        for log in self._logs():
            with log.open(errors="replace") as text:
                text.seek(self._read.get(log, 0))
                news = text.read()
            found += [f"{log.name}: {each[:3000]}" for each in news.split(BEGINS)[1:]]
        return found

    def unexpected(self) -> list[str]:
        """What went wrong and was not expected, and what was expected and did not happen."""
        violations = self._contract_violations()[self._violations :]
        problems = [
            *self._problems,
            *(f"traceback in {each}" for each in self._tracebacks()),
            *(f"Stripe would not answer so: {each}" for each in violations),
        ]
        found = [each for each in problems if not any(re.search(x, each) for x in self._expected)]
        for pattern in self._expected:
            if not any(re.search(pattern, each) for each in problems):
                found.append(f"did not happen: {pattern}")
        return found
