"""What the tests of accounts share: forms as browsers send them, emails, and second factors."""

import re
from types import SimpleNamespace
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
)
from django.conf import settings

from apps.common import clock

FORM = "application/x-www-form-urlencoded"
LINK = re.compile(r"https?://\S+")


@pytest.fixture
def submit():
    """Send a form: `submit(client, "/login", email=…)`."""

    def send(client, path, **data):
        return client.post(path, urlencode(data), FORM)

    return send


class Emails:
    """The emails sent so far. Reading them first lets a worker send what is queued."""

    def __init__(self, run_tasks, outbox):
        self._run_tasks = run_tasks
        self._outbox = outbox

    def all(self):
        self._run_tasks()
        return list(self._outbox)

    def subjects(self):
        return [email.subject for email in self.all()]

    def last(self):
        return self.all()[-1]

    def link(self):
        """The address of the newest email's button, without scheme and host."""
        found = LINK.search(self.last().body)
        assert found
        parts = urlsplit(found[0])
        return f"{parts.path}?{parts.query}" if parts.query else parts.path

    def query(self):
        """The newest link's query."""
        found = parse_qs(urlsplit(self.link()).query)
        return {name: values[0] for name, values in found.items()}


@pytest.fixture
def emails(run_tasks, mailoutbox):
    return Emails(run_tasks, mailoutbox)


@pytest.fixture(autouse=True)
def _apps_and_allauth_share_the_clock(monkeypatch):
    """A code is valid for half a minute of the test's clock, however long the test takes."""
    now = SimpleNamespace(time=lambda: clock.now().timestamp())
    monkeypatch.setattr(totp, "time", now)


def code_of(secret):
    """What an authenticator app shows now."""
    (counter,) = totp.yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, counter))


class App:
    """A person's authenticator app."""

    def __init__(self, user):
        self.secret = generate_totp_secret()
        self.row = TOTP.activate(user, self.secret)

    def code(self):
        return code_of(self.secret)


@pytest.fixture
def app_of():
    """`app_of(user)` gives them an authenticator app."""
    return App


@pytest.fixture
def recovery_codes_of():
    return lambda user: RecoveryCodes.activate(user).get_unused_codes()


@pytest.fixture
def platform_link():
    """The beginning of links in emails."""
    return f"{settings.PUBLIC_SCHEME}://{settings.ROOT_DOMAIN}"
