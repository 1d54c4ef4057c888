"""Events in words: what happened, the details, and where its object is shown."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.activity.kinds import Kind
from apps.activity.models import ActorKind, LoggedEvent

_IN_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Where the restaurant's pages show an object; `{}` is its id.
_PAGES = {
    "order": "/restaurant/orders/{}",
    "special": "/restaurant/offers/{}",
    "dispute": "/restaurant/disputes/{}",
    "member": "/restaurant/team",
    "invitation": "/restaurant/team",
    "payout": "/restaurant/payouts",
    "webhook": "/restaurant/webhooks/{}",
    "support_visit": "/restaurant/security#support",
    "payout_account": "/restaurant/stripe-management",
}


def title_of(event: LoggedEvent) -> str:
    """What happened; the code itself for a kind that this version doesn't know."""
    return str(Kind(event.kind).label) if event.kind in Kind.values else event.kind


def page_of(event: LoggedEvent) -> str:
    """The path of the page about the event's object, or empty."""
    return _PAGES.get(event.object_kind, "").format(event.object_id)


def actor_of(event: LoggedEvent, names: Mapping[Any, str]) -> str:
    """Who acted. `names` are the names of accounts by id; staff stay without one."""
    if event.actor_kind != ActorKind.ACCOUNT or event.actor_id is None:
        return str(ActorKind(event.actor_kind).label)
    return names.get(event.actor_id) or _("Deleted account")


def details_of(event: LoggedEvent) -> str:
    """The details in words, such as "manager → owner" or "tax rate, currency"."""
    details = dict(event.details)
    parts = [text for write in _WRITERS if (text := write(details))]
    return " · ".join(parts)


# Codes that don't explain themselves.
_NAMES = {
    "everything": gettext_lazy("full access"),
    "mfa": gettext_lazy("second factor"),
    "read": gettext_lazy("read only"),
    "socialaccount": gettext_lazy("another site's account"),
    "totp": gettext_lazy("authenticator app"),
    "webauthn": gettext_lazy("passkey"),
}


def _words(code: object) -> str:
    if str(code) in _NAMES:
        return str(_NAMES[str(code)])
    return _IN_CAMEL_CASE.sub(" ", str(code).replace("_", " ")).lower()


def _change(details: dict[str, Any]) -> str:
    for name in ("role", "plan"):
        if details.get(name) and details.get("before"):
            return f"{_words(details['before'])} → {_words(details[name])}"
    return _words(details.get("role") or details.get("plan") or "")


def _amount(details: dict[str, Any]) -> str:
    return f"{details['amount']} {details.get('currency', '')}" if "amount" in details else ""


def _fields(details: dict[str, Any]) -> str:
    return ", ".join(_words(name) for name in details.get("fields", []))


def _count(details: dict[str, Any]) -> str:
    count = details.get("count", 0)
    if count < 2:
        return ""
    return ngettext("%(count)s time so far", "%(count)s times so far", count) % {"count": count}


def _required(details: dict[str, Any]) -> str:
    if "required" not in details:
        return ""
    return _("required") if details["required"] else _("optional")


def _code(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda details: _words(details.get(name, ""))


_WRITERS: tuple[Callable[[dict[str, Any]], str], ...] = (
    _change,
    _amount,
    _fields,
    _required,
    *(
        _code(name)
        for name in ("address", "change", "format", "issue", "limit", "method", "page", "provider")
    ),
    lambda details: str(details.get("route", "")),
    _code("scope"),
    _code("type"),
    _count,
)
