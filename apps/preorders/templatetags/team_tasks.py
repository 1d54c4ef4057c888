"""`{% team_tasks %}`: what waits for the team, above its pages."""

from typing import Any

from django import template
from django.template import Context

from apps.billing.emails import PAYOUTS_PATH
from apps.billing.services import STRIPE_PATH
from apps.common import clock
from apps.preorders.disputes.notices import DISPUTES_PATH
from apps.preorders.disputes.selectors import team_tasks as tasks_of
from apps.preorders.settlement.chargebacks import EXCESSIVE_PERCENT, WINDOW, chargebacks_of
from apps.restaurants.permissions import CurrentMembership, Permission

register = template.Library()


@register.inclusion_tag("preorders/team_tasks.html", takes_context=True)
def team_tasks(context: Context) -> dict[str, Any]:
    """The notice's context; empty for members who can't see disputes. Several tasks are folded up
    below the dashboard, which shows them. The payments page shows the share of chargebacks too."""
    request = context.get("request")
    membership: CurrentMembership | None = getattr(request, "shown_membership", None)
    if request is None or membership is None or not membership.can(Permission.SEE_DISPUTES):
        return {}
    restaurant, now = membership.restaurant, clock.now()
    shows_share = request.path == STRIPE_PATH
    tasks = tasks_of(restaurant=restaurant, now=now)
    return {
        "tasks": tasks,
        "is_folded": tasks.count > 1 and not context.get("is_dashboard"),
        "restaurant": restaurant,
        "disputes_url": DISPUTES_PATH,
        "payouts_url": PAYOUTS_PATH if membership.can(Permission.MANAGE) else "",
        "chargebacks": chargebacks_of(restaurant.pk, now=now) if shows_share else None,
        "threshold": EXCESSIVE_PERCENT,
        "window_days": WINDOW.days,
    }
