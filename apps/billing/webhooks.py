"""Webhooks in: verified, recorded and answered at once, worked on by a worker.

dj-stripe verifies the signature and keeps the delivery. The worker lets it mirror the object and
call the receivers; ours note that the event was seen and queue the function that reads the object
afresh, so order, duplication and loss of events do not matter (design §3).
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from djstripe.event_handlers import djstripe_receiver
from djstripe.models import Event, WebhookEndpoint, WebhookEventTrigger

from apps.billing import services, tasks
from apps.common import clock
from apps.common.background import after_commit

# With DEBUG on, dj-stripe lets this header choose the secret; nobody may.
CHOSEN_SECRET = "x-djstripe-webhook-secret"
SIGNATURE = "Stripe-Signature"


@csrf_exempt
@require_POST
def receive(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Answer 2xx once the delivery is verified and kept, whatever its type."""
    if SIGNATURE not in request.headers:
        return HttpResponseBadRequest("Unsigned.")
    endpoint = get_object_or_404(WebhookEndpoint, djstripe_uuid=uuid)
    trigger = WebhookEventTrigger(
        headers={k: v for k, v in request.headers.items() if k.lower() != CHOSEN_SECRET},
        body=request.body.decode(errors="replace"),
        remote_ip=request.META.get("REMOTE_ADDR") or "0.0.0.0",
        webhook_endpoint=endpoint,
        stripe_trigger_account=endpoint.djstripe_owner_account,
    )
    # The signature first: dj-stripe's validation reads the body before it knows whose it is.
    signed = trigger.verify_signature(endpoint.secret, endpoint.djstripe_tolerance)
    if not signed or not trigger.validate(secret=endpoint.secret, api_key=""):
        return HttpResponseBadRequest("The signature does not fit.")
    trigger.valid = True
    with transaction.atomic():
        trigger.save()
        after_commit(tasks.process_webhook, trigger.pk)
    return HttpResponse("recorded")


@djstripe_receiver("account.updated")
def account_changed(sender: type[Event], event: Event, **_: Any) -> None:
    services.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    after_commit(tasks.sync_account, event.data["object"]["id"])
