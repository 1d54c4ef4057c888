"""What an order's page says about its disputes and fraud warnings."""

from dataclasses import dataclass

from apps.common import formats
from apps.preorders.documents.dispute_reasons import reason_label
from apps.preorders.models import Dispute, PreOrder
from apps.preorders.models.states import (
    AWAITING_ANSWER,
    OPEN_DISPUTES,
    DisputeStatus,
    OperationKind,
    OperationStatus,
)
from apps.restaurants.permissions import CurrentMembership, Permission

DISPUTES_PATH = "/restaurant/disputes"
TITLES = {
    DisputeStatus.WARNING_NEEDS_RESPONSE: "The guest's bank is asking about this charge",
    DisputeStatus.WARNING_UNDER_REVIEW: "The bank is reviewing your answer",
    DisputeStatus.WARNING_CLOSED: "The bank closed its inquiry",
    DisputeStatus.NEEDS_RESPONSE: "The guest disputed this charge",
    DisputeStatus.UNDER_REVIEW: "The bank is reviewing your evidence",
    DisputeStatus.WON: "You won the dispute",
    DisputeStatus.LOST: "The dispute was lost",
    DisputeStatus.PREVENTED: "The dispute was prevented",
}
WARNING_TITLE = "This charge may be fraud"
WARNING_ADVICE = (
    "The card's bank suspects that the cardholder didn't make this payment. Most such charges are "
    "disputed later, which costs you the payment even if you served the food. Refund it before "
    "pickup, unless you know the "
    "guest."
)


@dataclass(frozen=True, slots=True)
class DisputeNotice:
    title: str
    text: str
    url: str
    is_open: bool


def dispute_path(dispute: Dispute) -> str:
    return f"{DISPUTES_PATH}/{dispute.pk}"


def notices_of(order: PreOrder, *, membership: CurrentMembership) -> list[DisputeNotice]:
    """The order's disputes, newest first, and a warning that waits for a decision."""
    sees = membership.can(Permission.SEE_DISPUTES)
    notices = [
        DisputeNotice(
            title=TITLES[DisputeStatus(dispute.status)],
            text=dispute_sentence(dispute, order),
            url=dispute_path(dispute) if sees else "",
            is_open=dispute.status in OPEN_DISPUTES,
        )
        for dispute in sorted(order.disputes.all(), key=lambda one: one.opened_at, reverse=True)
    ]
    if any(warning.is_actionable for warning in order.fraud_warnings.all()):
        url = DISPUTES_PATH if sees else ""
        notices.append(DisputeNotice(WARNING_TITLE, WARNING_ADVICE, url, is_open=True))
    return notices


def dispute_sentence(dispute: Dispute, order: PreOrder) -> str:
    """Why, whether money moved, and what to do by when."""
    restaurant = order.offer.restaurant
    amount = formats.money(dispute.amount, restaurant.currency)
    why = f"{reason_label(dispute.reason)}."
    if dispute.status in AWAITING_ANSWER and dispute.due_by:
        by = formats.moment(dispute.due_by, restaurant.zone)
        money = (
            "No money has moved yet."
            if dispute.is_inquiry
            else f"Their bank took {amount} back until it decides."
        )
        return f"{why} {money} Answer by {by}; without an answer the money stays with the guest."
    match DisputeStatus(dispute.status):
        case DisputeStatus.UNDER_REVIEW:
            return f"{why} The bank decides about {amount}, usually within two to three months."
        case DisputeStatus.WON:
            return f"The bank returned {amount}. {_returned(dispute)}"
        case _ if dispute.is_lost:
            return f"{why} The guest keeps {amount}."
        case DisputeStatus.WARNING_CLOSED:
            return "You don't need to do anything."
    return why


def _returned(dispute: Dispute) -> str:
    """Whether the restaurant's share of a dispute that it won was transferred back to it."""
    returns = dispute.operations.filter(kind=OperationKind.RETURN_TRANSFER).order_by("-pk")
    state = returns.values_list("state", flat=True).first()
    if state == OperationStatus.PENDING:
        return "We're transferring your part of it to you again."
    if state == OperationStatus.FAILED:
        return (
            "Your part of it couldn't be transferred to your account, so we'll pay you another way."
        )
    return "Your part of it was transferred to you again."
