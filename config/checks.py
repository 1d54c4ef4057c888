"""System checks for production, run by `manage.py check` and by every release.

Only the production settings register them. Errors stop `migrate`, the first step of a release.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from apps.common.message_catalogs import catalogues_in, is_compiled

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
    """Programs read /.well-known/security.txt, so the contact has to be a link."""
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
def one_kind_of_stripe_key(**_: Any) -> list[CheckMessage]:
    """A live page with a test key takes orders nobody pays; the reverse charges testers."""
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


@register(Tags.translation)
def compiled_texts(**_: Any) -> list[CheckMessage]:
    """Without compiled catalogs, every page is in English."""
    locale = Path(settings.BASE_DIR) / "locale"
    if all(is_compiled(catalogue) for catalogue in catalogues_in(locale)):
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
