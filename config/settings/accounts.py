"""Sign-in settings: django-allauth (docs/decisions/0013), with rate limits of our own."""

from datetime import timedelta
from typing import Any

from config import env

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 8},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/restaurant"
BEARER_TOKEN_LIFETIME = timedelta(days=30)  # DECISIONS X51
BREACHED_PASSWORDS_URL = env.text("BREACHED_PASSWORDS_URL", "")
EMAIL_CONFIRMATION_LIFETIME = timedelta(hours=24)
PASSWORD_RESET_TIMEOUT = 60 * 60  # seconds; lifetime of a reset link
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
# How long a session lasts without being used, and how long at most.
SESSION_LIMITS = timedelta(days=7), timedelta(days=30)
STAFF_SESSION_LIMITS = timedelta(hours=1), timedelta(hours=12)
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60  # seconds
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
KNOWN_DEVICE_COOKIE_NAME = "known_device"
CSRF_FAILURE_VIEW = "apps.common.views.csrf_failure"
# Only the demo's staff account works without a second factor, and only in the demo.
DEMO_STAFF_EMAIL = "admin@demo.test"

# --- accounts -------------------------------------------------------------------------------------
ACCOUNT_ADAPTER = "apps.accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_MAX_LENGTH = 255
ACCOUNT_EMAIL_VERIFICATION = "optional"  # checked where it is needed (DECISIONS X40)
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 1
ACCOUNT_CHANGE_EMAIL = True  # the old address stays until the new one is confirmed
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60  # seconds
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "/login"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = env.choice("PUBLIC_SCHEME", "http", ("http", "https"))

# --- the second factor ----------------------------------------------------------------------------
MFA_ADAPTER = "apps.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Fully Booked"
# allauth remembers a used code for one period of 30 seconds. With a tolerance a code would be valid
# for longer than that, and so twice (https://docs.allauth.org/en/latest/mfa/configuration.html).
MFA_TOTP_TOLERANCE = 0

# --- sign-in with Google or Microsoft -------------------------------------------------------------
SOCIALACCOUNT_ADAPTER = "apps.accounts.adapters.SocialAdapter"
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, Any]] = {}
SOCIALACCOUNT_STORE_TOKENS = False
SOCIAL_APPS: list[str] = []
SOCIAL_HOSTS: list[str] = []  # form-action hosts: the sign-in button's form post redirects there
# A provider exists only if it is configured.
for _provider, _host, _scope, _client_id, _secret in (
    (
        "google",
        "https://accounts.google.com",
        ["profile", "email"],
        env.text("GOOGLE_CLIENT_ID", ""),
        env.text("GOOGLE_CLIENT_SECRET", ""),
    ),
    (
        "microsoft",
        "https://login.microsoftonline.com",
        ["User.Read"],
        env.text("MICROSOFT_CLIENT_ID", ""),
        env.text("MICROSOFT_CLIENT_SECRET", ""),
    ),
):
    if _client_id and _secret:
        SOCIAL_APPS.append(f"allauth.socialaccount.providers.{_provider}")
        SOCIAL_HOSTS.append(_host)
        SOCIALACCOUNT_PROVIDERS[_provider] = {
            "APPS": [{"client_id": _client_id, "secret": _secret}],
            "SCOPE": _scope,
            "OAUTH_PKCE_ENABLED": True,
        }

# --- bot check (DECISIONS X42) --------------------------------------------------------------------
HCAPTCHA_SITE_KEY = env.text("HCAPTCHA_SITE_KEY", "")
HCAPTCHA_SECRET_KEY = env.text("HCAPTCHA_SECRET_KEY", "")
HCAPTCHA_VERIFY_URL = env.text("HCAPTCHA_VERIFY_URL", "https://api.hcaptcha.com/siteverify")
HCAPTCHA_HOSTS = ["https://hcaptcha.com", "https://*.hcaptcha.com"] if HCAPTCHA_SITE_KEY else []
