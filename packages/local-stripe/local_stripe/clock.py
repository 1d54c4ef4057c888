"""The server's clock: system time plus an offset set through ``/_control``."""

import time

from .store import Store


class Clock:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._skew = int(store.setting("clock_skew", "0"))

    @property
    def skew(self) -> int:
        return self._skew

    def now(self) -> int:
        """Return the current Unix time, including the offset."""
        return int(time.time()) + self._skew

    def advance(self, seconds: int) -> None:
        self._set(self._skew + seconds)

    def set(self, moment: int) -> None:
        self._set(moment - int(time.time()))

    def reset(self) -> None:
        self._set(0)

    def _set(self, skew: int) -> None:
        self._skew = skew
        self._store.set_setting("clock_skew", str(skew))
