"""Test settings: the real database, cache, and code, with cheaper password hashing and files."""

from config.settings.base import *  # noqa: F403
from config.settings.base import DATABASE_OPTIONS, INSTALLED_APPS, STORAGES

DEBUG = False
INSTALLED_APPS = [*INSTALLED_APPS, "demo"]
# One connection runs the same statements for thousands of tests: prepared the second time, planned
# once (tests/database.py).
DATABASE_OPTIONS.update(prepare_threshold=1, options="-c plan_cache_mode=force_generic_plan")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
# Nothing listens there; tests that need Stripe start local Stripe.
STRIPE_API_BASE = STRIPE_API_HOST = "http://127.0.0.1:9"
SILENCED_SYSTEM_CHECKS = ["djstripe.W002"]
# Finds static files on request: nothing is collected for a test run.
WHITENOISE_AUTOREFRESH = True
OUTBOUND_TO_PRIVATE_ADDRESSES = True
STRIPE_RATE_LIMIT = STRIPE_ENDPOINT_RATE_LIMIT = 0
