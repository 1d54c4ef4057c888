"""Commands about connected accounts and balances."""

from typing import Any

from ..resources import accounts, balances, payouts, refund_outcomes, restrictions
from ..server import Call
from .reading import account_of, one_of, only


def onboard(call: Call, given: Any) -> Any:
    return accounts.complete_onboarding(call, str(given))["id"]


def restrict(call: Call, given: Any) -> Any:
    given = only(given, "restrict", ("account", "reason", "capabilities", "payouts"))
    reason = one_of(
        given.get("reason", "requirements.past_due"), "restrict.reason", restrictions.REASONS
    )
    account = restrictions.restrict(
        call,
        str(given.get("account")),
        reason,
        capabilities=tuple(given.get("capabilities", ())),
        payouts=bool(given.get("payouts", True)),
    )
    return account["id"]


def change_bank(call: Call, given: Any) -> Any:
    given = only(given, "change_bank", ("account", "last4"))
    last4 = str(given.get("last4", "6789"))
    return accounts.change_bank_account(call, str(given.get("account")), last4)["id"]


def fail_payout(call: Call, given: Any) -> Any:
    given = only(given, "fail_payout", ("payout", "code"))
    code = one_of(given.get("code", "account_closed"), "fail_payout.code", tuple(payouts.FAILURES))
    payout = str(given.get("payout"))
    return payouts.fail(call.for_account(account_of(call, payout)), payout, code)["id"]


def platform_funds(call: Call, given: Any) -> Any:
    """Set what the platform has apart from its payments, in cents; waiting refunds may follow."""
    balances.set_platform_funds(call, int(given))
    refund_outcomes.send_waiting(call)
    return balances.platform_funds(call)
