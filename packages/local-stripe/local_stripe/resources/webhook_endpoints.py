"""Webhook endpoints. With ``connect=true`` they receive only events of connected accounts."""

from ..errors import invalid_request
from ..ids import random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import merge_metadata
from .listing import listing, retrieval


@endpoint("POST", "/v1/webhook_endpoints", "WebhookEndpointCreateParams")
def create(call: Call, params: Json) -> Json:
    _check_url(params["url"])
    secret = "whsec_" + random_text(32)
    stored = call.new(
        "webhook_endpoint",
        private={"secret": secret, "connect": bool(params.get("connect"))},
        api_version=params.get("api_version"),
        application="ca_local" if params.get("connect") else None,
        description=params.get("description"),
        enabled_events=params["enabled_events"],
        metadata=merge_metadata({}, params.get("metadata")),
        status="enabled",
        url=params["url"],
    )
    call.server.hub.endpoints_changed()
    return {**stored, "secret": secret}


def _check_url(url: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise invalid_request(
            "Invalid URL: an explicit scheme (such as https) must be provided.",
            code="url_invalid",
            param="url",
        )


@endpoint("POST", "/v1/webhook_endpoints/{id}", "WebhookEndpointModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    stored = call.get("webhook_endpoint", id)
    changes: Json = {
        name: params[name] or None
        for name in ("description", "enabled_events", "url")
        if name in params
    }
    if "url" in params:
        _check_url(params["url"])
    if "disabled" in params:
        changes["status"] = "disabled" if params["disabled"] else "enabled"
    metadata = merge_metadata(stored["metadata"], params.get("metadata"))
    call.update(stored, metadata=metadata, **changes)
    call.server.hub.endpoints_changed()
    return stored


def roll_secret(call: Call, endpoint_id: str, valid_for: int) -> str:
    """Give the endpoint a new secret, as people do in the dashboard; the old one stays valid for so
    many seconds. https://docs.stripe.com/webhooks#roll-endpoint-signing-secrets-periodically"""
    stored = call.get("webhook_endpoint", endpoint_id)
    private = call.private(stored)
    private["rolled"] = {"secret": private["secret"], "valid_until": call.now + valid_for}
    private["secret"] = "whsec_" + random_text(32)
    call.update(stored)
    call.server.hub.endpoints_changed()
    return str(private["secret"])


@endpoint("DELETE", "/v1/webhook_endpoints/{id}", "WebhookEndpointDeleteParams")
def delete(call: Call, params: Json, id: str) -> Json:
    call.get("webhook_endpoint", id)
    call.store.remove(id)
    call.server.hub.endpoints_changed()
    return {"id": id, "object": "webhook_endpoint", "deleted": True}


endpoint("GET", "/v1/webhook_endpoints", "WebhookEndpointListParams")(
    listing("webhook_endpoint", "/v1/webhook_endpoints")
)
endpoint("GET", "/v1/webhook_endpoints/{id}", "WebhookEndpointRetrieveParams")(
    retrieval("webhook_endpoint")
)
