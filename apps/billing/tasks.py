"""Celery tasks of the billing app; each calls one service."""

import logging
from uuid import UUID

from celery import shared_task

from apps.billing import (
    balances,
    chain,
    cycles,
    deliveries,
    emails,
    payouts,
    restrictions,
    services,
    subscription_emails,
    wallet_domains,
    webhook_repair,
)
from apps.billing.gateway import GatewayError
from apps.billing.subscriptions import first_invoice, registration, renewal
from apps.common import clock, rls
from apps.restaurants.models import Restaurant
from apps.restaurants.selectors import owner_addresses

logger = logging.getLogger(__name__)


@shared_task(name="billing.process_webhook", time_limit=60)
def process_webhook_task(trigger_id: int) -> None:
    with rls.acting_as(rls.PLATFORM):
        deliveries.process_webhook(trigger_id=trigger_id)


@shared_task(name="billing.process_waiting_webhooks", time_limit=60)
def process_waiting_webhooks() -> None:
    with rls.acting_as(rls.PLATFORM):
        for trigger_id in deliveries.waiting_webhooks(now=clock.now()):
            process_webhook_task.delay(trigger_id)


@shared_task(name="billing.repair_webhook_endpoints", time_limit=60)
def repair_webhook_endpoints_task() -> None:
    webhook_repair.repair_endpoints(now=clock.now())


@shared_task(name="billing.sync_wallet_domains", time_limit=280)
def sync_wallet_domains_task() -> None:
    wallet_domains.sync_wallet_domains(now=clock.now())


@shared_task(name="billing.sync_account", time_limit=60)
def sync_account_task(account_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        services.sync_account(account_id=account_id, now=clock.now())


@shared_task(
    name="billing.send_bank_account_changed",
    autoretry_for=(OSError,),  # smtplib's errors are OSErrors too
    retry_backoff=5,
    max_retries=8,
    time_limit=60,
)
def send_bank_account_changed_task(restaurant_id: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    for address in owner_addresses(restaurant):
        emails.send_bank_account_changed(restaurant, to=address)


@shared_task(name="billing.sync_payout", time_limit=60)
def sync_payout_task(payout_id: str, name: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        payouts.sync_payout(payout_id=payout_id, name=name, now=clock.now())


@shared_task(name="billing.schedule_payouts", time_limit=120)
def schedule_payouts() -> None:
    with rls.acting_as(rls.PLATFORM):
        payouts.schedule_payouts(now=clock.now())
        for payout_id in payouts.due_payouts(now=clock.now()):
            run_payout.delay(str(payout_id))
        payouts.tell_of_failures(now=clock.now())
        restrictions.tell_of_restrictions(now=clock.now())


@shared_task(name="billing.run_payout", time_limit=60)
def run_payout(payout_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        payouts.run_payout(payout_id=UUID(payout_id), now=clock.now())


@shared_task(name="billing.read_balances", time_limit=280)
def read_balances() -> None:
    with rls.acting_as(rls.PLATFORM):
        balances.read_balances(now=clock.now())


@shared_task(name="billing.seal_ledger", time_limit=120)
def seal_ledger() -> None:
    with rls.acting_as(rls.PLATFORM):
        chain.seal_entries(now=clock.now())


@shared_task(name="billing.close_cycles", time_limit=550)
def close_cycles_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        cycles.open_cycles(now=clock.now())
        cycles.close_cycles(now=clock.now())


@shared_task(name="billing.verify_ledger", time_limit=550)
def verify_ledger_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        chain.seal_entries(now=clock.now(), everything=True)
        chain.check_ledger(now=clock.now())


@shared_task(name="billing.finish_sign_up", time_limit=60)
def finish_sign_up_task(sign_up_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        registration.look_after_sign_up(UUID(sign_up_id), now=clock.now())


@shared_task(name="billing.open_subscription", time_limit=60)
def open_subscription_task(pk: int) -> None:
    with rls.acting_as(rls.PLATFORM):
        renewal.open_subscription(pk, now=clock.now())


@shared_task(name="billing.invoice_first_month", time_limit=60)
def invoice_first_month_task(sign_up_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        first_invoice.invoice_first_month(UUID(sign_up_id), now=clock.now())


@shared_task(name="billing.sync_subscription", time_limit=60)
def sync_subscription_task(subscription_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        renewal.sync_subscription(subscription_id, now=clock.now())


@shared_task(name="billing.send_subscription_email", time_limit=60)
def send_subscription_email_task(pk: int) -> None:
    with rls.acting_as(rls.PLATFORM):
        subscription_emails.send_due_email(pk)


@shared_task(name="billing.look_after_subscriptions", time_limit=280)
def look_after_subscriptions_task() -> None:
    """Finds by their state the sign-ups, subscriptions, and emails that wait for something."""
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        for sign_up_id in registration.unfinished_sign_ups(now=now):
            try:
                registration.look_after_sign_up(sign_up_id, now=now)
            except GatewayError as error:
                logger.warning("sign-up %s waits: %s", sign_up_id, error)
        renewal.look_after_subscriptions(now=now)
        first_invoice.invoice_first_months(now=now)
        subscription_emails.send_due_emails(now=now)
