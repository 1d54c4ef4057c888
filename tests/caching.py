"""Forgetting what a test's cache holds."""

from django.core.cache import caches


def forget_everything() -> None:
    """An empty cache from now on. `cache.clear()` would empty those of all workers' tests."""
    cache = caches["default"]
    cache.key_prefix += "-"
    caches.settings["default"]["KEY_PREFIX"] = cache.key_prefix
