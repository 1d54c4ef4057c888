"""Connected accounts, the platform's own account, and account links."""

from .. import contract
from ..errors import invalid_request
from ..ids import new_id, random_text
from ..routing import endpoint
from ..server import Call
from ..store import Json, Row
from ..wire import merge_metadata
from . import countries
from .listing import listing
from .restrictions import announce, requirements

PLATFORM_ID = "acct_localplatform000"
_LINK_SECONDS = 300
_LONGEST_DELAY_DAYS = 31
_STILL_DUE = [
    "business_profile.mcc",
    "business_profile.url",
    "business_type",
    "external_account",
    "tos_acceptance.date",
    "tos_acceptance.ip",
]


@endpoint("POST", "/v1/accounts", "AccountCreateParams")
def create(call: Call, params: Json) -> Json:
    platform = call.for_account(None)
    controller = params.get("controller") or {}
    kind = (
        params.get("type")
        or {"full": "standard", "express": "express", "none": "none"}[
            (controller.get("stripe_dashboard") or {}).get("type", "full")
        ]
    )
    country = params.get("country", "US")
    currency = countries.currency_of(country)
    given = _payout_settings((params.get("settings") or {}).get("payouts") or {}, country)
    return platform.new(
        "account",
        business_profile=_business_profile(params.get("business_profile") or {}),
        business_type=params.get("business_type"),
        capabilities={name: "inactive" for name in params.get("capabilities") or {}},
        charges_enabled=False,
        controller=_controller(kind, controller),
        country=country,
        default_currency=params.get("default_currency", currency),
        details_submitted=False,
        email=params.get("email"),
        future_requirements=requirements([]),
        metadata=merge_metadata({}, params.get("metadata")),
        payouts_enabled=False,
        requirements=requirements(_STILL_DUE, "requirements.past_due"),
        settings=_settings((params.get("business_profile") or {}).get("name"), given),
        tos_acceptance={"date": None, "ip": None, "user_agent": None},
        type=kind,
    )


def _business_profile(given: Json) -> Json:
    names = (
        "mcc",
        "name",
        "product_description",
        "support_address",
        "support_email",
        "support_phone",
        "support_url",
        "url",
    )
    empty: Json = dict.fromkeys(names)
    empty["annual_revenue"] = None
    empty["estimated_worker_count"] = None
    return {**empty, **given}


def _controller(kind: str, given: Json) -> Json:
    def choice(name: str, field: str, default: str) -> str:
        return str((given.get(name) or {}).get(field, default))

    express = kind == "express"
    return {
        "fees": {"payer": choice("fees", "payer", "application_express" if express else "account")},
        "is_controller": True,
        "losses": {"payments": choice("losses", "payments", "application")},
        "requirement_collection": str(given.get("requirement_collection", "stripe")),
        "stripe_dashboard": {"type": {"standard": "full"}.get(kind, kind)},
        "type": "application",
    }


def _payout_settings(given: Json, country: str, current: Json | None = None) -> Json:
    """Merge the payout settings with the current ones.

    Manual payouts have no delay of their own; money is still available after the country's.
    """
    least = countries.least_delay_days(country)
    settings: Json = dict(
        current or {"debit_negative_balances": True, "statement_descriptor": None}
    )
    schedule: Json = dict(settings.get("schedule") or {"interval": "daily", "delay_days": least})
    asked = given.get("schedule") or {}
    wanted = str(asked.get("delay_days", schedule["delay_days"]))
    delay = least if wanted == "minimum" else int(wanted)
    if not least <= delay <= _LONGEST_DELAY_DAYS:
        raise invalid_request(
            f"Delay days must be between {least} and {_LONGEST_DELAY_DAYS}.",
            param="settings[payouts][schedule][delay_days]",
        )
    schedule.update(asked, delay_days=delay)
    settings.update({name: value for name, value in given.items() if name != "schedule"})
    return {**settings, "schedule": schedule}


def _settings(name: str | None, payouts: Json) -> Json:
    return {
        "branding": {
            "icon": None,
            "logo": None,
            "primary_color": None,
            "secondary_color": None,
        },
        "card_payments": {
            "decline_on": {"avs_failure": False, "cvc_failure": False},
            "statement_descriptor_prefix": None,
            "statement_descriptor_prefix_kana": None,
            "statement_descriptor_prefix_kanji": None,
        },
        "dashboard": {"display_name": name, "timezone": "Etc/UTC"},
        "payments": {
            "statement_descriptor": None,
            "statement_descriptor_kana": None,
            "statement_descriptor_kanji": None,
        },
        "payouts": payouts,
    }


@endpoint("POST", "/v1/accounts/{id}", "AccountUpdateParams")
def update(call: Call, params: Json, id: str) -> Json:
    platform = call.for_account(None)
    account = platform.get("account", id)
    changes: Json = {
        name: params[name]
        for name in ("email", "business_type", "default_currency")
        if name in params
    }
    if "business_profile" in params:
        merged = {**(account["business_profile"] or {}), **params["business_profile"]}
        changes["business_profile"] = _business_profile(merged)
    if "capabilities" in params:
        state = "active" if account["charges_enabled"] else "inactive"
        wanted = dict.fromkeys(params["capabilities"], state)
        changes["capabilities"] = {**wanted, **(account["capabilities"] or {})}
    if "settings" in params:
        settings, asked = account["settings"], params["settings"]
        changes["settings"] = {
            name: {**part, **(asked.get(name) or {})} for name, part in settings.items()
        }
        changes["settings"]["payouts"] = _payout_settings(
            asked.get("payouts") or {}, account["country"], settings["payouts"]
        )
    metadata = merge_metadata(account["metadata"], params.get("metadata"))
    platform.update(account, metadata=metadata, **changes)
    announce(platform, account)
    return account


