"""Payment method domains: where Elements may show wallets.

https://docs.stripe.com/payments/payment-methods/pmd-registration
"""

import re

from ..errors import invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json, Query
from .listing import listing, retrieval

_METHODS = ("amazon_pay", "apple_pay", "google_pay", "klarna", "link", "paypal")
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*")


@endpoint("POST", "/v1/payment_method_domains", "PaymentMethodDomainCreateParams")
def create(call: Call, params: Json) -> Json:
    name = params["domain_name"].lower()
    if not _NAME.fullmatch(name):
        raise invalid_request(f"Invalid domain name: {name}", param="domain_name")
    known = call.find("payment_method_domain", Query(fields={"domain_name": name}, limit=1)).rows
    if known:
        return known[0].obj
    return call.new(
        "payment_method_domain",
        domain_name=name,
        enabled=params.get("enabled", True),
        **_statuses(call, name),
    )


@endpoint("POST", "/v1/payment_method_domains/{id}/validate", "PaymentMethodDomainValidateParams")
def validate(call: Call, params: Json, id: str) -> Json:
    stored = call.get("payment_method_domain", id)
    call.update(stored, **_statuses(call, stored["domain_name"]))
    return stored


@endpoint("POST", "/v1/payment_method_domains/{id}", "PaymentMethodDomainModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    stored = call.get("payment_method_domain", id)
    if "enabled" in params:
        call.update(stored, enabled=params["enabled"])
    return stored


def _statuses(call: Call, name: str) -> Json:
    """Every method is active, unless the command ``inactive_domains`` says that Apple refuses."""
    refused = name in call.server.faults.inactive_domains
    statuses: Json = {method: {"status": "active"} for method in _METHODS}
    if refused:
        message = f"Apple couldn't verify https://{name}."
        statuses["apple_pay"] = {
            "status": "inactive",
            "status_details": {"error_message": message},
        }
    return statuses


endpoint("GET", "/v1/payment_method_domains", "PaymentMethodDomainListParams")(
    listing(
        "payment_method_domain",
        "/v1/payment_method_domains",
        fields=("domain_name", "enabled"),
    )
)
endpoint("GET", "/v1/payment_method_domains/{id}", "PaymentMethodDomainRetrieveParams")(
    retrieval("payment_method_domain")
)
