"""What the demo learns of its visitors, and what it forgets again (DECISIONS X63)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from ipaddress import ip_address

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower

from apps.common import rls
from apps.marketing.models import DemoLead
from apps.restaurants.models import Membership

VISITOR_DATA_PERIOD = timedelta(days=30)
MOST_STEPS = 50
LEADS_AT_ONCE = 1000


@transaction.atomic
def record_lead(
    *,
    email: str,
    completed_steps: Sequence[str],
    address: str,
    user_agent: str,
    referrer: str,
    now: datetime,
) -> DemoLead:
    """Keep the visitor's address and how far they came; one row for each e-mail."""
    seen = {"user_agent": user_agent[:500], "ip_address": _address(address), "last_seen_at": now}
    lead, is_new = DemoLead.objects.select_for_update().get_or_create(
        email=email.strip().lower(),
        defaults={**seen, "referrer_url": referrer[:500], "created_at": now},
    )
    steps = list(dict.fromkeys([*lead.completed_steps, *completed_steps]))[:MOST_STEPS]
    if not is_new or steps:
        DemoLead.objects.filter(pk=lead.pk).update(**seen, completed_steps=steps)
        lead.completed_steps = steps
    return lead


def _address(typed: str) -> str | None:
    try:
        return str(ip_address(typed))
    except ValueError:  # a socket without an address, or a proxy's own word for one
        return None


def delete_expired_leads(*, now: datetime) -> int:
    """Erase where those came from who were not seen for 30 days; how many there were."""
    old = DemoLead.objects.filter(last_seen_at__lte=now - VISITOR_DATA_PERIOD)
    known = old.filter(Q(ip_address__isnull=False) | ~Q(user_agent=""))
    return known.update(ip_address=None, user_agent="")


def record_conversions() -> int:
    """Note which leads own a restaurant by now; how many are new."""
    waiting = DemoLead.objects.filter(converted_to_restaurant=None).order_by("-last_seen_at")
    leads = {lead.email: lead for lead in waiting[:LEADS_AT_ONCE]}
    with rls.acting_as(rls.PLATFORM):
        owned = (
            Membership.objects.annotate(address=Lower("user__email"))
            .filter(role=Membership.Role.OWNER, address__in=list(leads))
            .order_by("-pk")  # the one they joined first is written last
            .values_list("address", "restaurant_id")
        )
        restaurants = dict(owned)
    for email, restaurant_id in restaurants.items():
        DemoLead.objects.filter(pk=leads[email].pk).update(converted_to_restaurant=restaurant_id)
    return len(restaurants)
