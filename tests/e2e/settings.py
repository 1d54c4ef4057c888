"""The demo's settings for the program under the browser tests, except for what would cost time."""

from config.settings.development import *  # noqa: F403
from config.settings.development import STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Everybody signs in once for all tests. Step-ups have tests of their own.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 24 * 60 * 60
STORAGES["staticfiles"]["BACKEND"] = "tests.e2e.static_files.UncompressedStorage"
