"""Celery tasks of webhooks to restaurants; each calls one function."""

from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.integrations import delivery, emails
from apps.integrations.models import WebhookEndpoint
from apps.restaurants.selectors import owner_addresses


@shared_task(name="integrations.deliver", time_limit=60)
def deliver_task(restaurant_id: str, endpoint_id: str) -> None:
    """Send what is due to one endpoint; the sweep continues where a slice ends."""
    with rls.acting_as(UUID(restaurant_id)):
        delivery.deliver_to(UUID(endpoint_id), clock=clock.now)


@shared_task(name="integrations.deliver_due", time_limit=30)
def deliver_due_task() -> None:
    """Queue the endpoints with something due: retries, and events whose message was lost."""
    with rls.acting_as(rls.PLATFORM):
        for restaurant_id, endpoint_id in delivery.due_endpoints(now=clock.now()):
            deliver_task.delay(str(restaurant_id), str(endpoint_id))


@shared_task(
    name="integrations.send_turned_off",
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors too
    retry_backoff=5,
    max_retries=8,
    time_limit=60,
)
def send_turned_off_task(restaurant_id: str, endpoint_id: str) -> None:
    with rls.acting_as(UUID(restaurant_id)):
        endpoint = (
            WebhookEndpoint.objects.select_related("restaurant").filter(pk=endpoint_id).first()
        )
        if endpoint is None or endpoint.is_on:
            return
        for address in owner_addresses(endpoint.restaurant):
            emails.send_turned_off(endpoint, to=address)
