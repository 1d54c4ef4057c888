"""The gateway, spoken to Stripe. The only file of ours that imports stripe."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import stripe
from django.conf import settings
from djstripe.models import WebhookEndpoint

from apps.billing.gateway import (
    Account,
    BrowserIntent,
    CardSetup,
    Charge,
    Checkout,
    CheckoutRequest,
    CheckoutState,
    Declined,
    Hold,
    HoldState,
    NeedsAuthentication,
    Refused,
    ServerFault,
    SetupState,
    StillWorking,
    Subscription,
    Unreachable,
)
from apps.common.money import Money

CURRENCY = "usd"
CONFLICT = 409  # the key, or the object, is in use by a call that has not ended
_EXPAND = ["latest_charge"]
_HOLD_STATES = {
    "requires_payment_method": HoldState.OPEN,
    "requires_confirmation": HoldState.OPEN,
    "requires_action": HoldState.NEEDS_ACTION,
    "processing": HoldState.NEEDS_ACTION,
    "requires_capture": HoldState.HELD,
    "succeeded": HoldState.CAPTURED,
    "canceled": HoldState.DEAD,
}
_SETUP_STATES = {"succeeded": SetupState.READY, "canceled": SetupState.DEAD}


def configure() -> None:
    """Point stripe-python at the processor named in the settings. Retries are ours to decide: the
    library's own would hide an unknown outcome."""
    stripe.api_key = settings.STRIPE_SECRET_KEY
    stripe.api_base = settings.STRIPE_API_BASE
    stripe.max_network_retries = 0
    stripe.default_http_client = stripe.RequestsClient(
        timeout=settings.STRIPE_TIMEOUT.total_seconds()
    )


@contextmanager
def _our_errors() -> Iterator[None]:
    try:
        yield
    except stripe.CardError as error:
        kind = NeedsAuthentication if error.code == "authentication_required" else Declined
        intent_id = _id(_get(error.error, "payment_intent"))
        message = error.user_message or str(error)
        raise kind(error.code or "card_declined", message, intent_id) from error
    except (stripe.APIConnectionError, stripe.RateLimitError) as error:
        raise Unreachable(str(error)) from error
    except stripe.IdempotencyError as error:
        # The key was used with another body: look afresh and take a new one.
        raise ServerFault(str(error)) from error
    except stripe.InvalidRequestError as error:
        raise Refused(error.code or "invalid_request", str(error)) from error
    except stripe.StripeError as error:
        if error.http_status == CONFLICT:
            # A new key here would do the thing a second time beside the first.
            raise StillWorking(str(error)) from error
        raise ServerFault(str(error)) from error


# --- holds ----------------------------------------------------------------------------------------
def retrieve_hold(intent_id: str) -> Hold:
    with _our_errors():
        return _hold(stripe.PaymentIntent.retrieve(intent_id, expand=_EXPAND))


def capture(intent_id: str, *, amount: Money, fee: Money, key: str) -> Hold:
    """Take the held money. The application fee travels with the capture (DECISIONS X3)."""
    params: dict[str, Any] = {"amount_to_capture": amount.cents, "expand": _EXPAND}
    if fee.cents:
        params["application_fee_amount"] = fee.cents
    with _our_errors():
        return _hold(stripe.PaymentIntent.capture(intent_id, idempotency_key=key, **params))


def release(intent_id: str, *, key: str) -> Hold:
    """Give the hold back: nobody paid anything."""
    with _our_errors():
        return _hold(
            stripe.PaymentIntent.cancel(
                intent_id, cancellation_reason="abandoned", expand=_EXPAND, idempotency_key=key
            )
        )


def charge_off_session(
    charge: Charge, *, customer_id: str, payment_method_id: str, hold_only: bool, key: str
) -> Hold:
    """Ask the saved card again without the diner: a new hold, or the money at once."""
    params = _intent_params(charge)
    with _our_errors():
        intent = stripe.PaymentIntent.create(
            amount=charge.amount.cents,
            currency=CURRENCY,
            capture_method="manual" if hold_only else "automatic",
            customer=customer_id,
            payment_method=payment_method_id,
            payment_method_types=["card"],
            off_session=True,
            confirm=True,
            expand=_EXPAND,
            idempotency_key=key,
            **params,
        )
        return _hold(intent)


def refund(intent_id: str, *, amount: Money, with_fee: bool, key: str) -> Hold:
    """Give so much of the charge back, and as large a part of our fee if there was one."""
    with _our_errors():
        stripe.Refund.create(
            payment_intent=intent_id,
            amount=amount.cents,
            reverse_transfer=True,
            refund_application_fee=with_fee,
            idempotency_key=key,
        )
    return retrieve_hold(intent_id)


