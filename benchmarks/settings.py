"""Production settings, except for what needs certificates or an email server."""

import os
from pathlib import Path

from config.settings.production import *  # noqa: F403
from config.settings.production import CONTENT_SECURITY_POLICY, STRIPE_API_BASE

DEBUG = CHECKED_AT_START = False
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "sessionid", "csrftoken"  # __Host- needs https
SECURE_HSTS_SECONDS = 0
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = False
EMAIL_BACKEND = "apps.common.email_backends.FolderBackend"
EMAIL_FOLDER = Path(os.environ["DATA_DIR"]) / "mail"
STRIPE_API_HOST = STRIPE_API_BASE
# Without https, with unlimited checkouts, and with texts in English only.
SILENCED_SYSTEM_CHECKS = ["djstripe.W002", "fully_booked.E004"]
SILENCED_SYSTEM_CHECKS += ["fully_booked.E017", "fully_booked.W010"]
# The pre-order form redirects to local Stripe's hosted pages.
CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"].append(STRIPE_API_BASE)
