"""Stripe webhooks: verified and recorded by the view, processed by a worker.

dj-stripe verifies the signature and stores the delivery. The worker has it store the event and call
the receivers. Ours record the event and queue a function that reads the object again from Stripe,
so lost, duplicate, or reordered events don't matter (design §3).
"""

from functools import lru_cache
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseNotFound,
)
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from djstripe import event_handlers
from djstripe.event_handlers import djstripe_receiver
from djstripe.models import Event, WebhookEndpoint, WebhookEventTrigger
from djstripe.signals import WEBHOOK_SIGNALS

from apps.billing import deliveries, services, tasks, webhook_repair
from apps.billing.stripe_gateway import CONNECT_EVENTS, OWN_EVENTS
from apps.common import clock
from apps.common.background import after_commit
from apps.common.request_log import note_forgery

# With DEBUG on, dj-stripe lets the caller choose the secret with this header, so we drop it.
SECRET_OVERRIDE_HEADER = "x-djstripe-webhook-secret"
SIGNATURE_HEADER = "Stripe-Signature"
ENDPOINT_CACHE_SECONDS = 60


@csrf_exempt
@require_POST
def receive(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Verify and store a delivery, then answer 200, whatever the event's type."""
    if SIGNATURE_HEADER not in request.headers:
        return HttpResponseBadRequest("The signature is missing.")
    endpoint = _endpoint(uuid, int(monotonic() // ENDPOINT_CACHE_SECONDS))
    trigger = WebhookEventTrigger(
        headers={k: v for k, v in request.headers.items() if k.lower() != SECRET_OVERRIDE_HEADER},
        body=request.body.decode(errors="replace"),
        remote_ip=request.META.get("REMOTE_ADDR") or "0.0.0.0",
        webhook_endpoint=endpoint,
        stripe_trigger_account_id=endpoint.djstripe_owner_account_id,
    )
    # Check the signature first: dj-stripe's validate() parses the body before it verifies it.
    signed = trigger.verify_signature(endpoint.secret, endpoint.djstripe_tolerance)
    if not signed or not trigger.validate(secret=endpoint.secret, api_key=""):
        webhook_repair.note_rejection(uuid, now=clock.now())
        note_forgery("stripe_webhook")
        return HttpResponseBadRequest("The signature is invalid.")
    trigger.valid = True
    try:
        trigger.save(force_insert=True)  # one statement: a transaction by itself
    except IntegrityError:
        # Deleted since it was cached. Stripe repeats the delivery to one that is still there.
        _endpoint.cache_clear()
        return HttpResponseNotFound("The endpoint is gone.")
    after_commit(tasks.process_webhook_task, trigger.pk)
    return HttpResponse("recorded")


@lru_cache(maxsize=16)
def _endpoint(uuid: UUID, period: int) -> WebhookEndpoint:
    """The endpoint, cached for a minute: settling one offer can cause a thousand deliveries.

    Raises Http404 if it or its secret isn't stored yet. A recreated endpoint has a new
    UUID, so the cache can only be wrong about a deleted one.
    """
    ready = WebhookEndpoint.objects.exclude(secret="").defer("stripe_data")
    return get_object_or_404(ready, djstripe_uuid=uuid)


@djstripe_receiver("account.updated")
def account_changed(sender: type[Event], event: Event, **_: Any) -> None:
    deliveries.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    after_commit(tasks.sync_account_task, event.data["object"]["id"])


@djstripe_receiver("account.external_account.created")
@djstripe_receiver("account.external_account.deleted")
@djstripe_receiver("account.external_account.updated")
def bank_account_changed(sender: type[Event], event: Event, **_: Any) -> None:
    """Logged and emailed once: the event's row is written in the same transaction.

    The event always names the connected account, the bank account only sometimes:
    https://docs.stripe.com/api/external_account_bank_accounts/object
    """
    now = clock.now()
    if deliveries.record_event(event_id=event.id, event_type=event.type, now=now):
        account = event.stripe_data.get("account") or ""
        services.note_bank_account(account_id=account, change=event.type.split(".")[-1], now=now)


@djstripe_receiver("payout.canceled")
@djstripe_receiver("payout.failed")
@djstripe_receiver("payout.paid")
def payout_changed(sender: type[Event], event: Event, **_: Any) -> None:
    deliveries.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    payout = event.data["object"]
    after_commit(tasks.sync_payout_task, payout["id"], (payout["metadata"] or {}).get("payout", ""))


@djstripe_receiver("customer.subscription.created")
@djstripe_receiver("customer.subscription.deleted")
@djstripe_receiver("customer.subscription.updated")
def subscription_changed(sender: type[Event], event: Event, **_: Any) -> None:
    deliveries.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    after_commit(tasks.sync_subscription_task, event.data["object"]["id"])


@djstripe_receiver("invoice.paid")
@djstripe_receiver("invoice.payment_action_required")
@djstripe_receiver("invoice.payment_failed")
def invoice_changed(sender: type[Event], event: Event, **_: Any) -> None:
    """Since 2025-03-31.basil an invoice names its subscription in `parent`:
    https://docs.stripe.com/changelog/basil/2025-03-31/adds-new-parent-field-to-invoicing-objects"""
    deliveries.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    parent = event.data["object"].get("parent") or {}
    subscription_id = (parent.get("subscription_details") or {}).get("subscription")
    if subscription_id:
        after_commit(tasks.sync_subscription_task, subscription_id)


@djstripe_receiver("payment_intent.succeeded")
def first_month_paid(sender: type[Event], event: Event, **_: Any) -> None:
    """Recorded by the receiver of orders' intents, which ignores this one."""
    named = event.data["object"].get("metadata") or {}
    if named.get("sign_up_id"):
        after_commit(tasks.finish_sign_up_task, named["sign_up_id"])


def mirror_nothing() -> None:
    """Disconnect dj-stripe's own receivers, so that it stores only the event.

    They would copy every payment and account into tables that nobody reads, with three more calls
    to Stripe and forty statements per event, and store guests' addresses and cards and owners'
    identities a second time (decision 9).
    """
    theirs = [each for name, each in vars(event_handlers).items() if name.startswith("handle_")]
    for event in (*OWN_EVENTS, *CONNECT_EVENTS):
        for receiver in theirs:
            WEBHOOK_SIGNALS[event].disconnect(receiver, sender=Event)
