"""`{% settlement_banner %}`: on every staff page, that settlement is paused or specials overdue."""

from typing import Any

from django import template
from django.template import Context

from apps.accounts.staff_access import has_staff_access
from apps.common import clock, rls
from apps.preorders.settlement import overdue, pauses

register = template.Library()


@register.inclusion_tag("admin_ops/settlement_banner.html", takes_context=True)
def settlement_banner(context: Context) -> dict[str, Any]:
    """The banner's context; empty for everybody but staff, and when all is well."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or user is None or not user.is_authenticated:
        return {}
    if not has_staff_access(request, user):
        return {}
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        paused = pauses.shown_pauses(now=now)
        late = overdue.overdue_offers(now=now).count()
    return {"pauses": paused, "overdue": late, "page": request.path}
