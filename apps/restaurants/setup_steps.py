"""The steps from a confirmed email to a special that guests can order.

Quick Start, the hub, the dashboard's checklist, and the setup wizards show this one list, each in
its own way. Any step can wait, and nothing is asked for twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Exists

from apps.accounts.models import User
from apps.restaurants.models import Restaurant

QUICK_START = "/free-tier-quick-start"


class StepKey(StrEnum):
    """The steps, in their order."""

    NAME = "name"
    ADDRESS = "address"
    SPECIAL = "special"
    PAYMENTS = "payments"
    SHARE = "share"
    PROFILE = "profile"
    SOCIAL = "social"
    SIGN_IN = "sign_in"


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One step: what to do, where, and whether it is done. `is_needed` says that guests can't order
    before it is."""

    key: StepKey
    title: str
    text: str
    url: str
    is_done: bool
    is_needed: bool


def setup_steps(restaurant: Restaurant, *, user: User) -> list[SetupStep]:
    """All steps for `user`, the done ones included. One query, and one for the payment account
    unless it was read before."""
    account = getattr(restaurant, "connect_account", None)
    has_special, has_announcement = _have_rows(restaurant, "special_offers", "announcements")
    done = {
        StepKey.NAME: bool(restaurant.name),
        StepKey.ADDRESS: restaurant.subdomain_chosen_at is not None,
        StepKey.SPECIAL: has_special,
        StepKey.PAYMENTS: account is not None and account.charges_enabled,
        StepKey.SHARE: has_announcement,
        StepKey.PROFILE: restaurant.profile_completed,
        StepKey.SOCIAL: restaurant.marketing_completed,
        StepKey.SIGN_IN: user.has_usable_password(),
    }
    return [
        SetupStep(key, title, text, url, is_done=done[key], is_needed=key in _NEEDED)
        for key, (title, text, url) in _TEXTS.items()
    ]


_NEEDED = frozenset({StepKey.NAME, StepKey.ADDRESS, StepKey.SPECIAL, StepKey.PAYMENTS})


def _at(key: StepKey) -> str:
    return f"{QUICK_START}?step={key}"


_TEXTS: dict[StepKey, tuple[str, str, str]] = {
    StepKey.NAME: (
        "Name your restaurant",
        "The name your guests know.",
        _at(StepKey.NAME),
    ),
    StepKey.ADDRESS: (
        "Choose your web address",
        "We suggest one from your name.",
        _at(StepKey.ADDRESS),
    ),
    StepKey.SPECIAL: (
        "Publish your first special",
        "A dish, a price, a minimum, and a deadline.",
        _at(StepKey.SPECIAL),
    ),
    StepKey.PAYMENTS: (
        "Connect Stripe",
        "Guests can order after that. It takes about five minutes.",
        _at(StepKey.PAYMENTS),
    ),
    StepKey.SHARE: (
        "Share it with your guests",
        "We write the announcement; you send it.",
        _at(StepKey.SHARE),
    ),
    StepKey.PROFILE: (
        "Add your address and phone",
        "So guests can find you and call.",
        "/restaurant/settings",
    ),
    StepKey.SOCIAL: (
        "Add your social pages",
        "The pages where you announce specials.",
        "/restaurant/settings?section=marketing",
    ),
    StepKey.SIGN_IN: (
        "Set a password",
        "So you can sign in without an email link.",
        _at(StepKey.SIGN_IN),
    ),
}


def _have_rows(restaurant: Restaurant, *relations: str) -> Sequence[bool]:
    """Whether there are rows of each reverse relation. Offers and announcements are of higher apps,
    which can't be imported."""
    rows: list[Any] = [getattr(restaurant, relation).all() for relation in relations]
    found = Restaurant.objects.filter(pk=restaurant.pk).values_list(*map(Exists, rows))
    have: tuple[bool, ...] = found.get()
    return have
