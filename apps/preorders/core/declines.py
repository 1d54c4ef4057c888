"""Why a card was declined, in the guest's words.

The payment provider's API answers in English only, so we say ourselves what its codes mean. A
bank's reason is shown where the guest can do something about it; that a card is reported stolen,
for instance, isn't: https://docs.stripe.com/declines/codes, https://docs.stripe.com/error-codes
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.billing.gateway import CardUnusable, Declined

_DECLINED = _("Your card was declined. Try another card.")
_SENTENCES: dict[str, Promise] = {
    "card_declined": _DECLINED,
    "insufficient_funds": _("Your card doesn't have enough funds. Try another card."),
    "expired_card": _("Your card has expired. Try another card."),
    "incorrect_cvc": _("Your card's security code is wrong. Enter the card again."),
    "processing_error": _("Your bank couldn't process your card. Try again in a moment."),
}


def reason_shown(error: Declined | CardUnusable) -> str:
    """The bank's reason where we show it to the guest, else the error's code."""
    reason = error.decline_code if isinstance(error, Declined) else ""
    return reason if reason in _SENTENCES else error.code


def decline_sentence(code: str, message: str) -> str:
    """`message` is the provider's, for a code that we have no words for."""
    return str(_SENTENCES.get(code) or message or _DECLINED)
