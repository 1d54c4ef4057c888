"""Early fraud warnings: the card's issuer suspects fraud and hasn't disputed the charge (yet).

https://docs.stripe.com/disputes/how-disputes-work
"""

from ..errors import invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from .listing import listing, retrieval

KIND = "radar.early_fraud_warning"


def warn(call: Call, charge: Json) -> Json:
    """Warn about a captured charge."""
    if not charge["captured"]:
        raise invalid_request(f"Charge {charge['id']} is not captured.")
    warning = call.new(
        KIND,
        actionable=not (charge["refunded"] or charge["disputed"]),
        charge=charge["id"],
        fraud_type="misc",
        payment_intent=charge["payment_intent"],
    )
    call.emit("radar.early_fraud_warning.created", warning)
    return warning


def end(call: Call, charge_id: str) -> None:
    """A warning isn't actionable anymore once its charge is disputed or fully refunded."""
    for row in call.store.all(KIND, call.account, charge=charge_id):
        if row.obj["actionable"]:
            call.update(row.obj, actionable=False)
            call.emit("radar.early_fraud_warning.updated", row.obj)


endpoint("GET", "/v1/radar/early_fraud_warnings", "radar.EarlyFraudWarningListParams")(
    listing(KIND, "/v1/radar/early_fraud_warnings", links=("charge", "payment_intent"))
)
endpoint("GET", "/v1/radar/early_fraud_warnings/{id}", "radar.EarlyFraudWarningRetrieveParams")(
    retrieval(KIND)
)
