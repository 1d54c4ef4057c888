"""Webhooks in: verified, recorded and answered at once, worked on by a worker.

dj-stripe verifies the signature and keeps the delivery. The worker lets it keep the event and call
the receivers: ours note that it was seen and queue the function that reads the object afresh, so
order, duplication and loss of events do not matter (design §3).
"""

from functools import lru_cache
from time import monotonic
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from djstripe import event_handlers
from djstripe.event_handlers import djstripe_receiver
from djstripe.models import Event, WebhookEndpoint, WebhookEventTrigger
from djstripe.signals import WEBHOOK_SIGNALS

from apps.billing import services, tasks
from apps.billing.stripe_gateway import OWN_EVENTS
from apps.common import clock
from apps.common.background import after_commit

# With DEBUG on, dj-stripe lets this header choose the secret; nobody may.
CHOSEN_SECRET = "x-djstripe-webhook-secret"
SIGNATURE = "Stripe-Signature"
ENDPOINT_KNOWN_FOR = 60  # seconds


@csrf_exempt
@require_POST
def receive(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Answer 2xx once the delivery is verified and kept, whatever its type."""
    if SIGNATURE not in request.headers:
        return HttpResponseBadRequest("Unsigned.")
    endpoint = _endpoint(uuid, int(monotonic() // ENDPOINT_KNOWN_FOR))
    trigger = WebhookEventTrigger(
        headers={k: v for k, v in request.headers.items() if k.lower() != CHOSEN_SECRET},
        body=request.body.decode(errors="replace"),
        remote_ip=request.META.get("REMOTE_ADDR") or "0.0.0.0",
        webhook_endpoint=endpoint,
        stripe_trigger_account_id=endpoint.djstripe_owner_account_id,
    )
    # The signature first: dj-stripe's validation reads the body before it knows whose it is.
    signed = trigger.verify_signature(endpoint.secret, endpoint.djstripe_tolerance)
    if not signed or not trigger.validate(secret=endpoint.secret, api_key=""):
        return HttpResponseBadRequest("The signature does not fit.")
    trigger.valid = True
    trigger.save(force_insert=True)  # one statement: a transaction by itself
    after_commit(tasks.process_webhook_task, trigger.pk)
    return HttpResponse("recorded")


@lru_cache(maxsize=16)
def _endpoint(uuid: UUID, period: int) -> WebhookEndpoint:
    """Raises Http404, also while its secret is not written yet. Kept for a minute: a settlement is
    told of in a thousand deliveries. An endpoint made anew has another address, so what is kept can
    only be one that is no more."""
    ready = WebhookEndpoint.objects.exclude(secret="").defer("stripe_data")
    return get_object_or_404(ready, djstripe_uuid=uuid)


@djstripe_receiver("account.updated")
def account_changed(sender: type[Event], event: Event, **_: Any) -> None:
    services.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    after_commit(tasks.sync_account_task, event.data["object"]["id"])


def mirror_no_payments() -> None:
    """Of what happens to payments dj-stripe keeps the event alone; accounts it mirrors.

    Its own receivers would copy each payment and what belongs to it, with three more calls to
    Stripe and forty statements for every event, into tables that nobody reads; and people's
    addresses and cards would lie there once more (decision 9).
    """
    theirs = [each for name, each in vars(event_handlers).items() if name.startswith("handle_")]
    for event in OWN_EVENTS:
        for receiver in theirs:
            WEBHOOK_SIGNALS[event].disconnect(receiver, sender=Event)
