"""How values are written into Redis: as data, never as code.

Django's own cache pickles them, and unpickling runs whatever whoever can write to Redis put there:
https://docs.python.org/3/library/pickle.html (the warning at its top). Here a value is bytes, or
what JSON can say; anything else raises TypeError when it is stored.
"""

import json
from typing import Any

_BYTES = b"\x00"  # JSON never begins with it


class DataSerializer:
    """`OPTIONS["serializer"]` of the Redis cache. Whole numbers stay bare, for Redis's INCR."""

    def dumps(self, value: Any) -> bytes | int:
        if type(value) is int:
            return value
        if isinstance(value, bytes):
            return _BYTES + value
        return json.dumps(value, separators=(",", ":")).encode()

    def loads(self, stored: bytes) -> Any:
        """The value. Raises ValueError for what this class did not write."""
        return stored[1:] if stored.startswith(_BYTES) else json.loads(stored)
