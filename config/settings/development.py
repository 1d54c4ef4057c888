"""A developer's machine and the demo: local Stripe, mail kept as files, no https."""

from config import env
from config.settings.base import *  # noqa: F403
from config.settings.base import (
    CONTENT_SECURITY_POLICY,
    DATA_DIR,
    DJANGO_VITE,
    STORAGES,
    STRIPE_API_BASE,
)

DEBUG = env.flag("DEBUG")
EMAIL_BACKEND = "apps.common.email_backends.FolderBackend"
EMAIL_FOLDER = DATA_DIR / "mail"

# dj-stripe asks local Stripe too, which is meant (its W002 warns of exactly that).
STRIPE_API_HOST = STRIPE_API_BASE
SILENCED_SYSTEM_CHECKS = ["djstripe.W002"]
# Local Stripe's hosted pages are where the pre-order form may lead.
CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"].append(STRIPE_API_BASE)

if env.flag("VITE_DEV"):
    _vite = "http://localhost:5173"
    DJANGO_VITE["default"]["dev_mode"] = True
    STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    for _directive in ("script-src", "style-src", "img-src", "font-src"):
        CONTENT_SECURITY_POLICY["DIRECTIVES"][_directive].append(_vite)
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["connect-src"] += [_vite, "ws://localhost:5173"]
