"""Events, as sent to webhooks."""

import json

from ..errors import no_such
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, query_from


@endpoint("GET", "/v1/events", "EventListParams")
def list_events(call: Call, params: Json) -> Json:
    types = list(params.get("types") or [])
    if params.get("type"):
        types.append(params["type"])
    delivered = params.get("delivery_success")
    events, has_more = call.store.find_events(
        call.account, types, query_from(params), delivered=delivered
    )
    return list_object("/v1/events", events, has_more)


@endpoint("GET", "/v1/events/{id}", "EventRetrieveParams")
def retrieve(call: Call, params: Json, id: str) -> Json:
    text = call.store.event_text(id)
    if text is None:
        raise no_such("event", id)
    event: Json = json.loads(text)
    return event
