"""Clearing a test's cache."""

import itertools

from django.core.cache import caches

_times = itertools.count(1)


def forget_everything() -> None:
    """An empty cache from now on. `cache.clear()` would empty those of all workers' tests."""
    cache = caches["default"]
    cache.key_prefix = f"{cache.key_prefix.partition('+')[0]}+{next(_times)}"
    caches.settings["default"]["KEY_PREFIX"] = cache.key_prefix
