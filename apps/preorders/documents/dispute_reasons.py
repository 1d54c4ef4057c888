"""Why a guest's bank disputes a charge, in words, and what helps to answer it.

https://docs.stripe.com/disputes/categories
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    label: str
    advice: str


_GENERAL = Reason(
    "The bank gave no clear reason",
    "Say what was ordered, and when and by whom it was picked up. If you can, ask the guest first.",
)
_REASONS = {
    "fraudulent": Reason(
        "The cardholder says they didn't make this payment",
        "Say what shows that the guest ordered themselves: messages, a call, an earlier visit, or "
        "who picked the order up.",
    ),
    "product_not_received": Reason(
        "The guest says they didn't get the food",
        "Say when the order was picked up and by whom. If nobody came, say that it was ready and "
        "until when.",
    ),
    "product_unacceptable": Reason(
        "The guest says the food wasn't as described",
        "Say what the special's page promised and what was served. If the guest complained to you, "
        "say what you offered.",
    ),
    "duplicate": Reason(
        "The guest says they were charged twice",
        "Say which orders the guest placed. If it was charged twice, accept the dispute.",
    ),
    "credit_not_processed": Reason(
        "The guest says they were promised a refund",
        "Say why no refund is due. If you promised one, accept the dispute.",
    ),
    "unrecognized": Reason(
        "The guest doesn't recognize the charge",
        "Call or email the guest: the name on the statement often isn't the one they remember. If "
        "they remember then, ask them to withdraw the dispute, and answer it anyway.",
    ),
    "general": _GENERAL,
}


def reason_label(code: str) -> str:
    """Why the bank disputes, as a sentence; an unknown code is shown as it is."""
    known = _REASONS.get(code)
    return known.label if known else code.replace("_", " ").capitalize()


def reason_advice(code: str) -> str:
    """What to write in the answer."""
    return _REASONS.get(code, _GENERAL).advice
