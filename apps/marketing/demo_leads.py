"""Demo leads: record visitors and link them to restaurants (DECISIONS X63)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from ipaddress import ip_address

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from apps.common import rls
from apps.marketing.models import DemoLead
from apps.restaurants.models import Membership

TRACES_RETENTION = timedelta(days=30)  # IP address and user agent
MAX_STEPS = 50  # per lead
CONVERSION_BATCH_SIZE = 1000


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
    """Record a demo visitor and the steps completed so far; one row per email."""
    seen = {"user_agent": user_agent[:500], "ip_address": _address(address), "last_seen_at": now}
    lead, is_new = DemoLead.objects.select_for_update().get_or_create(
        email=email.strip().lower(),
        defaults={**seen, "referrer_url": referrer[:500], "created_at": now},
    )
    steps = list(dict.fromkeys([*lead.completed_steps, *completed_steps]))[:MAX_STEPS]
    if not is_new or steps:
        DemoLead.objects.filter(pk=lead.pk).update(**seen, completed_steps=steps)
        lead.completed_steps = steps
    return lead


def _address(typed: str) -> str | None:
    try:
        return str(ip_address(typed))
    except ValueError:  # a Unix socket has no address, and proxies may send a placeholder
        return None


def outdated_traces(now: datetime) -> QuerySet[DemoLead]:
    """Leads not seen for 30 days that still have an IP address or user agent."""
    old = DemoLead.objects.filter(last_seen_at__lte=now - TRACES_RETENTION)
    return old.filter(Q(ip_address__isnull=False) | ~Q(user_agent=""))


def record_conversions() -> int:
    """Link leads to the restaurant they own by now; returns how many were linked."""
    waiting = DemoLead.objects.filter(converted_to_restaurant=None).order_by("-last_seen_at")
    leads = {lead.email: lead for lead in waiting[:CONVERSION_BATCH_SIZE]}
    with rls.acting_as(rls.PLATFORM):
        owned = (
            Membership.objects.annotate(address=Lower("user__email"))
            .filter(role=Membership.Role.OWNER, address__in=list(leads))
            .order_by("-pk")  # so the first restaurant they joined wins
            .values_list("address", "restaurant_id")
        )
        restaurants = dict(owned)
    for email, restaurant_id in restaurants.items():
        DemoLead.objects.filter(pk=leads[email].pk).update(converted_to_restaurant=restaurant_id)
    return len(restaurants)
