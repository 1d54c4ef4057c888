"""Stripe Checkout sessions: the hosted page where a guest enters a card for one order."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import stripe
from django.conf import settings

from apps.billing.gateway import Refused
from apps.billing.hosted_checkout import (
    Checkout,
    CheckoutItem,
    CheckoutLook,
    CheckoutRequest,
    CheckoutState,
)
from apps.billing.stripe_gateway.client import API_BASE, ask, id_of, our_errors
from apps.billing.stripe_gateway.intents import intent_params

_PATH = "/v1/checkout/sessions"
# https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-locale
_LOCALES: dict[str, Any] = {"en": "en", "es": "es"}


def create_checkout(request: CheckoutRequest, *, key: str) -> Checkout:
    """Create a checkout session. The card is saved in case an off-session retry is needed."""
    intent: Any = {
        **intent_params(request.charge),
        "capture_method": "manual" if request.hold_only else "automatic",
        "setup_future_usage": "off_session",
    }
    # Without an email address, the page asks for it.
    guest: Any = {"customer_email": request.customer_email} if request.customer_email else {}
    with our_errors():
        session = ask(
            "post",
            _PATH,
            mode="payment",
            payment_method_types=["card"],
            customer_creation="always",
            client_reference_id=request.charge.pre_order_id,
            line_items=[_line(item, request.charge.currency) for item in request.items],
            payment_intent_data=intent,
            # The guest pays what our page says, in the restaurant's currency. Without this, a
            # setting of the Stripe account decides:
            # https://docs.stripe.com/changelog/acacia/2024-11-20/adaptive-pricing-param
            adaptive_pricing={"enabled": False},
            # The button says "Book" where nothing is charged yet:
            # https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-submit_type
            submit_type="book" if request.hold_only else "pay",
            locale=_LOCALES.get(request.locale, "auto"),
            custom_text={"submit": {"message": request.submit_note}},
            branding_settings=_branding(request.look),
            metadata={"pre_order_id": request.charge.pre_order_id},
            success_url=request.success_url,
            cancel_url=request.cancel_url,
            expires_at=int(request.expires_at.timestamp()),
            idempotency_key=key,
            **guest,
        )
        return _checkout(session)


def _line(item: CheckoutItem, currency: str) -> Any:
    product: dict[str, Any] = {"name": item.name}
    if item.description:
        product["description"] = item.description
    if _can_fetch(item.photo_url):
        # https://docs.stripe.com/payments/checkout/customization/product-images
        product["images"] = [item.photo_url]
    price = {"currency": currency, "unit_amount": item.unit.cents, "product_data": product}
    return {"quantity": item.quantity, "price_data": price}


def _branding(look: CheckoutLook) -> Any:
    """The page in the restaurant's colors, so that it reads as the next step of the same order:
    https://docs.stripe.com/payments/checkout/customization/appearance"""
    branding: dict[str, Any] = {
        "display_name": look.name,
        "background_color": look.paper,
        "button_color": look.button,
        "border_style": "rounded",
    }
    if _can_fetch(look.logo_url):
        branding["logo"] = {"type": "url", "url": look.logo_url}
    return branding


def _can_fetch(url: str) -> bool:
    """Whether to send a picture's address: Stripe fetches it, and refuses a session for one that
    isn't an address to it. One that is signed changes with each request, which then isn't the same
    to Stripe under its idempotency key: https://docs.stripe.com/api/idempotent_requests"""
    is_public = url.startswith("https://") or settings.STRIPE_API_BASE != API_BASE
    return bool(url) and is_public and "?" not in url


def retrieve_checkout(session_id: str) -> Checkout:
    with our_errors():
        return _checkout(ask("get", _path_of(session_id)))


def expire_checkout(session_id: str) -> Checkout:
    """Expire a session. One that is already complete or expired is returned unchanged."""
    with our_errors():
        try:
            return _checkout(ask("post", f"{_path_of(session_id)}/expire"))
        except stripe.InvalidRequestError:
            return _checkout(ask("get", _path_of(session_id)))


def _path_of(session_id: str) -> str:
    """The session's path. Raises Refused for an empty id, whose path would be the list's."""
    if not session_id:
        raise Refused("invalid_request", "The checkout session's id is empty.")
    return f"{_PATH}/{quote(session_id, safe='')}"


def _checkout(session: dict[str, Any]) -> Checkout:
    return Checkout(
        session_id=session["id"],
        url=session["url"] or "",
        state=CheckoutState(session["status"] or "open"),
        intent_id=id_of(session["payment_intent"]) or None,
        expires_at=datetime.fromtimestamp(session["expires_at"], UTC),
    )
