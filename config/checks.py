"""System checks for production, run by `manage.py check` and by every release.

Only the production settings register them. Errors stop `migrate`, the first step of a release.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from apps.common.message_catalogs import catalogs_in, is_compiled

MIN_SECRET_CHARACTERS = 50
EXAMPLE_SECRET_PREFIXES = ("django-insecure", "dev", "change", "secret", "example")
SECRET_KEY_PREFIXES = ("sk_test_", "rk_test_", "sk_live_", "rk_live_")
PUBLISHABLE_KEY_PREFIXES = ("pk_test_", "pk_live_")
STRIPE_API = "https://api.stripe.com"
# https://www.rfc-editor.org/rfc/rfc9116#section-2.5.3
CONTACT_SCHEMES = ("https://", "mailto:", "tel:")


@register(Tags.security)
def no_demo(**_: Any) -> list[CheckMessage]:
    """The demo shows everyone's email and has documented passwords."""
    if not settings.DEMO:
        return []
    return [Error("DEMO is on in production.", hint="Unset DEMO.", id="fully_booked.E001")]


@register(Tags.security)
def no_debugging(**_: Any) -> list[CheckMessage]:
    if not settings.DEBUG:
        return []
    return [Error("DEBUG is on in production.", hint="Unset DEBUG.", id="fully_booked.E002")]


@register(Tags.security)
def a_secret_of_its_own(**_: Any) -> list[CheckMessage]:
    """Anyone who knows SECRET_KEY can forge sessions."""
    secret = settings.SECRET_KEY
    if len(secret) >= MIN_SECRET_CHARACTERS and not secret.lower().startswith(
        EXAMPLE_SECRET_PREFIXES
    ):
        return []
    return [
        Error(
            "SECRET_KEY is short or looks like an example.",
            hint="Set it to at least 50 random characters and store it nowhere else.",
            id="fully_booked.E003",
        )
    ]


@register(Tags.security)
def encryption_keys_of_their_own(**_: Any) -> list[CheckMessage]:
    """With a separate key, someone who learns SECRET_KEY can't read the second factors."""
    others = {settings.SECRET_KEY}
    if settings.ENCRYPTION_KEYS_ARE_SET and _are_own(settings.ENCRYPTION_KEYS, others):
        return []
    return [
        Error(
            "ENCRYPTION_KEYS is not set, is short, or is the same as SECRET_KEY.",
            hint="Set it to at least 50 random characters of its own.",
            id="fully_booked.E018",
        )
    ]


@register(Tags.security)
def signing_keys_of_their_own(**_: Any) -> list[CheckMessage]:
    """With separate keys, a leaked SECRET_KEY can't forge links to orders, and the links can be
    ended without signing everyone out."""
    others = {settings.SECRET_KEY, *settings.ENCRYPTION_KEYS}
    if settings.SIGNING_KEYS_ARE_SET and _are_own(settings.SIGNING_KEYS, others):
        return []
    return [
        Error(
            "SIGNING_KEYS is not set, is short, or is the same as another key.",
            hint="Set it to at least 50 random characters of its own.",
            id="fully_booked.E021",
        )
    ]


def _are_own(keys: list[str], others: set[str]) -> bool:
    return others.isdisjoint(keys) and min(map(len, keys)) >= MIN_SECRET_CHARACTERS


@register(Tags.security)
def https_everywhere(**_: Any) -> list[CheckMessage]:
    """Links in emails and the webhook URL are built from these settings."""
    found: list[CheckMessage] = []
    if settings.PUBLIC_SCHEME != "https":
        found.append(
            Error("PUBLIC_SCHEME is not https.", hint="Set it to https.", id="fully_booked.E004")
        )
    elif settings.PUBLIC_PORT != 443:
        found.append(
            Warning(
                f"Links will contain the port {settings.PUBLIC_PORT}.",
                hint="Set PUBLIC_PORT to 443, unless the site is public on that port.",
                id="fully_booked.W005",
            )
        )
    return found


@register(Tags.security)
def a_security_contact(**_: Any) -> list[CheckMessage]:
    """Programs read /.well-known/security.txt, so the contact must be a link."""
    contact = settings.SECURITY_CONTACT
    if not contact or (contact.startswith(CONTACT_SCHEMES) and contact.split() == [contact]):
        return []
    return [
        Error(
            "SECURITY_CONTACT is not a link.",
            hint="Set it to one https://, mailto: or tel: link.",
            id="fully_booked.E020",
        )
    ]


@register(Tags.security)
def known_proxies(**_: Any) -> list[CheckMessage]:
    """Behind a proxy that isn't counted, all visitors share one address and its limits."""
    if settings.TRUSTED_PROXIES_ARE_SET:
        return []
    return [
        Error(
            "TRUSTED_PROXIES is not set.",
            hint=(
                "Set it to the number of your own proxies that add to X-Forwarded-For, usually 1; "
                "to 0 only if visitors reach the web process directly."
            ),
            id="fully_booked.E016",
        )
    ]


@register(Tags.security)
def limited_checkouts(**_: Any) -> list[CheckMessage]:
    """Without limits, one machine can hold a special's portions and test stolen cards."""
    if settings.CHECKOUT_LIMITS:
        return []
    return [Error("CHECKOUT_LIMITS is off.", hint="Unset CHECKOUT_LIMITS.", id="fully_booked.E017")]


