"""Production settings: everything from the environment, HTTPS only."""

from config import checks as checks  # registers the system checks
from config import env
from config import monitoring_checks as monitoring_checks
from config.settings.base import *  # noqa: F403
from config.settings.base import ANYMAIL, CONTENT_SECURITY_POLICY
from config.settings.logs import log_settings

DEBUG = False
CHECKED_AT_START = True
LOOPBACK_HOSTS = frozenset()

LOG_FORMAT = env.choice("LOG_FORMAT", "json", ("text", "json"))
LOGGING = log_settings(LOG_FORMAT)

# --- email ----------------------------------------------------------------------------------------
EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend")
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.integer("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", "")
# STARTTLS on port 587, or TLS from the first byte on port 465; Django allows one of the two.
EMAIL_USE_SSL = env.flag("EMAIL_USE_SSL")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=not EMAIL_USE_SSL)
# The keys of the email service, by django-anymail's names: ANYMAIL_MAILGUN_API_KEY and so on.
# https://anymail.dev/en/stable/installation/#configuring-anymail-s-esp-specific-settings
ANYMAIL |= env.prefixed("ANYMAIL_")

# --- alarms ---------------------------------------------------------------------------------------
BACKUP_MAX_AGE_HOURS = env.integer("BACKUP_MAX_AGE_HOURS", 26)

# --- https only -----------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# On our own hosts; on a restaurant's own domain without the last two (apps.common.headers).
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# A browser accepts a __Host- cookie from this very host over https only, so no other subdomain can
# plant one: https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken"
KNOWN_DEVICE_COOKIE_NAME = "__Host-known_device"
LANGUAGE_COOKIE_NAME = "__Host-language"
# Sent to the pages of one order or checkout alone, and __Host- demands every path.
CHECKOUT_COOKIE_NAME = "__Secure-checkout"
ORDER_COOKIE_PREFIX = "__Secure-order-"
CONTENT_SECURITY_POLICY["DIRECTIVES"]["upgrade-insecure-requests"] = True