@endpoint("GET", "/v1/accounts/{id}", "AccountRetrieveParams")
def retrieve(call: Call, params: Json, id: str) -> Json:
    return call.for_account(None).get("account", id)


@endpoint("GET", "/v1/account", "AccountRetrieveParams")
def retrieve_own(call: Call, params: Json) -> Json:
    platform = call.for_account(None)
    if call.account:
        return platform.get("account", call.account)
    ensure_platform(platform)
    return platform.get("account", PLATFORM_ID)


@endpoint("GET", "/v1/accounts", "AccountListParams")
def list_connected(call: Call, params: Json) -> Json:
    answer = listing("account", "/v1/accounts")(call.for_account(None), params)
    return {**answer, "data": [a for a in answer["data"] if a["id"] != PLATFORM_ID]}


@endpoint("DELETE", "/v1/accounts/{id}", "AccountDeleteParams")
def delete(call: Call, params: Json, id: str) -> Json:
    call.for_account(None).get("account", id)
    call.store.remove(id)
    return {"id": id, "object": "account", "deleted": True}


def ensure_platform(platform: Call) -> None:
    """Create the account that owns the API keys, if it doesn't exist yet."""
    if platform.store.get(PLATFORM_ID) is not None:
        return
    platform.new(
        "account",
        id=PLATFORM_ID,
        business_profile=_business_profile({"name": "Local platform"}),
        capabilities={"card_payments": "active", "transfers": "active"},
        charges_enabled=True,
        controller={"type": "account"},
        country="US",
        default_currency="usd",
        details_submitted=True,
        metadata={},
        payouts_enabled=True,
        settings=_settings("Local platform", _payout_settings({}, "US")),
        type="standard",
    )


# --- onboarding --------------------------------------------------------------------------------


@endpoint("POST", "/v1/account_links", "AccountLinkCreateParams")
def create_link(call: Call, params: Json) -> Json:
    account = call.for_account(None).get("account", params["account"], "account")
    for name in ("refresh_url", "return_url"):
        if not params.get(name):
            raise invalid_request(
                f"Missing required param: {name}.", code="parameter_missing", param=name
            )
    token = "al_" + random_text(24)
    expires_at = call.now + _LINK_SECONDS
    link = {
        "id": token,
        "created": call.now,
        "account": account["id"],
        "refresh_url": params["refresh_url"],
        "return_url": params["return_url"],
        "expires_at": expires_at,
        "used": False,
    }
    call.store.add(Row(token, "onboarding_link", None, link, {}))
    return {
        "object": "account_link",
        "created": call.now,
        "expires_at": expires_at,
        "url": f"{call.base_url}/setup/{account['id']}/{token}",
    }


@endpoint("POST", "/v1/accounts/{id}/login_links", "AccountCreateLoginLinkParams")
def create_login_link(call: Call, params: Json, id: str) -> Json:
    account = call.for_account(None).get("account", id)
    if account["type"] != "express":
        raise invalid_request(
            "Cannot create a login link for an account that does not use the Express Dashboard."
        )
    if not account["details_submitted"]:
        raise invalid_request(
            "Cannot create a login link for an account that has not completed onboarding."
        )
    return {
        "object": "login_link",
        "created": call.now,
        "url": f"{call.base_url}/express/{account['id']}/{random_text(12)}",
    }


def complete_onboarding(call: Call, account_id: str) -> Json:
    """Finish onboarding: the account can accept payments and receive payouts."""
    platform = call.for_account(None)
    account = platform.get("account", account_id)
    wanted = account["capabilities"] or {"card_payments": "", "transfers": ""}
    platform.update(
        account,
        capabilities=dict.fromkeys(wanted, "active"),
        charges_enabled=True,
        details_submitted=True,
        payouts_enabled=True,
        requirements=requirements([]),
    )
    announce(platform, account)
    return account


def leave_pending(call: Call, account_id: str) -> Json:
    """Submit onboarding with a document still under review: no payments yet."""
    platform = call.for_account(None)
    account = platform.get("account", account_id)
    platform.update(
        account,
        charges_enabled=False,
        details_submitted=True,
        payouts_enabled=False,
        requirements=requirements(
            [], "requirements.pending_verification", ["individual.verification.document"]
        ),
    )
    announce(platform, account)
    return account


# --- the bank account ----------------------------------------------------------------------------


def change_bank_account(call: Call, account_id: str, last4: str) -> Json:
    """The owner enters another bank account in the Express dashboard: it takes the place of the one
    before."""
    account = call.for_account(None).get("account", account_id)
    acting = call.for_account(account_id)
    for row in list(acting.store.all("bank_account", account_id)):
        acting.store.remove(row.id)
        acting.emit("account.external_account.deleted", row.obj)
    made = contract.blank("bank_account")
    made.update(
        id=new_id("bank_account"),
        object="bank_account",
        account=account_id,
        available_payout_methods=["standard"],
        bank_name="STRIPE TEST BANK",
        country=account["country"],
        currency=account["default_currency"],
        default_for_currency=True,
        last4=last4,
        metadata={},
        status="new",
    )
    acting.store.add(Row(made["id"], "bank_account", account_id, made, {}))
    acting.emit("account.external_account.created", made)
    return made
