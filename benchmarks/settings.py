"""Production's settings, but for what needs certificates or a mail server."""

import os
from pathlib import Path

from config.settings.production import *  # noqa: F403
from config.settings.production import STRIPE_API_BASE

DEBUG = False
SECURE_SSL_REDIRECT = False
EMAIL_BACKEND = "apps.common.mail.FolderBackend"
EMAIL_FOLDER = Path(os.environ["DATA_DIR"]) / "mail"
STRIPE_API_HOST = STRIPE_API_BASE
SILENCED_SYSTEM_CHECKS = ["djstripe.W002"]
# dj-stripe's own history takes 35 s on an empty database; this is its end state in one step.
MIGRATION_MODULES = {"djstripe": "tests.djstripe_migrations"}
