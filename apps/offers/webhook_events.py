"""What restaurants' webhooks are told of a special (docs/api.md)."""

from datetime import datetime

from apps.integrations.event_types import EventType
from apps.integrations.outbox import NewEvent, publish
from apps.offers.models import SpecialOffer
from apps.offers.states import was_successful, wire_status


def publish_special_event(offer: SpecialOffer, event_type: EventType, *, now: datetime) -> None:
    """Tell the restaurant's webhooks; call it in the transaction that changes the special."""
    publish(offer.restaurant_id, lambda: [NewEvent(event_type, _data(offer))], now=now)


def _data(offer: SpecialOffer) -> dict[str, object]:
    return {
        "id": str(offer.pk),
        "name": offer.name,
        "status": wire_status(offer.status),
        "wasSuccessful": was_successful(offer.status),
        "price": f"{offer.special_price:.2f}",
        "currency": offer.restaurant.currency,
        "minimum": offer.min_preorders,
        "maximum": offer.max_preorders,
        "orderedPortions": offer.ordered_portions,
        "serveDate": offer.serve_date.isoformat(),
        "deadline": offer.deadline.isoformat(),
    }
