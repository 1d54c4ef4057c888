"""The demo's settings for the program under the browser tests; only what costs time is cheap."""

from config.settings.development import *  # noqa: F403
from config.settings.development import STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Everybody signs in once for all tests; what asks again has tests of its own.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 24 * 60 * 60
STORAGES["staticfiles"]["BACKEND"] = "tests.e2e.static_files.UncompressedStorage"
