"""Celery tasks: each takes ids, calls a service, is safe to run twice and has a time limit."""

import logging
from time import monotonic
from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.offers.models import SpecialOffer
from apps.preorders.core import jobs, referrals, reservations
from apps.preorders.emails import guest_links, notices, outbox, reminders, returned_refunds
from apps.preorders.emails.next_specials import NextSpecials
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import CHECKOUT_STATUSES, PreOrderStatus, RunTrigger
from apps.preorders.push import sender as push_sender
from apps.preorders.settlement import (
    batch_capture,
    cancellation,
    checkout_expiry,
    deadline,
    declined_cards,
    dispute_reconciliation,
    disputes,
    expirations,
    expiry,
    fraud_warnings,
    payments,
    reconciliation,
    worker,
)
from apps.preorders.settlement import cart_items as settlement_cart_items
from apps.preorders.waitlist import services as waitlist_services

logger = logging.getLogger(__name__)

# No new operation of a slice starts after this time, so that other offers get their turn. The last
# one can take three calls of up to 20 seconds each.
SLICE_SECONDS = 5
# A pass of the reconciliation stops here and the next one continues. One intent takes up to four
# calls of up to 20 seconds each, and the task's limit is 280 seconds.
RECONCILIATION_BUDGET_SECONDS = 200
# A run over the specials past their deadline stops here; the open checkouts of one take seconds.
EXPIRATION_BUDGET_SECONDS = 200


@shared_task(name="preorders.close_due_offers", time_limit=30)
def close_due_offers_task() -> None:
    """One tick of the scheduler; runs every second (DECISIONS X61)."""
    with rls.acting_as(rls.PLATFORM):
        expirations.dispatch(now=clock.now())


