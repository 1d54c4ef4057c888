"""Names of browsers by which people recognize their devices."""

import pytest

from apps.common.browsers import browser_name

MOZILLA = "Mozilla/5.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            f"{MOZILLA} (Windows NT 10.0; Win64) {WEBKIT} Chrome/130.0 Safari/537.36",
            "Chrome on Windows",
        ),
        (
            f"{MOZILLA} (Windows NT 10.0) {WEBKIT} Chrome/130.0 Safari/537.36 Edg/130.0",
            "Edge on Windows",
        ),
        (
            f"{MOZILLA} (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
            "Firefox on Linux",
        ),
        (
            f"{MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) {WEBKIT} Safari/604.1",
            "Safari on iPhone",
        ),
        (f"{MOZILLA} (Macintosh; Intel Mac OS X 10_15) {WEBKIT} Safari/605.1", "Safari on Mac"),
        (
            f"{MOZILLA} (Linux; Android 15) {WEBKIT} Chrome/130.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (
            f"{MOZILLA} (iPad; CPU OS 18_0 like Mac OS X) {WEBKIT} CriOS/130.0 Mobile Safari/604.1",
            "Chrome on iPad",
        ),
        (
            f"{MOZILLA} (Android 15; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0",
            "Firefox on Android",
        ),
        (
            f"{MOZILLA} (Windows NT 10.0) {WEBKIT} Chrome/130.0 Safari/537.36 OPR/115.0.0.0",
            "Opera on Windows",
        ),
        (
            f"{MOZILLA} (X11; CrOS x86_64 14541.0.0) {WEBKIT} Chrome/130.0 Safari/537.36",
            "Chrome on ChromeOS",
        ),
        ("curl/8.5.0", "curl"),
        ("something-of-ours/1", "something-of-ours"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_has_a_name(agent, name):
    assert browser_name(agent) == name
