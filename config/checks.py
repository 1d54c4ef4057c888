"""What production must never run with; `manage.py check` and every release say so.

Registered by the production settings alone. The errors stop `migrate`, the first step of a release.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from apps.common.message_catalogs import catalogues_in, is_compiled

SHORTEST_SECRET = 50
TELLTALE_SECRETS = ("django-insecure", "dev", "change", "secret", "example")
SECRET_KEYS = ("sk_test_", "rk_test_", "sk_live_", "rk_live_")
PUBLISHABLE_KEYS = ("pk_test_", "pk_live_")
STRIPE_ITSELF = "https://api.stripe.com"


@register(Tags.security)
def no_demo(**_: Any) -> list[CheckMessage]:
    """The demo shows everybody's mail and has passwords that stand in the documents."""
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
    """Whoever knows SECRET_KEY can sign sessions."""
    secret = settings.SECRET_KEY
    if len(secret) >= SHORTEST_SECRET and not secret.lower().startswith(TELLTALE_SECRETS):
        return []
    return [
        Error(
            "SECRET_KEY is short or looks like an example.",
            hint="Set it to at least 50 random characters, kept nowhere else.",
            id="fully_booked.E003",
        )
    ]


@register(Tags.security)
def https_everywhere(**_: Any) -> list[CheckMessage]:
    """Links we send and the webhook's address are built from these."""
    found: list[CheckMessage] = []
    if settings.PUBLIC_SCHEME != "https":
        found.append(
            Error("PUBLIC_SCHEME is not https.", hint="Set it to https.", id="fully_booked.E004")
        )
    elif settings.PUBLIC_PORT != 443:
        found.append(
            Warning(
                f"Links will carry the port {settings.PUBLIC_PORT}.",
                hint="Set PUBLIC_PORT to 443, unless people really reach us there.",
                id="fully_booked.W005",
            )
        )
    return found


@register(Tags.security)
def one_kind_of_stripe_key(**_: Any) -> list[CheckMessage]:
    """A live page with a test key takes orders nobody pays; the reverse charges testers."""
    secret, publishable = settings.STRIPE_SECRET_KEY, settings.STRIPE_PUBLISHABLE_KEY
    if not (secret.startswith(SECRET_KEYS) and publishable.startswith(PUBLISHABLE_KEYS)):
        return [
            Error(
                "A Stripe key is not one, or the two stand in each other's place.",
                hint="STRIPE_SECRET_KEY starts with sk_ or rk_, STRIPE_PUBLISHABLE_KEY with pk_.",
                id="fully_booked.E006",
            )
        ]
    kinds = {key.split("_")[1] for key in (secret, publishable)}
    if len(kinds) > 1:
        return [
            Error(
                "One Stripe key is a live key and the other a test key.",
                hint="Take both from the same page of Stripe's dashboard.",
                id="fully_booked.E007",
            )
        ]
    is_stripe = settings.STRIPE_API_BASE.rstrip("/") == STRIPE_ITSELF
    if "live" in kinds and not (is_stripe and settings.CARD_SCRIPT_IS_STRIPES):
        return [
            Error(
                "Live Stripe keys would be used with another server than Stripe's.",
                hint="Unset STRIPE_API_BASE and STRIPE_JS_URL.",
                id="fully_booked.E008",
            )
        ]
    return []


@register(Tags.translation)
def compiled_texts(**_: Any) -> list[CheckMessage]:
    """Without them every page is English, whatever the reader's language."""
    locale = Path(settings.BASE_DIR) / "locale"
    if all(is_compiled(catalogue) for catalogue in catalogues_in(locale)):
        return []
    return [
        Warning(
            "The texts in other languages are not compiled, or older than their catalogues.",
            hint="Run manage.py compilemessages as a part of the build.",
            id="fully_booked.W010",
        )
    ]


@register(Tags.database)
def a_role_that_obeys_row_level_security(
    databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """To a superuser, or a role with BYPASSRLS, every restaurant's rows are one table."""
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
                    f"The database role {role} passes row-level security by.",
                    hint=f"ALTER ROLE {role} NOSUPERUSER NOBYPASSRLS, or use another role.",
                    id="fully_booked.E009",
                )
            )
    return found