@register(Tags.security)
def one_kind_of_stripe_key(**_: Any) -> list[CheckMessage]:
    """A live page with a test key takes orders that nobody pays for; the reverse charges
    testers."""
    secret, publishable = settings.STRIPE_SECRET_KEY, settings.STRIPE_PUBLISHABLE_KEY
    if not (
        secret.startswith(SECRET_KEY_PREFIXES) and publishable.startswith(PUBLISHABLE_KEY_PREFIXES)
    ):
        return [
            Error(
                "A Stripe key is malformed, or the two keys are swapped.",
                hint="STRIPE_SECRET_KEY starts with sk_ or rk_, STRIPE_PUBLISHABLE_KEY with pk_.",
                id="fully_booked.E006",
            )
        ]
    kinds = {key.split("_")[1] for key in (secret, publishable)}
    if len(kinds) > 1:
        return [
            Error(
                "One Stripe key is a live key and the other a test key.",
                hint="Copy both from the same page of the Stripe dashboard.",
                id="fully_booked.E007",
            )
        ]
    is_stripe = settings.STRIPE_API_BASE.rstrip("/") == STRIPE_API
    if "live" in kinds and not (is_stripe and settings.CARD_SCRIPT_IS_STRIPES):
        return [
            Error(
                "Live Stripe keys are configured with a server other than Stripe's.",
                hint="Unset STRIPE_API_BASE and STRIPE_JS_URL.",
                id="fully_booked.E008",
            )
        ]
    return []


@register(Tags.security)
def encrypted_email(**_: Any) -> list[CheckMessage]:
    """Emails contain links to orders and to new passwords."""
    by_smtp = settings.EMAIL_BACKEND.endswith("smtp.EmailBackend")
    encrypted = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    if not by_smtp or encrypted or is_local(settings.EMAIL_HOST):
        return []
    return [
        Error(
            f"Emails go to {settings.EMAIL_HOST} unencrypted.",
            hint="Set EMAIL_USE_TLS=1 (port 587) or EMAIL_USE_SSL=1 (port 465).",
            id="fully_booked.E011",
        )
    ]


@register(Tags.security)
def encrypted_database(**_: Any) -> list[CheckMessage]:
    """https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION"""
    database: dict[str, Any] = settings.DATABASES["default"]
    options = database.get("OPTIONS", {})
    host, mode = database.get("HOST") or options.get("host", ""), options.get("sslmode")
    if is_local(host) or mode in ("verify-ca", "verify-full"):
        return []
    return [
        Error(
            f"The connection to PostgreSQL on {host} may be unencrypted or end at somebody else.",
            hint="Add ?sslmode=verify-full to DATABASE_URL, and &sslrootcert= with the authority's "
            "certificate, or sslrootcert=system for a public one.",
            id="fully_booked.E012",
        )
    ]


@register(Tags.security)
def protected_redis(**_: Any) -> list[CheckMessage]:
    """Anyone who can reach Redis can read sessions and give the workers tasks."""
    redis = urlsplit(settings.REDIS_URL)
    if redis.scheme == "unix" or is_local(redis.hostname or ""):
        return []
    found: list[CheckMessage] = []
    if redis.scheme != "rediss":
        found.append(
            Error(
                f"The connection to Redis on {redis.hostname} is unencrypted.",
                hint="Use rediss:// in REDIS_URL.",
                id="fully_booked.E013",
            )
        )
    if not redis.password:
        found.append(
            Error(
                f"Redis on {redis.hostname} needs no password.",
                hint="Set one on the server and in REDIS_URL: rediss://:password@host:6379/0",
                id="fully_booked.E014",
            )
        )
    return found


def is_local(host: str) -> bool:
    """Whether a host is this machine: no name, a socket's directory, or a loopback address."""
    return not host or host.startswith("/") or host in ("localhost", "127.0.0.1", "::1")


@register(Tags.translation)
def compiled_texts(**_: Any) -> list[CheckMessage]:
    """Without compiled catalogs, every page is in English."""
    locale = Path(settings.BASE_DIR) / "locale"
    if all(is_compiled(catalog) for catalog in catalogs_in(locale)):
        return []
    return [
        Warning(
            "The translations aren't compiled or are older than their catalogs.",
            hint="Run manage.py compilemessages during the build.",
            id="fully_booked.W010",
        )
    ]


@register(Tags.database)
def a_role_that_obeys_row_level_security(
    databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Row-level security doesn't apply to a superuser or a role with BYPASSRLS."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute(
                "SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles "
                "WHERE rolname = current_user"
            )
            role, passes = cursor.fetchone()
        if passes:
            found.append(
                Error(
                    f"The database role {role} bypasses row-level security.",
                    hint=f"ALTER ROLE {role} NOSUPERUSER NOBYPASSRLS, or use another role.",
                    id="fully_booked.E009",
                )
            )
    return found


@register(Tags.database)
def a_role_that_owns_nothing(
    databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """The owner of a table can switch its row-level security off; the program's role can't."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        role = str(settings.DATABASES[alias].get("USER", ""))
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = %s", [role])
            (owned,) = cursor.fetchone()
        if owned:
            found.append(
                Error(
                    f"The database role {role} owns {owned} tables.",
                    hint="Let another role own them and set DATABASE_OWNER_URL: docs/operations.md",
                    id="fully_booked.E015",
                )
            )
    return found
