"""Settings shared by every environment; `.env.example` documents each variable."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from whitenoise.compress import Compressor

from apps.common.currencies import CURRENCIES, PLATFORM_CURRENCY
from config import env
from config.settings.accounts import *  # noqa: F403
from config.settings.accounts import HCAPTCHA_HOSTS, SOCIAL_APPS, SOCIAL_HOSTS
from config.settings.api_description import *  # noqa: F403
from config.settings.background import *  # noqa: F403
from config.settings.background import REDIS_TIMEOUTS
from config.settings.devices import *  # noqa: F403
from config.settings.logs import *  # noqa: F403
from config.settings.monitoring import *  # noqa: F403

BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / ".data"))).resolve()

# Whether web, workers, and scheduler refuse to start with unsafe settings (config.start).
CHECKED_AT_START = False

# --- hosts and ports ------------------------------------------------------------------------------
ROOT_DOMAIN = env.text("ROOT_DOMAIN", "localhost").lower()
PORT = env.integer("PORT", 8000)
PUBLIC_SCHEME = env.choice("PUBLIC_SCHEME", "http", ("http", "https"))
# The port in links: 8000 on a developer's machine, 443 (not shown) in production.
PUBLIC_PORT = env.integer("PUBLIC_PORT", PORT)
RESERVED_SUBDOMAINS = frozenset(
    [
        *("www", "api", "admin", "app", "mail", "ftp", "blog", "shop", "store", "support"),
        *("help", "docs", "dev", "staging", "test", "demo", "cdn", "static", "assets"),
        *("images", "img", "js", "css", "font", "fonts"),
        # Names with which a page that asks for a password or a card could look like ours.
        *("login", "signin", "sign-in", "account", "accounts", "auth", "sso", "oauth", "secure"),
        *("security", "pay", "payment", "payments", "checkout", "billing", "stripe", "wallet"),
        *("status", "platform", "official", "verify", "fully-booked", "fullybooked"),
        # Names for email and name servers, certificates, and the mailboxes of RFC 2142.
        *("mta-sts", "autodiscover", "autoconfig", "webmail", "smtp", "imap", "pop", "mx"),
        *("ns1", "ns2", "dns", "domains", "postmaster", "hostmaster", "webmaster", "abuse", "noc"),
        *("root", "info", "localhost", "internal", "vpn", "git"),
    ]
)
# Where /.well-known/security.txt sends people who found a vulnerability; without it there is none.
SECURITY_CONTACT = env.text("SECURITY_CONTACT", "")
# Whether webhooks may go to http and to addresses of this machine or network, for development and
# tests alone (apps.common.outbound).
OUTBOUND_TO_PRIVATE_ADDRESSES = False
# Hosts of the platform besides ROOT_DOMAIN: none in production, where a request for any other host
# is for a restaurant or for nobody.
LOOPBACK_HOSTS: frozenset[str] = frozenset({"127.0.0.1", "testserver"})
# A custom domain can be any host. TenantMiddleware answers 404 for a host that is neither the
# platform's nor a known Domain, so Django's own list isn't needed.
ALLOWED_HOSTS = ["*"]
# Where a restaurant's own domain points, by CNAME; and the name servers that are asked about its
# records, as `address` or `address:port`. None: the machine's own.
OWN_DOMAIN_TARGET = env.text("OWN_DOMAIN_TARGET", f"domains.{ROOT_DOMAIN}")
DNS_SERVERS = env.names("DNS_SERVERS", "")

# --- applications ---------------------------------------------------------------------------------
OUR_APPS = [
    "apps.common",
    "apps.activity",
    "apps.accounts",
    "apps.restaurants",
    "apps.integrations",
    "apps.billing",
    "apps.offers",
    "apps.preorders",
    "apps.marketing",
    "apps.admin_ops",
    "apps.monitoring",
    "apps.privacy",
]
INSTALLED_APPS = [
    # First, so that its `migrate` (one schema, the stock command) wins over django-tenants' own.
    "apps.common",
    "django_tenants",
    "apps.admin_ops.apps.StaffDataConfig",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_vite",
    "csp",
    "storages",
    "anymail",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "djstripe",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    *SOCIAL_APPS,
    *OUR_APPS[1:],
]
MIDDLEWARE = [
    "apps.common.request_log.RequestLogMiddleware",
    "apps.offers.page_cache.PageCacheMiddleware",
    "apps.common.headers.ApiOverHttpsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "apps.common.headers.PermissionsPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "apps.restaurants.middleware.TenantMiddleware",
    "apps.common.languages.LanguageMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "csp.middleware.CSPMiddleware",
    "apps.common.body_limit.BodyLimitMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.activity.middleware.RefusalMiddleware",
    "apps.accounts.session_limits.SessionLimitsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "apps.restaurants.support_visits.SupportVisitMiddleware",
]
ROOT_URLCONF = "config.urls_platform"
RESTAURANT_URLCONF = "config.urls_restaurant"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": ["apps.common.template_loaders.Loader"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    }
]

# --- data -----------------------------------------------------------------------------------------
# Whether a pooler gives each transaction another of its connections (apps.common.db).
DATABASE_IS_SHARED = env.choice("DATABASE_POOLING", "session", ("session", "transaction")) == (
    "transaction"
)
_DATABASE = dj_database_url.parse(env.text("DATABASE_URL"), conn_max_age=600)
# Prepare repeated queries once per connection: planning was half of the database's work.
DATABASE_OPTIONS: dict[str, Any] = {
    **_DATABASE.get("OPTIONS", {}),
    "server_side_binding": True,
    # In seconds. They detect a server that is gone even while a query waits for it.
    # https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-KEEPALIVES
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "prepare_threshold": None if DATABASE_IS_SHARED else 5,
}
DATABASES = {
    "default": {
        **_DATABASE,
        "ENGINE": "apps.common.db",
        "CONN_HEALTH_CHECKS": True,
        # A cursor on the server outlives its statement, which a shared connection can't promise:
        # https://docs.djangoproject.com/en/5.2/ref/databases/#transaction-pooling-server-side-cursors
        "DISABLE_SERVER_SIDE_CURSORS": DATABASE_IS_SHARED,
        "OPTIONS": DATABASE_OPTIONS,
    }
}
# The role that owns the tables, used by `migrate` alone. Without it, DATABASE_URL's role owns them.
DATABASE_OWNER_URL = env.text("DATABASE_OWNER_URL", "")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = env.text("REDIS_URL")
METRICS_DIR = DATA_DIR / "metrics"
CACHES = {
    "default": {
        "BACKEND": "apps.common.redis_cache.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "fb",
        "OPTIONS": {
            "serializer": "apps.common.redis_cache.DataSerializer",
            **REDIS_TIMEOUTS,
        },
    }
}

# --- tenants: the pool model, see docs/decisions/0001 ---------------------------------------------
TENANT_MODEL = "restaurants.Restaurant"
TENANT_DOMAIN_MODEL = "restaurants.Domain"
TENANT_SYNC_ROUTER = "apps.common.db.routers.OneSchemaRouter"
DATABASE_ROUTERS = [TENANT_SYNC_ROUTER]
SHARED_APPS = INSTALLED_APPS
TENANT_APPS = ["apps.restaurants"]  # required by django-tenants; every table is in one schema
TENANT_LIMIT_SET_CALLS = True

# --- secrets -------------------------------------------------------------------------------------
SECRET_KEY = env.text("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.names("SECRET_KEY_FALLBACKS")
# For secrets that the database stores encrypted, newest first (apps.accounts.encryption). Outside
# production one is derived.
ENCRYPTION_KEYS = env.names("ENCRYPTION_KEYS") or [f"encryption:{SECRET_KEY}"]
ENCRYPTION_KEYS_ARE_SET = bool(env.names("ENCRYPTION_KEYS"))
# For links in emails and the cookies they lead to, newest first (apps.common.signing).
SIGNING_KEYS = env.names("SIGNING_KEYS") or [f"signing:{SECRET_KEY}"]
SIGNING_KEYS_ARE_SET = bool(env.names("SIGNING_KEYS"))
CHECKOUT_COOKIE_NAME = "checkout"
ORDER_COOKIE_PREFIX = "order-"  # of the cookies that give access to an order

# --- the API --------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.accounts.api.authentication.BearerTokenAuthentication",
        "apps.accounts.api.authentication.SameOriginSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["apps.common.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "apps.common.api.schema.ContractSchema",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.common.api.negotiation.OneRenderer",
    "EXCEPTION_HANDLER": "apps.common.api.errors.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "NUM_PROXIES": env.integer("TRUSTED_PROXIES", 0),
}
TRUSTED_PROXIES_ARE_SET = env.is_set("TRUSTED_PROXIES")  # production checks it
PRE_ORDER_RATE = env.rate("PRE_ORDER_RATE", "120/min")  # times and seconds, per IP address
# Limits of checkouts without a card and of declined cards; off only to measure or to test.
CHECKOUT_LIMITS = env.flag("CHECKOUT_LIMITS", default=True)
# The largest body that a request can have (apps.common.body_limit): JSON and forms are a few
# kilobytes. Images have their own limit (IMAGE_MAX_BYTES).
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
IMAGE_MAX_BYTES = 5 * 1024 * 1024

# --- the card processor ---------------------------------------------------------------------------
STRIPE_SECRET_KEY = env.text("STRIPE_SECRET_KEY")
STRIPE_PUBLISHABLE_KEY = env.text("STRIPE_PUBLISHABLE_KEY")
STRIPE_API_BASE = env.text("STRIPE_API_BASE", "https://api.stripe.com")
STRIPE_JS_URL = env.text("STRIPE_JS_URL", "https://js.stripe.com")
# The script that renders the card fields. The pages' requirements come from Stripe's security
# guide: https://docs.stripe.com/security/guide#content-security-policy
CARD_SCRIPT_ORIGIN = urlsplit(STRIPE_JS_URL)._replace(path="", query="").geturl()
CARD_SCRIPT_IS_STRIPES = CARD_SCRIPT_ORIGIN == "https://js.stripe.com"
CARD_PAGE_POLICY = (
    {
        "script-src": [CARD_SCRIPT_ORIGIN, "https://*.js.stripe.com"],
        "frame-src": [CARD_SCRIPT_ORIGIN, "https://*.js.stripe.com", "https://hooks.stripe.com"],
        "connect-src": ["https://api.stripe.com"],
    }
    if CARD_SCRIPT_IS_STRIPES
    else dict.fromkeys(("script-src", "frame-src", "connect-src"), [CARD_SCRIPT_ORIGIN])
)
STRIPE_LIVE_MODE = STRIPE_SECRET_KEY.startswith(("sk_live_", "rk_live_"))
STRIPE_LIVE_SECRET_KEY = STRIPE_SECRET_KEY if STRIPE_LIVE_MODE else ""
STRIPE_TEST_SECRET_KEY = "" if STRIPE_LIVE_MODE else STRIPE_SECRET_KEY
# The version of every call and of the events sent to our webhook endpoints, whatever version
# stripe-python brings; dj-stripe reads it too. What we rely on is in
# packages/local-stripe/BEHAVIORS.md.
STRIPE_API_VERSION = "2026-08-26.dahlia"
STRIPE_TIMEOUT = timedelta(seconds=env.integer("STRIPE_TIMEOUT_SECONDS", 20))
# Requests a second, for the account and for each endpoint; 0 is unlimited. The defaults are
# Stripe's: https://docs.stripe.com/rate-limits
_IS_STRIPE = STRIPE_API_BASE == "https://api.stripe.com"
STRIPE_RATE_LIMIT = env.integer(
    "STRIPE_RATE_LIMIT", (100 if STRIPE_LIVE_MODE else 25) if _IS_STRIPE else 0
)
STRIPE_ENDPOINT_RATE_LIMIT = env.integer("STRIPE_ENDPOINT_RATE_LIMIT", 25 if _IS_STRIPE else 0)
# The base URL for webhooks; by default the platform's host.
STRIPE_WEBHOOK_BASE = env.text(
    "STRIPE_WEBHOOK_BASE", f"{PUBLIC_SCHEME}://{ROOT_DOMAIN}:{PUBLIC_PORT}"
)
DJSTRIPE_FOREIGN_KEY_TO_FIELD = "id"
# Its own migrations, and a squash that an empty database runs instead: seconds, not a minute.
MIGRATION_MODULES = {"djstripe": "apps.billing.djstripe_migrations"}

# --- fees, defined only here (DECISIONS X1–X5) ----------------------------------------------------
# With `subscription`, restaurants can also pay a monthly price instead of the revenue share
# (decision 126), as in the demo.
BILLING_MODE = env.choice(
    "BILLING_MODE",
    "subscription" if env.flag("DEMO") else "revenue_share",
    ("revenue_share", "subscription"),
)
SUBSCRIPTION_PRICE_CENTS = env.integer("SUBSCRIPTION_PRICE_CENTS", 2900)
SUBSCRIPTION_REVENUE_SHARE_RATE = env.decimal("SUBSCRIPTION_REVENUE_SHARE_RATE", "0.00")
SUBSCRIPTION_GRACE = timedelta(days=env.integer("SUBSCRIPTION_GRACE_DAYS", 7))
FREE_OFFERS_PER_MONTH = env.integer("FREE_OFFERS_PER_MONTH", 10)
FREE_REVENUE_SHARE_RATE = env.decimal("FREE_REVENUE_SHARE_RATE", "3.00")
BRANDED_REVENUE_SHARE_RATE = env.decimal("BRANDED_REVENUE_SHARE_RATE", "5.00")
# How many people a restaurant can email about its specials in a calendar month, by plan.
FREE_INVITATIONS_PER_MONTH = env.integer("FREE_INVITATIONS_PER_MONTH", 500)
BRANDED_INVITATIONS_PER_MONTH = env.integer("BRANDED_INVITATIONS_PER_MONTH", 5000)
# Dotted path of the function that writes announcements (apps/marketing/announcement_writer.py).
ANNOUNCEMENT_WRITER = env.text("ANNOUNCEMENT_WRITER", "apps.marketing.announcement_text.compose")
CAMPAIGN_EMAILS_PER_HOUR = env.integer("CAMPAIGN_EMAILS_PER_HOUR", 2000)  # of one restaurant
PROCESSING_FEE_RATE = env.decimal("PROCESSING_FEE_RATE", "4.90")
# By currency that a restaurant can charge in (decision 36).
PROCESSING_FEE_FIXED_CENTS = {
    PLATFORM_CURRENCY: env.integer("PROCESSING_FEE_FIXED_CENTS", 30),
    **env.cents(
        "PROCESSING_FEE_FIXED_CENTS_ELSEWHERE",
        "cad=30,eur=25,gbp=20,aud=30,nzd=30,chf=30,mxn=300",
        [currency for currency in CURRENCIES if currency != PLATFORM_CURRENCY],
    ),
}
# When and how much is paid out (decisions 46 and 47). Limits are in dollars; `in_currency` has the
# same for other currencies.
PAYOUT_DELAY_DAYS = env.integer("PAYOUT_DELAY_DAYS", 2)
NEW_RESTAURANT_LIMIT = env.integer("NEW_RESTAURANT_LIMIT", 5000)
REFUND_CONFIRMED_ABOVE = env.integer("REFUND_CONFIRMED_ABOVE", 200)
REFUND_ADVANCE_LIMIT = env.integer("REFUND_ADVANCE_LIMIT", 500)
FEE_BASE = env.choice("FEE_BASE", "total", ("total", "subtotal"))
DEFAULT_TAX_RATE = env.decimal("DEFAULT_TAX_RATE", "8.00")
# Fee invoices (decision 115): the tax that the platform owes on its fees, which contain it, in
# percent by the restaurant's country (`DE`) or state (`CA-QC`); and their issuer, line by line.
FEE_TAX_RATES = env.rates_by_name("FEE_TAX_RATES", "")
INVOICE_ISSUER = env.text("INVOICE_ISSUER", "Fully Booked").split("|")

# --- background tasks -----------------------------------------------------------------------------
CELERY_BROKER_URL = env.celery_url(REDIS_URL)  # the rest is in background.py

# --- email ----------------------------------------------------------------------------------------
EMAIL_TIMEOUT = env.integer("EMAIL_TIMEOUT_SECONDS", 20)
ANYMAIL: dict[str, Any] = {"REQUESTS_TIMEOUT": EMAIL_TIMEOUT}
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"Fully Booked <hello@{ROOT_DOMAIN}>")

# --- language and time ----------------------------------------------------------------------------
# The catalogs are in locale/; `compilemessages` compiles them.
LANGUAGE_CODE = "en-us"
LANGUAGES = [("en-us", "English"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- files ----------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", BASE_DIR / "frontend" / "dist"]
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
STORAGES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": env.text("MEDIA_STORAGE", "django.core.files.storage.FileSystemStorage"),
        # The storage class's own options, by its names in lower case: MEDIA_STORAGE_BUCKET_NAME …
        "OPTIONS": {name.lower(): value for name, value in env.prefixed("MEDIA_STORAGE_").items()},
    },
    "staticfiles": {"BACKEND": "apps.common.static_files.HashedStaticFilesStorage"},
}
# File names hashed by the front-end build, and by our storage.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^.*/assets/.+-[\w-]{8}\.\w+$|^.+\.[0-9a-f]{12}\.\w+$"
# Source maps make up most of the API docs' files and aren't worth compressing.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "map"]
DJANGO_VITE = {
    "default": {
        "dev_mode": False,
        "manifest_path": BASE_DIR / "frontend" / "dist" / ".vite" / "manifest.json",
    }
}

# --- security headers -----------------------------------------------------------------------------
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
X_FRAME_OPTIONS = "DENY"
# No inline scripts, except with the response's nonce. Public pages are cached and shared, so they
# use none. Inline styles are allowed because dialogs and toasts set theirs.
CONTENT_SECURITY_POLICY: dict[str, dict[str, Any]] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE, *HCAPTCHA_HOSTS],
        "style-src": [SELF, "'unsafe-inline'", *HCAPTCHA_HOSTS],
        "img-src": [SELF, "data:", "blob:", *env.names("MEDIA_HOSTS")],
        "font-src": [SELF],
        "connect-src": [SELF, *HCAPTCHA_HOSTS],
        "frame-src": [SELF, *HCAPTCHA_HOSTS],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        # A pre-order is a plain form post that redirects to Stripe's checkout page, and so is the
        # button that leads an owner to Stripe's setup pages.
        "form-action": [
            *(SELF, "https://checkout.stripe.com", "https://connect.stripe.com"),
            *SOCIAL_HOSTS,
        ],
    },
}

# --- the demo -------------------------------------------------------------------------------------
DEMO = env.flag("DEMO")
