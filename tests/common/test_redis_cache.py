"""Values in Redis are data: bytes, or what JSON can represent."""

import pickle
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.core.cache import cache

from apps.common.redis_cache import DataSerializer, RedisCache


@pytest.mark.parametrize(
    "value", [None, True, 0, -3, 1.5, "", "naïve", b"", b"\x00\xff{}", [1, "a"], {"a": [None]}]
)
def test_the_cache_returns_what_was_stored(value):
    cache.set("value", value, 10)
    assert cache.get("value", "missing") == value
    assert type(cache.get("value")) is type(value)


def test_a_number_in_the_cache_can_be_counted_up():
    cache.set("count", 7, 10)
    assert cache.incr("count") == 8
    assert cache.get("count") == 8


def test_a_pickle_in_the_cache_is_never_run():
    with pytest.raises(ValueError, match="codec can't decode|Expecting value"):
        DataSerializer().loads(pickle.dumps({"harmless": True}))


def test_the_cache_refuses_what_is_not_data():
    with pytest.raises(TypeError, match="datetime is not JSON serializable"):
        cache.set("value", datetime(2026, 3, 3, tzinfo=UTC), 10)


def test_operations_share_one_client():
    client = RedisCache(settings.REDIS_URL, {})._cache
    assert client.get_client() is client.get_client(write=True)
