"""Where a restaurant's payment set-up stands, in an owner's words (R94, R97, S11, DECISIONS X68).

One place for the API, the pages and the banner, so that they never disagree.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from apps.billing.models import ConnectAccount
from apps.billing.requirements import requirement_sentences


class PaymentSetupStatus(StrEnum):
    NOT_CONNECTED = "not_connected"
    IN_PROGRESS = "in_progress"  # the processor waits for the owner
    IN_REVIEW = "in_review"  # the owner waits for the processor
    SUSPENDED = "suspended"  # the processor has switched it off
    COMPLETE = "complete"


class SetupAction(StrEnum):
    """What mends it: on with the set-up, or a look into the processor's own dashboard."""

    ONBOARDING = "onboarding"
    DASHBOARD = "dashboard"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PaymentSetup:
    """`todo` is asked for now, `later` only some day; both in words."""

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


CANNOT_ORDER = "Until then guests see your offers but cannot pre-order."
NO_PAYOUTS = "Guests can pre-order, but Stripe pays nothing out until then."
DASHBOARD_LABEL = "Open Stripe Dashboard"
CONTINUE_LABEL = "Continue Stripe Setup"
# The first word of the processor's reason: nothing the form asks for opens such an account again.
_SWITCHED_OFF = ("rejected", "platform_paused", "other")
_CHECKING = ("under_review", "listed", "requirements.pending_verification")


def describe(account: ConnectAccount | None) -> PaymentSetup:
    """What there is to say and to do about this account; None where there is none yet."""
    if account is None:
        return PaymentSetup(
            state=PaymentSetupStatus.NOT_CONNECTED,
            headline="Not connected",
            sentence=(
                "Connect an account at Stripe to be paid. It takes about five minutes: have your "
                f"bank details at hand. {CANNOT_ORDER}"
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
    state, headline, sentence, action, label = _stand(account, bool(todo))
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


def _stand(
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
    if reason.startswith(_SWITCHED_OFF):
        return (
            PaymentSetupStatus.SUSPENDED,
            "Payments are suspended",
            "Stripe has suspended this account. Open your Stripe dashboard to see why, and write "
            f"to Stripe's support from there. {meanwhile}",
            SetupAction.DASHBOARD,
            DASHBOARD_LABEL,
        )
    if account.details_submitted and not is_asked and _is_being_checked(account, reason):
        return (
            PaymentSetupStatus.IN_REVIEW,
            "Setup In Progress",
            "Stripe is checking what you gave, which can take a day or two. There is nothing for "
            f"you to do. {meanwhile}",
            SetupAction.DASHBOARD,
            DASHBOARD_LABEL,
        )
    return (
        PaymentSetupStatus.IN_PROGRESS,
        "Setup In Progress",
        f"Stripe needs a little more from you. {meanwhile}",
        SetupAction.ONBOARDING,
        CONTINUE_LABEL,
    )


def _is_being_checked(account: ConnectAccount, reason: str) -> bool:
    waits = bool(account.requirements.get("pending_verification"))
    return waits or not reason or reason.startswith(_CHECKING)
