"""Processing the webhooks that Stripe delivered: each once, and none forgotten (decision 9)."""

import json
from contextlib import suppress
from datetime import datetime, timedelta
from traceback import format_exc

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from djstripe.models import Account as CopiedAccount
from djstripe.models import Event, WebhookEventTrigger

from apps.billing.models import ProcessedEvent

WEBHOOK_RETRY_AFTER = timedelta(seconds=30)
WEBHOOK_BATCH_SIZE = 200


def record_event(
    *, event_id: str, event_type: str, now: datetime, payment_intent_id: str | None = None
) -> bool:
    """Record that an event was processed; False if it was before (DECISIONS X62).

    Pass `payment_intent_id` only for the event that ends an intent. A second such event of the same
    intent is recorded without the intent, because an intent's id is unique.
    """
    row, is_new = ProcessedEvent.objects.get_or_create(
        stripe_event_id=event_id, defaults={"event_type": event_type, "processed_at": now}
    )
    if is_new and payment_intent_id:
        with suppress(IntegrityError), transaction.atomic():
            ProcessedEvent.objects.filter(pk=row.pk).update(payment_intent_id=payment_intent_id)
    return is_new


def process_webhook(*, trigger_id: int) -> None:
    """Have dj-stripe store a delivery's event and call our receivers, once per delivery."""
    trigger = WebhookEventTrigger.objects.get(pk=trigger_id)
    if trigger.processed:
        return
    try:
        with transaction.atomic():
            _blank(trigger.process(), account_id=trigger.json_body.get("account"))
            body = json.dumps({"id": trigger.event.id, "type": trigger.event.type})
            WebhookEventTrigger.objects.filter(pk=trigger_id).update(body=body)
    except Exception as error:
        # It is tried again after all others, see `waiting_webhooks`.
        WebhookEventTrigger.objects.filter(pk=trigger_id).update(
            exception=type(error).__name__[:128],
            traceback=format_exc(),
            updated=timezone.now(),
        )
        raise


def _blank(event: Event, *, account_id: str | None) -> None:
    """Remove a processed event's data, which names guests and cards outside row-level security.

    Its id stays, by which a repeated delivery is recognized, and the kind of event it was.
    Receivers queue tasks with ids only, and those read the object again from Stripe. `account_id`
    is the restaurant's account it came from, which dj-stripe copied; only its id stays either.
    """
    kind = event.data.get("object", {}).get("object", "")
    Event.objects.filter(pk=event.pk).update(
        data={"object": {"object": kind}},
        stripe_data={"id": event.id, "object": "event", "type": event.type},
    )
    if account_id:
        CopiedAccount.objects.filter(id=account_id).update(
            metadata={}, stripe_data={"id": account_id, "object": "account"}
        )


def waiting_webhooks(*, now: datetime) -> list[int]:
    """Verified deliveries that weren't processed, because their message or worker was lost.

    First those never tried, then those that failed, the longest ago first. So the others have their
    turn even if many fail every time.
    """
    waiting = WebhookEventTrigger.objects.filter(
        valid=True, processed=False, created__lt=now - WEBHOOK_RETRY_AFTER
    ).annotate(has_failed=~Q(exception=""))
    in_turn = waiting.order_by("has_failed", "updated", "id")
    return list(in_turn.values_list("pk", flat=True)[:WEBHOOK_BATCH_SIZE])