def intents_of_customer(customer_id: str) -> Iterator[Hold]:
    """Every intent of one saved customer, newest first: what an earlier try may have made."""
    with _our_errors():
        page = stripe.PaymentIntent.list(
            customer=customer_id, limit=100, expand=["data.latest_charge"]
        )
        for intent in page.auto_paging_iter():
            yield _hold(intent)


def intents_since(moment: datetime) -> Iterator[Hold]:
    """Every intent created since `moment`, newest first, for the reconciler."""
    with _our_errors():
        page = stripe.PaymentIntent.list(
            created={"gte": int(moment.timestamp())}, limit=100, expand=["data.latest_charge"]
        )
        for intent in page.auto_paging_iter():
            yield _hold(intent)


def intents_refunded_since(moment: datetime) -> Iterator[str]:
    """The ids of intents of which something was given back since `moment`, by whomever, for the
    reconciler; they may have been created long before."""
    with _our_errors():
        page = stripe.Refund.list(created={"gte": int(moment.timestamp())}, limit=100)
        for refund in page.auto_paging_iter():
            if intent_id := _id(refund.payment_intent):
                yield intent_id


# --- checkout -------------------------------------------------------------------------------------
def create_checkout(request: CheckoutRequest, *, key: str) -> Checkout:
    """A hosted page for this order. The card is saved for the off-session retry that may follow."""
    intent: Any = {
        **_intent_params(request.charge),
        "capture_method": "manual" if request.hold_only else "automatic",
        "setup_future_usage": "off_session",
    }
    # Without one the page asks for it.
    guest: Any = {"customer_email": request.customer_email} if request.customer_email else {}
    with _our_errors():
        session = stripe.checkout.Session.create(
            mode="payment",
            payment_method_types=["card"],
            customer_creation="always",
            client_reference_id=request.charge.pre_order_id,
            line_items=[
                {
                    "quantity": 1,
                    "price_data": {
                        "currency": CURRENCY,
                        "unit_amount": request.charge.amount.cents,
                        "product_data": {
                            "name": request.item_name,
                            "description": request.item_description,
                        },
                    },
                }
            ],
            payment_intent_data=intent,
            custom_text={"submit": {"message": request.submit_note}},
            metadata={"pre_order_id": request.charge.pre_order_id},
            success_url=request.success_url,
            cancel_url=request.cancel_url,
            expires_at=int(request.expires_at.timestamp()),
            idempotency_key=key,
            **guest,
        )
        return _checkout(session)


def retrieve_checkout(session_id: str) -> Checkout:
    with _our_errors():
        return _checkout(stripe.checkout.Session.retrieve(session_id))


def expire_checkout(session_id: str) -> Checkout:
    """Close the page. A session that is complete or expired already is returned as it is."""
    with _our_errors():
        try:
            return _checkout(stripe.checkout.Session.expire(session_id))
        except stripe.InvalidRequestError:
            return _checkout(stripe.checkout.Session.retrieve(session_id))


# --- a card given in the diner's browser ----------------------------------------------------------
def create_customer(*, name: str, email: str, key: str) -> str:
    """Whom a card is kept for; answers the id. Both texts may be empty."""
    known: Any = {}
    if name:
        known["name"] = name
    if email:
        known["email"] = email
    with _our_errors():
        return stripe.Customer.create(idempotency_key=key, **known).id


def create_intent(charge: Charge, *, customer_id: str, key: str) -> BrowserIntent:
    """A hold that the browser confirms. The card is kept for the off-session retry that may
    follow."""
    params = _intent_params(charge)
    with _our_errors():
        intent = stripe.PaymentIntent.create(
            amount=charge.amount.cents,
            currency=CURRENCY,
            capture_method="manual",
            customer=customer_id,
            payment_method_types=["card"],
            setup_future_usage="off_session",
            idempotency_key=key,
            **params,
        )
        return BrowserIntent(intent.id, intent.client_secret or "")


def reopen_intent(intent_id: str, *, payment_method_id: str = "") -> BrowserIntent:
    """A hold that was refused off session, to be confirmed by the browser: with another card, or
    with the saved one where it is named. Asking twice changes nothing more."""
    params: Any = {"setup_future_usage": "off_session"}
    if payment_method_id:
        params["payment_method"] = payment_method_id
    with _our_errors():
        intent = stripe.PaymentIntent.modify(intent_id, **params)
        return BrowserIntent(intent.id, intent.client_secret or "")


