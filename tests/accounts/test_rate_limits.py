"""What the rate limits count, and how long they say to wait."""

import pytest
from django.test import RequestFactory

from apps.accounts.rate_limits import Limit, TooManyAttempts
from apps.common.client_address import client_address, network_of

pytestmark = pytest.mark.usefixtures("clock")
TWICE = Limit("twice-an-hour", times=2, window=3600)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("dana@example.test", "dana@example.test"),
        ("", ""),
    ],
)
def test_an_ipv6_address_counts_as_its_network(address, counted):
    assert network_of(address) == counted


def test_a_whole_ipv6_network_has_one_limit():
    TWICE.count("2001:db8:1:2::1")
    TWICE.count("2001:db8:1:2:ffff::2")
    with pytest.raises(TooManyAttempts):
        TWICE.count("2001:db8:1:2::3")
    TWICE.count("2001:db8:1:3::1")  # a neighbor's


def test_the_wait_is_the_time_that_is_left(clock):
    TWICE.count("dana")
    clock.advance(minutes=40)
    TWICE.count("dana")
    with pytest.raises(TooManyAttempts) as refused:
        TWICE.count("dana")
    assert refused.value.retry_after == 20 * 60
    with pytest.raises(TooManyAttempts) as checked:
        TWICE.check("dana")
    assert checked.value.retry_after == 20 * 60


def test_a_forgotten_count_begins_a_new_window(clock):
    TWICE.count("dana")
    clock.advance(minutes=40)
    TWICE.forget("dana")
    TWICE.count("dana")
    assert TWICE.wait("dana") == 3600


@pytest.mark.parametrize(
    ("proxies", "forwarded", "seen"),
    [
        (0, "198.51.100.9", "203.0.113.1"),
        (1, "192.0.2.66, 198.51.100.9", "198.51.100.9"),
        (2, "192.0.2.66, 198.51.100.9, 10.0.0.1", "198.51.100.9"),
        (1, "", "203.0.113.1"),
    ],
)
def test_only_our_own_proxies_say_where_a_visitor_is(settings, proxies, forwarded, seen):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    request = RequestFactory().get(
        "/", REMOTE_ADDR="203.0.113.1", headers={"X-Forwarded-For": forwarded}
    )
    assert client_address(request) == seen
