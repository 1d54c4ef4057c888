"""System checks of alarms, metrics, and reports in production, registered as `config.checks` is."""

import base64
import importlib.util
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from apps.common.standard_webhooks import SECRET_PREFIX
from config.checks import is_local

MIN_TOKEN_CHARACTERS = 32
# https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
LEAST_SECRET_BYTES, MOST_SECRET_BYTES = 24, 64


@register(Tags.security)
def alarms_that_somebody_hears(**_: Any) -> list[CheckMessage]:
    """Two channels, because either can be what is broken."""
    emails, webhook = settings.ALARM_EMAILS, settings.ALARM_WEBHOOK_URL
    found: list[CheckMessage] = []
    if not (emails and webhook):
        missing = "ALARM_WEBHOOK_URL" if emails else "ALARM_EMAILS"
        found.append(
            Warning(
                "Only one channel tells of alarms."
                if emails or webhook
                else "No one hears alarms.",
                hint=f"Set {missing} too."
                if emails or webhook
                else "Set ALARM_EMAILS and ALARM_WEBHOOK_URL.",
                id="fully_booked.W022",
            )
        )
    if webhook and not (webhook.startswith("https://") and _is_signing_secret()):
        found.append(
            Error(
                "ALARM_WEBHOOK_URL is not https, or ALARM_WEBHOOK_SECRET isn't a signing secret.",
                hint="The secret is whsec_ and 24 to 64 random bytes in Base64.",
                id="fully_booked.E023",
            )
        )
    return found


def _is_signing_secret() -> bool:
    secret = settings.ALARM_WEBHOOK_SECRET
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError:
        return False
    return secret.startswith(SECRET_PREFIX) and LEAST_SECRET_BYTES <= len(key) <= MOST_SECRET_BYTES


@register(Tags.security)
def guarded_metrics(**_: Any) -> list[CheckMessage]:
    """The metrics say how much is ordered and what is broken."""
    found: list[CheckMessage] = []
    token = settings.METRICS_TOKEN
    if token and len(token) < MIN_TOKEN_CHARACTERS:
        found.append(
            Error(
                "METRICS_TOKEN is short.",
                hint=f"Set it to at least {MIN_TOKEN_CHARACTERS} random characters.",
                id="fully_booked.E024",
            )
        )
    for each in settings.METRICS_NETWORKS:
        try:
            network = ipaddress.ip_network(each)
        except ValueError:
            network = None
        if network is None or (network.prefixlen == 0 and not token):
            found.append(
                Error(
                    f"METRICS_NETWORKS has {each}, which is no network or everybody's.",
                    hint="List networks such as 10.0.0.0/8, or set METRICS_TOKEN.",
                    id="fully_booked.E025",
                )
            )
    return found


@register(Tags.security)
def reports_that_can_be_sent(**_: Any) -> list[CheckMessage]:
    """Encrypted, or to this machine; and with the library that sends them."""
    receivers = (
        ("SENTRY_DSN", settings.SENTRY_DSN, "sentry_sdk"),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            settings.OTEL_EXPORTER_OTLP_ENDPOINT,
            "opentelemetry.exporter.otlp.proto.http",
        ),
    )
    found: list[CheckMessage] = []
    for name, address, library in receivers:
        if not address:
            continue
        url = urlsplit(address)
        if url.scheme != "https" and not is_local(url.hostname or "-"):
            found.append(Error(f"{name} is not https.", hint="Use https.", id="fully_booked.E026"))
        if not _is_installed(library):
            found.append(
                Error(
                    f"{name} is set, and {library} isn't installed.",
                    hint="Install requirements-reports.txt.",
                    id="fully_booked.E027",
                )
            )
    if not 0 <= settings.OTEL_TRACES_SHARE <= 1:
        found.append(
            Error(
                "OTEL_TRACES_SHARE is not a share.",
                hint="Set it to a number from 0 to 1.",
                id="fully_booked.E028",
            )
        )
    return found


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # its parent
        return False