def create_setup(
    *, cart_id: str, customer_id: str, destination: str, description: str, key: str
) -> BrowserIntent:
    """A card to be kept without money, for holds in the name of the account `destination`."""
    with _our_errors():
        setup = stripe.SetupIntent.create(
            customer=customer_id,
            usage="off_session",
            payment_method_types=["card"],
            on_behalf_of=destination,
            description=description,
            metadata={"cart_id": cart_id},
            idempotency_key=key,
        )
        return BrowserIntent(setup.id, setup.client_secret or "")


def retrieve_setup(setup_id: str) -> CardSetup:
    with _our_errors():
        return _setup(stripe.SetupIntent.retrieve(setup_id))


def cancel_setup(setup_id: str) -> CardSetup:
    """No card can be given on it any more. One that is done or dead already is returned as it
    is."""
    with _our_errors():
        try:
            return _setup(stripe.SetupIntent.cancel(setup_id, cancellation_reason="abandoned"))
        except stripe.InvalidRequestError:
            return _setup(stripe.SetupIntent.retrieve(setup_id))


def client_secret(intent_id: str) -> str:
    """What lets a browser confirm the intent, a payment's or a card's; we never keep it."""
    with _our_errors():
        if intent_id.startswith("seti_"):
            return stripe.SetupIntent.retrieve(intent_id).client_secret or ""
        return stripe.PaymentIntent.retrieve(intent_id).client_secret or ""


# --- accounts -------------------------------------------------------------------------------------
def create_account(*, email: str, name: str, key: str) -> Account:
    with _our_errors():
        account = stripe.Account.create(
            type="express",
            country="US",
            email=email,
            business_profile={"name": name},
            capabilities={
                "card_payments": {"requested": True},
                "transfers": {"requested": True},
            },
            idempotency_key=key,
        )
        return _account(account)


def onboarding_url(account_id: str, *, return_url: str, refresh_url: str) -> str:
    """The processor's own page where the restaurant gives its details; usable once, for minutes."""
    with _our_errors():
        link = stripe.AccountLink.create(
            account=account_id,
            type="account_onboarding",
            return_url=return_url,
            refresh_url=refresh_url,
        )
        return link.url


def dashboard_url(account_id: str) -> str:
    """The restaurant's own dashboard at the processor; usable once, for minutes. Refused while its
    details have not been submitted."""
    with _our_errors():
        return stripe.Account.create_login_link(account_id).url


def retrieve_account(account_id: str) -> Account:
    with _our_errors():
        return _account(stripe.Account.retrieve(account_id))


# --- subscriptions --------------------------------------------------------------------------------
def latest_subscription(customer_id: str) -> Subscription | None:
    """The customer's newest subscription, ended ones included; None where there was none."""
    with _our_errors():
        page = stripe.Subscription.list(customer=customer_id, status="all", limit=1)
    if not page.data:
        return None
    newest = page.data[0]
    items: Any = newest["items"]
    ends = [_get(item, "current_period_end") for item in items.data]
    return Subscription(status=newest.status, period_end=_moment(max(ends, default=None)))


def billing_portal_url(customer_id: str, *, return_url: str) -> str:
    """The processor's own page about a customer's bills and cards; usable for some minutes."""
    with _our_errors():
        session = stripe.billing_portal.Session.create(customer=customer_id, return_url=return_url)
        return session.url


# --- webhooks -------------------------------------------------------------------------------------
# The events we act on; everything else would only be mirrored for nothing. What happens at the
# restaurants' accounts Stripe sends to a Connect endpoint only, so there are two.
OWN_EVENTS = [
    "checkout.session.completed",
    "checkout.session.expired",
    "payment_intent.amount_capturable_updated",
    "payment_intent.canceled",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.succeeded",
    "refund.created",
    "setup_intent.succeeded",
]
CONNECT_EVENTS = ["account.updated"]


def connect_webhooks(url_for: Callable[[UUID], str]) -> list[str]:
    """Make sure Stripe sends us what we act on and dj-stripe knows each endpoint's secret.

    Stripe tells a secret only when an endpoint is made, so one it still knows and we still have is
    kept, and anything else of ours is replaced. Returns the addresses, our own events' first.
    """
    with _our_errors():
        known = {
            endpoint.id: endpoint
            for endpoint in stripe.WebhookEndpoint.list(limit=100).auto_paging_iter()
        }
        kept = {}
        for row in WebhookEndpoint.objects.all():
            endpoint = known.get(row.id)
            events = tuple(endpoint.enabled_events) if endpoint else ()
            if endpoint and endpoint.url == url_for(row.djstripe_uuid):
                if row.secret and events in (tuple(OWN_EVENTS), tuple(CONNECT_EVENTS)):
                    kept[events] = endpoint.url
                    continue
                # One for other events than today's would tell us things twice.
                stripe.WebhookEndpoint.delete(row.id)
            row.delete()
        return [
            kept.get(tuple(events)) or _new_endpoint(url_for, events, connect=connect)
            for events, connect in ((OWN_EVENTS, False), (CONNECT_EVENTS, True))
        ]


