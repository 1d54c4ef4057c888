"""Checkout Sessions: creation, payment on the hosted page, completion, and expiration."""

from typing import Any

from ..cards import CardInput
from ..errors import StripeError, invalid_request
from ..ids import new_id
from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from . import (
    checkout_look,
    customers,
    intent_capture,
    intent_confirmation,
    payment_intents,
    payment_methods,
    setup_intents,
    subscriptions,
)
from .intent_rules import check_connect, minimum_amount
from .listing import listing, retrieval

_SHORTEST, _LONGEST = 30 * 60, 24 * 3600
# Clients compute expires_at from their own clock some time before the request arrives, and a
# test's clock may be frozen.
_TOLERANCE = 60
_MOST_IMAGES = 8
_NO_TEXTS = dict.fromkeys(
    ("after_submit", "shipping_address", "submit", "terms_of_service_acceptance")
)


@endpoint("POST", "/v1/checkout/sessions", "checkout.SessionCreateParams")
def create(call: Call, params: Json) -> Json:
    mode = params.get("mode") or "payment"
    _check_params(call, params, mode)
    given_lines = params.get("line_items") or []
    lines = [_line(call, given) for given in given_lines]
    currency = lines[0]["currency"] if lines else params.get("currency")
    if any(line["currency"] != currency for line in lines):
        raise invalid_request("All line items must have the same currency.", param="line_items")
    total = sum(line["amount_total"] for line in lines)
    payment_data = params.get("payment_intent_data") or {}
    if mode == "payment":
        if total < minimum_amount(currency or ""):
            raise invalid_request(
                "The Checkout Session's total amount due must add up to at least "
                f"{minimum_amount(currency or '') / 100:.2f} {currency}",
                code="amount_too_small",
            )
        check_connect(call, payment_data, total)
    session = call.new(
        "checkout.session",
        private={
            "line_items": lines,
            "products": [_product(call, given) for given in given_lines],
            "payment_intent_data": payment_data,
            "setup_intent_data": params.get("setup_intent_data") or {},
            "subscription_data": params.get("subscription_data") or {},
        },
        adaptive_pricing=_adaptive_pricing(params, mode),
        amount_subtotal=total if lines else None,
        amount_total=total if lines else None,
        branding_settings=checkout_look.branding(call, params),
        automatic_tax={"enabled": False, "liability": None, "provider": None, "status": None},
        cancel_url=params.get("cancel_url"),
        client_reference_id=params.get("client_reference_id"),
        currency=currency,
        custom_fields=[],
        custom_text={**_NO_TEXTS, **(params.get("custom_text") or {})},
        customer=params.get("customer"),
        customer_creation=_customer_creation(params, mode),
        customer_email=params.get("customer_email"),
        expires_at=params.get("expires_at", call.now + _LONGEST),
        locale=params.get("locale"),
        metadata=merge_metadata({}, params.get("metadata")),
        mode=mode,
        payment_method_collection="always" if mode == "subscription" else "if_required",
        payment_method_options={"card": {"request_three_d_secure": "automatic"}},
        payment_method_types=params.get("payment_method_types") or ["card"],
        payment_status="no_payment_required" if mode == "setup" else "unpaid",
        phone_number_collection={"enabled": False},
        shipping_options=[],
        status="open",
        submit_type=params.get("submit_type"),
        success_url=params.get("success_url"),
        total_details={"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
        ui_mode="hosted_page",
    )
    call.update(session, url=f"{call.base_url}/c/pay/{session['id']}")
    call.schedule(session, session["expires_at"])
    return session


def _check_params(call: Call, params: Json, mode: str) -> None:
    if mode != "setup" and not params.get("line_items"):
        raise invalid_request(
            f"You must specify line_items in `{mode}` mode.",
            code="parameter_missing",
            param="line_items",
        )
    if not params.get("success_url"):
        raise invalid_request(
            "You must provide `success_url`.", code="parameter_missing", param="success_url"
        )
    if params.get("customer") and params.get("customer_email"):
        raise invalid_request(
            "You may only specify one of these parameters: customer, customer_email.",
            param="customer_email",
        )
    if params.get("customer"):
        call.get("customer", params["customer"], "customer")
    if params.get("customer_creation") and (params.get("customer") or mode != "payment"):
        raise invalid_request(
            "You can only set `customer_creation` in `payment` mode and without `customer`.",
            param="customer_creation",
        )
    if params.get("payment_intent_data") and mode != "payment":
        raise invalid_request(
            f"You can not pass `payment_intent_data` in `{mode}` mode.",
            param="payment_intent_data",
        )
    expires_at = params.get("expires_at")
    if expires_at is not None:
        ahead = expires_at - call.now
        if ahead < _SHORTEST - _TOLERANCE:
            raise invalid_request(
                "The `expires_at` timestamp must be at least 30 minutes from Checkout Session "
                "creation.",
                param="expires_at",
            )
        if ahead > _LONGEST + _TOLERANCE:
            raise invalid_request(
                "The `expires_at` timestamp must be less than 24 hours from Checkout Session "
                "creation.",
                param="expires_at",
            )


def _adaptive_pricing(params: Json, mode: str) -> Json | None:
    """Whether customers may pay in their own currency. Without the parameter, an account's setting
    decides; here it is on. https://docs.stripe.com/changelog/acacia/2024-11-20/adaptive-pricing-param
    """
    if mode == "setup":
        return None
    return {"enabled": (params.get("adaptive_pricing") or {}).get("enabled", True)}


def _customer_creation(params: Json, mode: str) -> str | None:
    if mode != "payment" or params.get("customer"):
        return None if mode == "payment" else "always"
    if (params.get("payment_intent_data") or {}).get("setup_future_usage"):
        return "always"
    return str(params.get("customer_creation", "if_required"))


def _line(call: Call, given: Json) -> Json:
    quantity = given.get("quantity", 1)
    if quantity < 1:
        raise invalid_request(
            "This value must be greater than or equal to 1.",
            param="line_items[0][quantity]",
            code="parameter_invalid_integer",
        )
    if given.get("price"):
        price = call.get("price", given["price"], "line_items[0][price]")
        product = call.get("product", price["product"])
        unit, currency, name = price["unit_amount"], price["currency"], product["name"]
    elif given.get("price_data"):
        price = None
        data = given["price_data"]
        unit, currency = data.get("unit_amount"), data["currency"].lower()
        if unit is None or unit < 0:
            raise invalid_request(
                "Invalid non-negative integer", param="line_items[0][price_data][unit_amount]"
            )
        name = (data.get("product_data") or {}).get("name") or "Item"
    else:
        raise invalid_request(
            "You must pass `price` or `price_data` for each line item.",
            code="parameter_missing",
            param="line_items[0][price_data]",
        )
    return {
        "id": new_id("item"),
        "object": "item",
        "amount_discount": 0,
        "amount_subtotal": unit * quantity,
        "amount_tax": 0,
        "amount_total": unit * quantity,
        "currency": currency,
        "description": name,
        "price": price,
        "quantity": quantity,
    }


def _product(call: Call, given: Json) -> Json:
    """What the page shows of a line's product besides its name."""
    if given.get("price"):
        price = call.get("price", given["price"], "line_items[0][price]")
        product = call.get("product", price["product"])
    else:
        product = given["price_data"].get("product_data") or {}
    images = product.get("images") or []
    if len(images) > _MOST_IMAGES:
        raise invalid_request(f"At most {_MOST_IMAGES} images.", param="line_items")
    return {"description": product.get("description") or "", "images": images}


@endpoint("POST", "/v1/checkout/sessions/{id}", "checkout.SessionModifyParams")
def update(call: Call, params: Json, id: str) -> Json:
    session = call.get("checkout.session", id)
    metadata = merge_metadata(session["metadata"], params.get("metadata"))
    call.update(session, metadata=metadata)
    return session


@endpoint("GET", "/v1/checkout/sessions/{id}/line_items", "checkout.SessionListLineItemsParams")
def list_line_items(call: Call, params: Json, id: str) -> Json:
    return line_items(call, call.get("checkout.session", id))


def line_items(call: Call, session: Json) -> Json:
    url = f"/v1/checkout/sessions/{session['id']}/line_items"
    return list_object(url, call.private(session)["line_items"])


@endpoint("POST", "/v1/checkout/sessions/{id}/expire", "checkout.SessionExpireParams")
def expire(call: Call, params: Json, id: str) -> Json:
    session = call.get("checkout.session", id)
    if session["status"] != "open":
        raise invalid_request(
            f'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout '
            f"Session has a status of {session['status']}.",
        )
    close_expired(call, session)
    return session


def close_expired(call: Call, session: Json) -> None:
    """Expire an open session and cancel its intent, which can't have been charged yet."""
    call.update(session, status="expired", url=None)
    call.schedule(session, None)
    if session["payment_intent"]:
        intent = call.get("payment_intent", session["payment_intent"])
        intent_capture.withdraw(call, intent, "expired")
    call.emit("checkout.session.expired", session)


# --- customer actions on the hosted page ---------------------------------------------------------


def submit(call: Call, session: Json, card: CardInput, email: str, name: str) -> Json | None:
    """Pay with a card. Returns the intent if it requires 3-D Secure, or None if payment is done.

    After a card error, the session stays open for another card.
    """
    if session["status"] == "open" and session["expires_at"] <= call.now:
        close_expired(call, session)
    if session["status"] != "open":
        raise invalid_request(f"This Checkout Session is {session['status']}.")
    billing = {"email": email, "name": name}
    method = payment_methods.from_card(call, card, billing)
    customer = _customer(call, session, email, name)
    if session["mode"] == "payment":
        intent = _payment_intent(call, session, customer)
        intent_confirmation.confirm(call, {"payment_method": method["id"]}, intent["id"])
    elif session["mode"] == "setup":
        intent = _setup_intent(call, session, customer)
        setup_intents.confirm(call, {"payment_method": method["id"]}, intent["id"])
    else:
        subscription = subscriptions.begin(call, session, customer, method)
        call.update(session, subscription=subscription["id"])
        _complete(call, session, method, "paid")
        return None
    if intent["status"] == "requires_action":
        return intent
    _complete_with(call, session, intent)
    return None


def authenticate(call: Call, session: Json, *, passed: bool) -> None:
    """Apply the 3-D Secure result. Raises a card error if the payment then fails."""
    if session["mode"] == "setup":
        intent = call.get("setup_intent", session["setup_intent"])
        setup_intents.authenticate(call, intent, passed=passed)
    else:
        intent = call.get("payment_intent", session["payment_intent"])
        intent_confirmation.authenticate(call, intent, passed=passed)
    _complete_with(call, session, intent)


def _customer(call: Call, session: Json, email: str, name: str) -> str | None:
    """Return the customer's ID, or None for a guest when the session doesn't create customers."""
    private = call.private(session)
    if session["customer"] or private.get("customer"):
        return str(session["customer"] or private["customer"])
    if session["customer_creation"] != "always":
        return None
    created = customers.create(call, {"email": email, "name": name})
    private["customer"] = created["id"]
    call.update(session)
    return str(created["id"])


def _payment_intent(call: Call, session: Json, customer: str | None) -> Json:
    """Return the session's intent. As in Stripe, it is created when the page is first submitted."""
    if session["payment_intent"]:
        return call.get("payment_intent", session["payment_intent"])
    data: Json = call.private(session)["payment_intent_data"]
    given: Json = {
        **data,
        "amount": session["amount_total"],
        "currency": session["currency"],
        "customer": customer,
    }
    intent = payment_intents.new(call, given, private={"session": session["id"]})
    call.emit("payment_intent.created", intent)
    call.update(session, payment_intent=intent["id"])
    return intent


def _setup_intent(call: Call, session: Json, customer: str | None) -> Json:
    if session["setup_intent"]:
        return call.get("setup_intent", session["setup_intent"])
    data: Json = call.private(session)["setup_intent_data"]
    intent = setup_intents.create(call, {**data, "customer": customer, "usage": "off_session"})
    call.private(intent)["session"] = session["id"]
    call.update(intent)
    call.update(session, setup_intent=intent["id"])
    return intent


def _complete_with(call: Call, session: Json, intent: Json) -> None:
    method = call.get("payment_method", intent["payment_method"])
    if session["mode"] == "setup":
        _complete(call, session, method, "no_payment_required")
    else:
        _complete(call, session, method, "paid" if intent["status"] == "succeeded" else "unpaid")


def _complete(call: Call, session: Json, method: Json, payment_status: str) -> None:
    billing = method["billing_details"]
    details: dict[str, Any] = {
        "address": billing["address"],
        "business_name": None,
        "email": billing["email"] or session["customer_email"],
        "individual_name": None,
        "name": billing["name"],
        "phone": None,
        "tax_exempt": "none",
        "tax_ids": [],
    }
    call.update(
        session,
        customer=session["customer"] or call.private(session).get("customer"),
        customer_details=details,
        payment_status=payment_status,
        status="complete",
        url=None,
    )
    call.schedule(session, None)
    call.emit("checkout.session.completed", session)


def pay(call: Call, session: Json, card: CardInput, answer: str, email: str, name: str) -> Json:
    """Pay as a customer on the hosted page would, in one step.

    ``answer`` to a 3-D Secure challenge: ``ok``, ``fail``, or ``leave`` (the page stays open).
    """
    error: StripeError | None = None
    try:
        waiting = submit(call, session, card, email, name)
        if waiting is not None and answer != "leave":
            authenticate(call, session, passed=answer == "ok")
    except StripeError as refused:
        error = refused
    return {
        "session": session["id"],
        "status": session["status"],
        "payment_intent": session["payment_intent"],
        "setup_intent": session["setup_intent"],
        "error": error.summary if error else None,
    }


endpoint("GET", "/v1/checkout/sessions", "checkout.SessionListParams")(
    listing(
        "checkout.session",
        "/v1/checkout/sessions",
        links=("customer", "payment_intent"),
        fields=("status", "subscription"),
    )
)
endpoint("GET", "/v1/checkout/sessions/{id}", "checkout.SessionRetrieveParams")(
    retrieval("checkout.session")
)
