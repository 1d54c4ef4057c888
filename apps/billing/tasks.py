"""Celery tasks of the billing app; each calls one service."""

from celery import shared_task

from apps.billing import services, webhook_repair
from apps.common import clock, rls


@shared_task(name="billing.process_webhook", time_limit=60)
def process_webhook_task(trigger_id: int) -> None:
    with rls.acting_as(rls.PLATFORM):
        services.process_webhook(trigger_id=trigger_id)


@shared_task(name="billing.process_waiting_webhooks", time_limit=60)
def process_waiting_webhooks() -> None:
    with rls.acting_as(rls.PLATFORM):
        for trigger_id in services.waiting_webhooks(now=clock.now()):
            process_webhook_task.delay(trigger_id)


@shared_task(name="billing.repair_webhook_endpoints", time_limit=60)
def repair_webhook_endpoints_task() -> None:
    webhook_repair.repair_endpoints(now=clock.now())


@shared_task(name="billing.sync_account", time_limit=60)
def sync_account_task(account_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        services.sync_account(account_id=account_id, now=clock.now())