def _new_endpoint(url_for: Callable[[UUID], str], events: list[str], *, connect: bool) -> str:
    uuid = uuid4()
    wanted: Any = {
        "url": url_for(uuid),
        "enabled_events": events,
        "metadata": {"djstripe_uuid": str(uuid)},
    }
    created = stripe.WebhookEndpoint.create(**wanted, connect=connect)
    row = WebhookEndpoint.sync_from_stripe_data(created.to_dict())
    # Stripe tells the secret once and dj-stripe does not keep it from a sync.
    WebhookEndpoint.objects.filter(pk=row.pk).update(secret=created.secret or "")
    return url_for(uuid)


# --- from Stripe's words to ours ------------------------------------------------------------------
def _intent_params(charge: Charge) -> dict[str, Any]:
    """What makes it a destination charge in the restaurant's name."""
    params: dict[str, Any] = {
        "description": charge.description,
        "metadata": {"pre_order_id": charge.pre_order_id},
        "on_behalf_of": charge.destination,
        "transfer_data": {"destination": charge.destination},
    }
    if charge.fee.cents:
        params["application_fee_amount"] = charge.fee.cents
    return params


def _moment(timestamp: int | None) -> datetime | None:
    return datetime.fromtimestamp(timestamp, UTC) if timestamp else None


def _id(value: Any) -> str:
    """An expandable field as its id."""
    return "" if value is None else value if isinstance(value, str) else value.id


def _get(value: Any, *path: str) -> Any:
    for name in path:
        if value is None or isinstance(value, str):
            return None
        value = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
    return value


def _hold(intent: stripe.PaymentIntent) -> Hold:
    charge = intent.latest_charge
    created = _moment(_get(charge, "created"))
    captured = _get(charge, "amount_captured") or 0
    # Stripe counts what a capture left of the hold as refunded too; nobody had paid that.
    not_taken = (_get(charge, "amount") or 0) - captured
    error = _get(intent, "last_payment_error", "code")
    return Hold(
        intent_id=intent.id,
        state=_HOLD_STATES[intent.status],
        pre_order_id=_get(intent, "metadata", "pre_order_id"),
        amount=Money(intent.amount),
        captured=Money(captured),
        refunded=Money(max(0, (_get(charge, "amount_refunded") or 0) - not_taken)),
        fee=Money(_get(charge, "application_fee_amount") or 0),
        customer_id=_id(intent.customer),
        payment_method_id=_id(intent.payment_method),
        authorized_at=created,
        capture_before=_moment(_get(charge, "payment_method_details", "card", "capture_before")),
        transfer_id=_id(_get(charge, "transfer")),
        reason=_get(intent, "cancellation_reason") or error or "",
        card_brand=_get(charge, "payment_method_details", "card", "brand") or "",
        card_digits=_get(charge, "payment_method_details", "card", "last4") or "",
    )


def _checkout(session: stripe.checkout.Session) -> Checkout:
    return Checkout(
        session_id=session.id,
        url=session.url or "",
        state=CheckoutState(session.status or "open"),
        intent_id=_id(session.payment_intent) or None,
        expires_at=datetime.fromtimestamp(session.expires_at, UTC),
    )


def _setup(setup: stripe.SetupIntent) -> CardSetup:
    return CardSetup(
        setup_id=setup.id,
        state=_SETUP_STATES.get(setup.status, SetupState.OPEN),
        payment_method_id=_id(setup.payment_method),
    )


def _account(account: stripe.Account) -> Account:
    requirements = {
        name: list(_get(account, "requirements", name) or [])
        for name in ("currently_due", "eventually_due", "past_due", "pending_verification")
    }
    return Account(
        account_id=account.id,
        details_submitted=bool(account.details_submitted),
        charges_enabled=bool(account.charges_enabled),
        payouts_enabled=bool(account.payouts_enabled),
        requirements=requirements,
        disabled_reason=_get(account, "requirements", "disabled_reason") or "",
    )
