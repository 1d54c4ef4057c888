"""Why a payout failed or is refused, in words for the owner.

The codes are Stripe's: https://docs.stripe.com/api/payouts/failures
"""

_UPDATE_BANK = "Update your bank account in the Stripe Dashboard, then try the payout again."
_SENTENCES = {
    "account_closed": f"The bank account is closed. {_UPDATE_BANK}",
    "account_frozen": (
        "The bank account is frozen. Ask your bank about it, or enter another account in the "
        "Stripe Dashboard. Then try the payout again."
    ),
    "bank_account_restricted": f"The bank account can't receive this payment. {_UPDATE_BANK}",
    "could_not_process": "Your bank couldn't process it. Try the payout again.",
    "invalid_account_number": f"The account number is wrong. {_UPDATE_BANK}",
    "no_account": f"Your bank couldn't find the account. {_UPDATE_BANK}",
    "payouts_not_allowed": (
        "Stripe has paused payouts from your account. Open the Stripe Dashboard to see what it "
        "needs from you. We'll try again automatically."
    ),
}


def failure_sentence(code: str) -> str:
    """What happened and what to do, for any code."""
    return _SENTENCES.get(code, f"Your bank sent it back. {_UPDATE_BANK}")
