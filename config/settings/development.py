"""Settings for development and the demo: local Stripe, email saved as files, no HTTPS."""

from config import env
from config.settings.base import *  # noqa: F403
from config.settings.base import (
    CONTENT_SECURITY_POLICY,
    DATA_DIR,
    DEMO,
    DJANGO_VITE,
    INSTALLED_APPS,
    STORAGES,
    STRIPE_API_BASE,
)

DEBUG = env.flag("DEBUG")
if DEMO:
    INSTALLED_APPS = [*INSTALLED_APPS, "demo"]
EMAIL_BACKEND = "apps.common.email_backends.FolderBackend"
EMAIL_FOLDER = DATA_DIR / "mail"
OUTBOUND_TO_PRIVATE_ADDRESSES = True

# dj-stripe uses local Stripe too, on purpose (its W002 warns about that).
STRIPE_API_HOST = STRIPE_API_BASE
SILENCED_SYSTEM_CHECKS = ["djstripe.W002"]
# The pre-order form redirects to local Stripe's hosted pages.
CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"].append(STRIPE_API_BASE)

# Pages may be a few KB heavier than in production; the first start is much faster.
STORAGES["staticfiles"]["BACKEND"] = "apps.common.static_files.GzippedStaticFilesStorage"

if env.flag("VITE_DEV"):
    _vite = "http://localhost:5173"
    DJANGO_VITE["default"]["dev_mode"] = True
    STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    for _directive in ("script-src", "style-src", "img-src", "font-src"):
        CONTENT_SECURITY_POLICY["DIRECTIVES"][_directive].append(_vite)
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["connect-src"] += [_vite, "ws://localhost:5173"]
