"""Webhooks in: recorded and answered at once, worked on by a worker.

dj-stripe verifies the signature and keeps the event. The worker lets it mirror the object and call
the receivers; ours record that the event was seen and queue the function that reads the object
afresh, so order, duplication and loss of events do not matter (design §3).
"""

from typing import Any

from djstripe.event_handlers import djstripe_receiver
from djstripe.models import Event, WebhookEventTrigger

from apps.billing import services, tasks
from apps.common import clock


def hand_to_worker(trigger: WebhookEventTrigger, **_: Any) -> None:
    """dj-stripe's event callback: keep the verified delivery and leave the rest to a worker."""
    trigger.save()
    tasks.process_webhook.delay_on_commit(trigger.pk)


@djstripe_receiver("account.updated")
def account_changed(sender: type[Event], event: Event, **_: Any) -> None:
    services.record_event(event_id=event.id, event_type=event.type, now=clock.now())
    tasks.sync_account.delay_on_commit(event.data["object"]["id"])