@shared_task(name="preorders.close_offer", time_limit=120)
def close_offer_task(offer_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        deadline.close_offer(UUID(offer_id), now=clock.now(), automatic=True)


@shared_task(name="preorders.process_expirations", time_limit=280)
def process_expirations_task() -> None:
    begun = monotonic()
    with rls.acting_as(rls.PLATFORM):
        expirations.process_expirations(
            trigger=RunTrigger.SCHEDULE,
            now=clock.now(),
            has_time=lambda: monotonic() - begun < EXPIRATION_BUDGET_SECONDS,
        )


@shared_task(name="preorders.run_operations", time_limit=85)
def run_operations_task(operation_ids: list[int], restaurant_id: str | None = None) -> None:
    """Run a slice of operations one after another, and queue the rest again."""
    begun = monotonic()
    acting = restaurant_id or rls.PLATFORM
    slice_ids = operation_ids[: jobs.OPERATIONS_PER_SLICE]
    done = 0
    claimed: dict[int, PaymentOperation] = {}
    offers: dict[UUID, SpecialOffer] = {}
    with jobs.batched_emails(), batch_capture.batched_charges(clock.now) as record_due_charges:
        for operation_id in slice_ids:
            if done and monotonic() - begun > SLICE_SECONDS:
                break
            try:
                with rls.acting_as(acting):
                    if done % jobs.CLAIMED_AT_ONCE == 0:
                        some = slice_ids[done : done + jobs.CLAIMED_AT_ONCE]
                        claimed = worker.claim_operations(some, now=clock.now(), offers=offers)
                    worker.run_operation(
                        operation_id, now=clock.now(), claimed=claimed.pop(operation_id, None)
                    )
            except Exception:
                # The sweep finds it when its lease expires; continue with the others.
                logger.exception("operation %s failed", operation_id)
            done += 1
            record_due_charges()
        try:
            with rls.acting_as(acting):
                worker.return_operations(claimed.values(), now=clock.now())
        except Exception:
            logger.exception("operations %s were not returned", list(claimed))
    jobs.enqueue_rest(operation_ids[done:], restaurant_id)


@shared_task(name="preorders.run_due_operations", time_limit=30)
def run_due_operations_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        jobs.enqueue_operations(worker.unqueued_operations(now=clock.now()))


@shared_task(name="preorders.email_orders", time_limit=60)
def email_orders_task(address: str, restaurant_id: str | None) -> None:
    """Email the links to an address's orders. After a lost message, the guest asks again."""
    now = clock.now()
    known = UUID(restaurant_id) if restaurant_id else None
    with rls.acting_as(known or rls.PLATFORM):
        for restaurant in guest_links.restaurants_of(address, restaurant_id=known):
            guest_links.email_orders(restaurant=restaurant, address=address, now=now)


@shared_task(name="preorders.apply_payment_intent", time_limit=60)
def apply_payment_intent_task(intent_id: str) -> None:
    payments.apply_payment_intent(intent_id, now=clock.now())


@shared_task(name="preorders.apply_refunds", time_limit=60)
def apply_refunds_task(intent_id: str) -> None:
    payments.apply_refunds(intent_id, now=clock.now())


@shared_task(name="preorders.apply_dispute", time_limit=60)
def apply_dispute_task(dispute_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        disputes.apply_dispute(dispute_id, now=clock.now())


@shared_task(name="preorders.apply_fraud_warning", time_limit=60)
def apply_fraud_warning_task(warning_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        fraud_warnings.apply_fraud_warning(warning_id, now=clock.now())


@shared_task(name="preorders.reconcile_disputes", time_limit=280)
def reconcile_disputes_task() -> None:
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        dispute_reconciliation.remind_of_due_answers(now=now)
        dispute_reconciliation.reconcile_disputes(now=now)


@shared_task(name="preorders.finish_checkout", time_limit=60)
def finish_checkout_task(order_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        order = PreOrder.objects.in_checkout().select_related("offer").filter(pk=order_id).first()
        if order:
            checkout_expiry.finish_checkout(order, now=clock.now(), close=False)


@shared_task(name="preorders.end_checkout", time_limit=60)
def end_checkout_task(order_id: str) -> None:
    """Close the checkout of an order that was canceled with its special."""
    with rls.acting_as(rls.PLATFORM):
        ended = PreOrder.objects.select_related("offer", "cart")
        order = ended.filter(pk=order_id, status=PreOrderStatus.CANCELLED).first()
        if order and order.payment_status in CHECKOUT_STATUSES:
            cancellation.close_checkout(order, now=clock.now())


@shared_task(name="preorders.authorize_cart", time_limit=60)
def authorize_cart_task(cart_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        jobs.enqueue_operations(
            settlement_cart_items.authorize_items(UUID(cart_id), now=clock.now())
        )


@shared_task(name="preorders.end_abandoned_checkouts", time_limit=60)
def end_abandoned_checkouts_task() -> None:
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        checkout_expiry.end_abandoned_checkouts(now=now)


@shared_task(name="preorders.lapse_reservations", time_limit=30)
def lapse_reservations_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        reservations.lapse_overdue(now=clock.now())


@shared_task(name="preorders.count_declined_card", time_limit=60)
def count_declined_card_task(event_id: str, order_id: str, cart_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        declined_cards.count_declined_card(
            order_id=order_id, cart_id=cart_id, event_id=event_id, now=clock.now()
        )


@shared_task(name="preorders.forget_origins", time_limit=60)
def forget_origins_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        reservations.forget_origins(now=clock.now())


@shared_task(name="preorders.renew_authorizations", time_limit=120)
def renew_authorizations_task() -> None:
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        for order in expiry.expiring_authorizations(now=now):
            expiry.renew_or_capture(order, now=now)


@shared_task(name="preorders.send_emails", time_limit=60)
def send_emails_task(email_ids: list[str]) -> None:
    """Send emails; the sweep retries those that fail."""
    specials = NextSpecials()
    for email_id in email_ids:
        try:
            with rls.acting_as(rls.PLATFORM):
                outbox.send_email(UUID(email_id), now=clock.now(), next_specials=specials)
        except Exception:
            logger.exception("email %s failed", email_id)


@shared_task(name="preorders.send_pending_emails", time_limit=30)
def send_pending_emails_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        for email_id in outbox.pending_emails(now=clock.now()):
            jobs.enqueue_email(email_id)


@shared_task(name="preorders.promote_waitlists", time_limit=60)
def promote_waitlists_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        waitlist_services.promote_waitlists(now=clock.now())


@shared_task(name="preorders.queue_reminders", time_limit=120)
def queue_reminders_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        reminders.queue_reminders(now=clock.now())
        notices.notice_short_specials(now=clock.now())
        returned_refunds.tell_owners(now=clock.now())


@shared_task(name="preorders.record_link_visits", time_limit=30)
def record_link_visits_task() -> None:
    referrals.record_link_visits()


@shared_task(name="preorders.reconcile", time_limit=280)
def reconcile_payments_task() -> None:
    begun, now = monotonic(), clock.now()
    with rls.acting_as(rls.PLATFORM):
        reconciliation.reconcile(
            now=now, has_time=lambda: monotonic() - begun < RECONCILIATION_BUDGET_SECONDS
        )


@shared_task(name="preorders.authorize_forgotten_carts", time_limit=280)
def authorize_forgotten_carts_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        settlement_cart_items.authorize_forgotten(now=clock.now())


@shared_task(name="preorders.send_pushes", time_limit=120)
def send_pushes_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        push_sender.send_due(clock=clock.now)
