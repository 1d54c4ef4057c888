"""What Stripe or the platform can take from a connected account: capabilities, payouts, all of it.

https://docs.stripe.com/connect/handling-api-verification lists the reasons.
"""

from typing import Any

from ..errors import invalid_request
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object

REASONS = (
    "requirements.past_due",
    "requirements.pending_verification",
    "under_review",
    "listed",
    "platform_paused",
    "other",
    "rejected.fraud",
    "rejected.terms_of_service",
    "rejected.listed",
    "rejected.other",
)
_REJECTIONS = ("fraud", "terms_of_service", "other")
# A capability's own reasons are fewer than an account's.
_CAPABILITY_REASONS = {
    "requirements.past_due": "requirements.fields_needed",
    "requirements.pending_verification": "pending.review",
    "under_review": "pending.review",
    "platform_paused": "platform_paused",
}
_DUE = "individual.verification.document"


def requirements(due: list[str], reason: str | None = None, pending: Any = ()) -> Json:
    return {
        "alternatives": [],
        "current_deadline": None,
        "currently_due": list(due),
        "disabled_reason": reason,
        "errors": [],
        "eventually_due": list(due),
        "past_due": list(due),
        "pending_verification": list(pending),
    }


def restrict(
    call: Call,
    account_id: str,
    reason: str,
    *,
    capabilities: tuple[str, ...] = (),
    payouts: bool = True,
) -> Json:
    """Take capabilities from an account (all of them by default), and its payouts."""
    platform = call.for_account(None)
    account = platform.get("account", account_id)
    lost = capabilities or tuple(account["capabilities"] or ())
    due = [_DUE] if reason == "requirements.past_due" else []
    pending = [_DUE] if reason == "requirements.pending_verification" else []
    platform.update(
        account,
        capabilities={
            name: "inactive" if name in lost else status
            for name, status in (account["capabilities"] or {}).items()
        },
        charges_enabled=account["charges_enabled"] and "card_payments" not in lost,
        payouts_enabled=account["payouts_enabled"] and not payouts,
        requirements=requirements(due, reason, pending),
    )
    _announce(platform, account, lost)
    return account


def announce(platform: Call, account: Json) -> None:
    """Emit the events of a connected account that changed, which go to Connect endpoints."""
    _announce(platform, account, ())


def _announce(platform: Call, account: Json, lost: tuple[str, ...]) -> None:
    platform.emit("account.updated", account, account["id"])
    for name in lost:
        platform.emit("capability.updated", capability(account, name), account["id"])


def capability(account: Json, name: str) -> Json:
    """Return one capability as Stripe's object of it."""
    status = account["capabilities"][name]
    needs = account["requirements"]
    reason = needs["disabled_reason"] if status != "active" else None
    own = _CAPABILITY_REASONS.get(reason or "", "rejected.other") if reason else None
    return {
        "id": name,
        "object": "capability",
        "account": account["id"],
        "future_requirements": requirements([]),
        "requested": True,
        "requested_at": account["created"],
        "requirements": {**needs, "disabled_reason": own},
        "status": status,
    }


@endpoint("GET", "/v1/accounts/{id}/capabilities", "AccountListCapabilitiesParams")
def list_capabilities(call: Call, params: Json, id: str) -> Json:
    account = call.for_account(None).get("account", id)
    found = [capability(account, name) for name in account["capabilities"] or ()]
    return list_object(f"/v1/accounts/{id}/capabilities", found)


@endpoint("POST", "/v1/accounts/{id}/reject", "AccountRejectParams")
def reject(call: Call, params: Json, id: str) -> Json:
    if params["reason"] not in _REJECTIONS:
        raise invalid_request(
            f"Invalid reason: must be one of {', '.join(_REJECTIONS)}", param="reason"
        )
    pauses = params.get("payouts_action", "pause") == "pause"
    return restrict(call, id, f"rejected.{params['reason']}", payouts=pauses)
