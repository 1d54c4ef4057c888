"""The test suite: the same database, cache and code; only what costs time is made cheap."""

from config.settings.base import *  # noqa: F403
from config.settings.base import INSTALLED_APPS, STORAGES

DEBUG = False
INSTALLED_APPS = [*INSTALLED_APPS, "demo"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
# Nobody answers there; a test that needs the processor brings the local one.
STRIPE_API_BASE = STRIPE_API_HOST = "http://127.0.0.1:9"
SILENCED_SYSTEM_CHECKS = ["djstripe.W002"]
# Static files are looked for when asked for: nothing is collected for a test run.
WHITENOISE_AUTOREFRESH = True
