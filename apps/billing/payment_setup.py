"""The status of a restaurant's payment setup, in words for its owner (DECISIONS X68).

The API, the pages, and the banner all use it, so they never disagree.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.billing.models import ConnectAccount
from apps.billing.requirements import requirement_sentences
from apps.restaurants.regions import is_paid_country, unpaid_country


class PaymentSetupStatus(StrEnum):
    NOT_CONNECTED = "not_connected"
    IN_PROGRESS = "in_progress"  # Stripe is waiting for the owner
    IN_REVIEW = "in_review"  # the owner is waiting for Stripe
    SUSPENDED = "suspended"  # Stripe has disabled the account
    UNAVAILABLE = "unavailable"  # Stripe doesn't serve the restaurant's country
    COMPLETE = "complete"


class SetupAction(StrEnum):
    """What the owner can do next: continue onboarding, or open the Stripe dashboard."""

    ONBOARDING = "onboarding"
    DASHBOARD = "dashboard"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PaymentSetup:
    """`todo` lists what Stripe needs now, `later` what it will need eventually, both in words."""

    state: PaymentSetupStatus
    headline: str
    sentence: str
    action: SetupAction
    action_label: str
    todo: list[str]
    later: list[str]
    takes_orders: bool

    @property
    def is_complete(self) -> bool:
        return self.state is PaymentSetupStatus.COMPLETE


CANNOT_ORDER = "Until then, guests can see your specials but can't pre-order."
NO_PAYOUTS = "Guests can pre-order, but Stripe won't send payouts until then."
DASHBOARD_LABEL = "Open Stripe Dashboard"
CONTINUE_LABEL = "Continue Stripe Setup"
# Prefixes of Stripe's disabled_reason. Accounts disabled for these can't be fixed by onboarding.
_SUSPENDED_REASONS = ("rejected", "platform_paused", "other")
_REVIEW_REASONS = ("under_review", "listed", "requirements.pending_verification")


def describe(account: ConnectAccount | None, *, country: str) -> PaymentSetup:
    """The setup status of this account; None stands for a restaurant without one. `country` is the
    restaurant's, as its owner wrote it."""
    if account is None and not is_paid_country(country):
        return PaymentSetup(
            state=PaymentSetupStatus.UNAVAILABLE,
            headline="Not available in your country",
            sentence=unpaid_country(country),
            action=SetupAction.NONE,
            action_label="",
            todo=[],
            later=[],
            takes_orders=False,
        )
    if account is None:
        return PaymentSetup(
            state=PaymentSetupStatus.NOT_CONNECTED,
            headline="Not connected",
            sentence=(
                "Connect Stripe to get paid. It takes about five minutes. Have your bank details "
                f"ready. {CANNOT_ORDER}"
            ),
            action=SetupAction.ONBOARDING,
            action_label="Continue to Stripe Setup",
            todo=[],
            later=[],
            takes_orders=False,
        )
    asked: dict[str, Any] = account.requirements
    now_due = [*asked.get("past_due", []), *asked.get("currently_due", [])]
    todo = requirement_sentences(now_due)
    later = [
        each for each in requirement_sentences(asked.get("eventually_due", [])) if each not in todo
    ]
    state, headline, sentence, action, label = _setup_status(account, bool(todo))
    return PaymentSetup(
        state=state,
        headline=headline,
        sentence=sentence,
        action=action,
        action_label=label,
        todo=todo,
        later=later,
        takes_orders=account.charges_enabled,
    )


def _setup_status(
    account: ConnectAccount, is_asked: bool
) -> tuple[PaymentSetupStatus, str, str, SetupAction, str]:
    meanwhile = NO_PAYOUTS if account.charges_enabled else CANNOT_ORDER
    reason = str(account.requirements.get("disabled_reason") or "")
    if account.is_complete:
        return (
            PaymentSetupStatus.COMPLETE,
            "Connected",
            "Payment setup complete! You can now receive payments from special offers.",
            SetupAction.DASHBOARD,
            DASHBOARD_LABEL,
        )
    if reason.startswith(_SUSPENDED_REASONS):
        return (
            PaymentSetupStatus.SUSPENDED,
            "Payments are suspended",
            "Stripe has suspended this account. Open your Stripe dashboard to see why and to "
            f"contact Stripe support. {meanwhile}",
            SetupAction.DASHBOARD,
            DASHBOARD_LABEL,
        )
    if account.details_submitted and not is_asked and _is_being_checked(account, reason):
        return (
            PaymentSetupStatus.IN_REVIEW,
            "Setup In Progress",
            "Stripe is reviewing your details, which can take a day or two. You don't need to do "
            f"anything. {meanwhile}",
            SetupAction.DASHBOARD,
            DASHBOARD_LABEL,
        )
    return (
        PaymentSetupStatus.IN_PROGRESS,
        "Setup In Progress",
        f"Stripe needs a few more details from you. {meanwhile}",
        SetupAction.ONBOARDING,
        CONTINUE_LABEL,
    )


def _is_being_checked(account: ConnectAccount, reason: str) -> bool:
    waits = bool(account.requirements.get("pending_verification"))
    return waits or not reason or reason.startswith(_REVIEW_REASONS)
