"""Emails to a restaurant's owners about disputes and early fraud warnings, in English like all the
restaurant's pages (decision 31)."""

from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from apps.common import formats
from apps.common.emails import EmailAction, one_line, platform_email
from apps.common.links import platform_url
from apps.preorders.documents.dispute_reasons import reason_advice, reason_label
from apps.preorders.emails.dinner import order_row
from apps.preorders.models import Dispute, Email, PreOrder
from apps.preorders.models.states import DisputeStatus
from apps.restaurants.models import Membership, Restaurant

DISPUTES_PATH, ORDERS_PATH = "/restaurant/disputes", "/restaurant/orders"


def render_dispute_email(email: Email) -> EmailMultiAlternatives:
    """The email. Its Message-ID derives from the row, so a repeat is the same message."""
    dispute = email.dispute
    assert dispute is not None
    order = dispute.pre_order
    zone = order.offer.restaurant.zone
    facts = {
        **_facts(order),
        "dispute": dispute,
        "amount": formats.money(dispute.amount, order.offer.restaurant.currency),
        "reason": reason_label(dispute.reason),
        "advice": reason_advice(dispute.reason),
        "due": formats.moment(dispute.due_by, zone) if dispute.due_by else "",
        "is_won": dispute.status == DisputeStatus.WON,
        "is_lost": dispute.is_lost,
    }
    says = "Answer the dispute" if dispute.awaits_answer(dispute.read_at) else "See the dispute"
    action = EmailAction(says, platform_url(f"{DISPUTES_PATH}/{dispute.pk}"))
    listed = _order_lines(order)
    return _message(email, order, action, facts, listed=listed, figures=_figures(dispute))


def render_fraud_warning_email(email: Email) -> EmailMultiAlternatives:
    warning = email.fraud_warning
    assert warning is not None
    order = warning.pre_order
    action = EmailAction("See the warning", platform_url(DISPUTES_PATH))
    facts = _facts(order)
    figures = [(facts["total"], "may be fraud")]
    return _message(email, order, action, facts, listed=_order_lines(order), figures=figures)


def row_for_owner(order: PreOrder) -> dict[str, Any]:
    """The order as a row of the layout, which leads to the restaurant's page about it."""
    return {
        **order_row(order),
        "where": one_line(order.offer.restaurant.name),
        "url": platform_url(f"{ORDERS_PATH}/{order.pk}"),
    }


def owners_of(restaurant: Restaurant) -> list[str]:
    """The email addresses of the restaurant's owners."""
    owners = Membership.objects.filter(restaurant=restaurant, role=Membership.Role.OWNER)
    return sorted(owners.values_list("user__email", flat=True))


def _message(
    email: Email,
    order: PreOrder,
    action: EmailAction,
    facts: dict[str, Any],
    *,
    listed: list[tuple[str, str]],
    figures: list[tuple[str, str]],
) -> EmailMultiAlternatives:
    restaurant = order.offer.restaurant
    owners = owners_of(restaurant) or [restaurant.email]
    message = platform_email(
        f"preorders/emails/{email.kind}.txt",
        to=owners[0],
        action=action,
        reason=f"You're getting this because you own {restaurant.name}.",
        facts=facts,
        listed=listed,
        shown={"figures": figures, "about": row_for_owner(order)},
    )
    message.to = owners
    message.extra_headers["Message-ID"] = f"<{email.pk}@{settings.ROOT_DOMAIN}>"
    return message


def _facts(order: PreOrder) -> dict[str, Any]:
    return {
        "order": order,
        "code": order.code,
        "guest": order.customer_name,
        "dish": order.served_name,
        "total": formats.money(order.total_amount, order.offer.restaurant.currency),
        "restaurant": order.offer.restaurant,
    }


def _order_lines(order: PreOrder) -> list[tuple[str, str]]:
    return [("Guest", order.customer_name), ("Order code", order.code)]


def _figures(dispute: Dispute) -> list[tuple[str, str]]:
    restaurant = dispute.pre_order.offer.restaurant
    amount = formats.money(dispute.amount, restaurant.currency)
    if dispute.status == DisputeStatus.WON:
        return [(amount, "returned by the bank")]
    if dispute.is_lost:
        return [(amount, "kept by the guest")]
    figures = [(amount, "in question" if dispute.is_inquiry else "disputed")]
    if dispute.due_by and dispute.awaits_answer(dispute.read_at):
        due = dispute.due_by.astimezone(restaurant.zone)
        figures.append((formats.day(due), f"due at {formats.time_of_day(due)} {due:%Z}"))
    return figures
