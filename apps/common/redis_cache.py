"""Django's Redis cache, whose values are data and never code.

Django pickles values, and unpickling runs any code that somebody who can write to Redis put there:
https://docs.python.org/3/library/pickle.html (the warning at its top). Here a value is bytes, or
something that JSON can represent; anything else raises TypeError when it is stored.
"""

import json
from functools import cache
from typing import Any

from django.core.cache.backends import redis

_BYTES = b"\x00"  # JSON never begins with it


class DataSerializer:
    """`OPTIONS["serializer"]`. Whole numbers stay bare, for Redis's INCR."""

    def dumps(self, value: Any) -> bytes | int:
        if type(value) is int:
            return value
        if isinstance(value, bytes):
            return _BYTES + value
        return json.dumps(value, separators=(",", ":")).encode()

    def loads(self, stored: bytes) -> Any:
        """The value. Raises ValueError for what this class did not write."""
        return stored[1:] if stored.startswith(_BYTES) else json.loads(stored)


class CacheClient(redis.RedisCacheClient):
    """Makes one client for each pool of connections. Django makes one for each operation, which
    takes longer than the operation; clients can be shared between threads:
    https://redis.readthedocs.io/en/stable/advanced_features.html
    """

    _client: Any

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self._client = cache(self._client)


class RedisCache(redis.RedisCache):
    """The `BACKEND` of `CACHES`."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = CacheClient
