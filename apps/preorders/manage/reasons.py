"""Who caused a change of an order, and why, for the restaurant's team."""

from apps.preorders.models import PaymentOperation, PreOrderTransition
from apps.preorders.models.states import GUEST, ReasonCode

# Stripe's decline and cancellation codes, for people: https://docs.stripe.com/declines/codes and
# https://docs.stripe.com/api/payment_intents/object#payment_intent_object-cancellation_reason
_PROVIDER_CODES = {
    "insufficient_funds": "Insufficient funds",
    "expired_card": "The card has expired",
    "card_declined": "The bank gave no reason",
    "generic_decline": "The bank gave no reason",
    "authentication_required": "The bank needs the guest's confirmation",
    "abandoned": "The guest didn't finish",
    "duplicate": "Replaced by another payment",
    "requested_by_customer": "",
    "expired": "The hold expired",
    "void_invoice": "",
    # https://docs.stripe.com/error-codes
    "insufficient_capabilities_for_transfer": "Your Stripe account can't receive payments now",
    "balance_insufficient": "The Stripe balance doesn't cover it",
    "charge_disputed": "The guest disputed the charge with their bank",
    "charge_already_refunded": "It was already refunded",
}


def why(record: PreOrderTransition | PaymentOperation) -> str:
    """What a person wrote, else what the recorded code means."""
    return record.reason or describe_code(record.reason_code)


def describe_code(code: str) -> str:
    """A recorded code for display; one we don't know is shown as it is."""
    if code in ReasonCode:
        return str(ReasonCode(code).label)
    return _PROVIDER_CODES.get(code, code[:1].upper() + code[1:].replace("_", " "))


def actor_of(record: PreOrderTransition | PaymentOperation) -> str:
    """Who did it: a team member's name, the guest, or nobody (empty)."""
    return "the guest" if record.actor == GUEST else record.actor
