"""Celery tasks: each takes ids, calls a service, is safe to run twice and has a time limit."""

import logging
from time import monotonic
from uuid import UUID

from celery import shared_task
from django.core.cache import cache

from apps.common import clock, rls
from apps.preorders import handoff, settlement, sharing
from apps.preorders.models import PreOrder
from apps.preorders.services import (
    cart_lines,
    checkout_ends,
    closing,
    holds,
    letters,
    payments,
    reconcile,
    reminders,
    together,
    waiting,
)

logger = logging.getLogger(__name__)

# No new operation starts after this time: one can take three calls of up to 20 seconds each.
BATCH_TIME_BUDGET_SECONDS = 20
# How often a closing offer reads its open checkouts from Stripe.
CLOSING_RETRY_SECONDS = 5


@shared_task(name="preorders.close_due_offers", time_limit=30)
def close_due_offers() -> None:
    """Queue offers past their deadline; runs every second (DECISIONS X61)."""
    with rls.acting_as(rls.PLATFORM):
        for offer in closing.due_offers(now=clock.now()):
            if cache.add(f"closing:{offer.pk}", 1, CLOSING_RETRY_SECONDS):
                handoff.close_offer(offer.pk)


@shared_task(name="preorders.close_offer", time_limit=120)
def close_offer(offer_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        closing.close_offer(UUID(offer_id), now=clock.now())


@shared_task(name="preorders.run_operations", time_limit=85)
def run_operations(operation_ids: list[int], restaurant_id: str | None = None) -> None:
    """Run operations one after another.

    If Stripe is slow and time runs out, the rest is queued again.
    """
    begun = monotonic()
    acting = restaurant_id or rls.PLATFORM
    with rls.acting_as(acting):
        read = settlement.read_operations(operation_ids)
    with handoff.letters_together(), together.charges_together(clock.now):
        for position, operation_id in enumerate(operation_ids):
            if monotonic() - begun > BATCH_TIME_BUDGET_SECONDS:
                handoff.run_operations(operation_ids[position:])
                return
            try:
                with rls.acting_as(acting):
                    settlement.run_operation(
                        operation_id, now=clock.now(), read=read.get(operation_id)
                    )
            except Exception:
                # The sweep finds it when its lease expires; continue with the others.
                logger.exception("operation %s failed", operation_id)


@shared_task(name="preorders.run_due_operations", time_limit=30)
def run_due_operations() -> None:
    with rls.acting_as(rls.PLATFORM):
        handoff.run_operations(settlement.due_operations(now=clock.now()))


@shared_task(name="preorders.apply_payment_intent", time_limit=60)
def apply_payment_intent(intent_id: str) -> None:
    payments.apply_payment_intent(intent_id, now=clock.now())


@shared_task(name="preorders.finish_checkout", time_limit=60)
def finish_checkout(order_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        order = PreOrder.objects.in_checkout().select_related("offer").filter(pk=order_id).first()
        if order:
            checkout_ends.finish_checkout(order, now=clock.now(), close=False)


@shared_task(name="preorders.take_up_cart", time_limit=60)
def take_up_cart(cart_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        handoff.run_operations(cart_lines.take_up(UUID(cart_id), now=clock.now()))


@shared_task(name="preorders.end_abandoned_checkouts", time_limit=60)
def end_abandoned_checkouts() -> None:
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        checkout_ends.end_abandoned_checkouts(now=now)


@shared_task(name="preorders.guard_holds", time_limit=120)
def guard_holds() -> None:
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        for order in holds.dying_holds(now=now):
            holds.guard_hold(order, now=now)


@shared_task(name="preorders.send_letters", time_limit=60)
def send_letters(letter_ids: list[str]) -> None:
    """Send emails; the sweep retries those that fail."""
    for letter_id in letter_ids:
        try:
            with rls.acting_as(rls.PLATFORM):
                letters.send_letter(UUID(letter_id), now=clock.now())
        except Exception:
            logger.exception("letter %s failed", letter_id)


@shared_task(name="preorders.send_waiting_mail", time_limit=30)
def send_waiting_mail() -> None:
    with rls.acting_as(rls.PLATFORM):
        for letter_id in letters.waiting_letters(now=clock.now()):
            handoff.send_mail(letter_id)


@shared_task(name="preorders.serve_waiting_lists", time_limit=60)
def serve_waiting_lists() -> None:
    with rls.acting_as(rls.PLATFORM):
        waiting.serve_waiting_lists(now=clock.now())


@shared_task(name="preorders.write_reminders", time_limit=120)
def write_reminders() -> None:
    with rls.acting_as(rls.PLATFORM):
        reminders.write_reminders(now=clock.now())


@shared_task(name="preorders.write_down_link_visits", time_limit=30)
def write_down_link_visits() -> None:
    sharing.write_down_link_visits()


@shared_task(name="preorders.reconcile", time_limit=280)
def reconcile_payments() -> None:
    now = clock.now()
    with rls.acting_as(rls.PLATFORM):
        cart_lines.take_up_forgotten(now=now)
        reconcile.reconcile(now=now)
