"""Signing up for a subscription: who subscribes, and the first month's payment.

What the owner enters is stored before the card is charged, so that `registration` can finish
without the browser.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

from django.core.signing import BadSignature
from django.db import transaction
from django.db.models import F, Q

from apps.accounts.models import User
from apps.accounts.services.accounts import AlreadyRegistered, account_for_email, telling_owner
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import CardUnusable, GatewayError, IntentStatus
from apps.billing.models import SubscriptionSignUp
from apps.billing.subscriptions.terms import (
    is_sold,
    monthly_price,
    price_currency,
    subscription_of,
)
from apps.common import formats, rls
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import Conflict, FieldError, Invalid, Unavailable
from apps.common.ids import parse_uuid
from apps.common.money import Money
from apps.common.signing import signer
from apps.restaurants.models import Restaurant

Problem = SubscriptionSignUp.Problem
logger = logging.getLogger(__name__)

SIGN_UP_PATH = "/subscribe"
SIGNER = "subscription-sign-up"
NO_EMAIL = "Enter your email address."
NO_NAME = "Enter your restaurant's name."
NOT_ACCEPTED = "Agree to the terms to subscribe."
NOT_SOLD = "There's no subscription to pay for: no plan has a monthly fee. Choose a plan instead."
SUBSCRIBED = "Your restaurant already has a subscription. You can manage it in the settings."
NOT_INITIALIZED = "Failed to initialize payment system. You haven't been charged. Try again."
# The ones that are gone on with; the others need staff.
RESUMABLE = ("", Problem.DETAILS_MISSING, Problem.EMAIL_TAKEN)


@dataclass(frozen=True, slots=True)
class SignUpDetails:
    """What the owner enters; empty where they haven't."""

    email: str = ""
    name: str = ""
    has_agreed: bool = False
    agreed_from: str = ""


@dataclass(frozen=True, slots=True)
class SignUpStarted:
    """What the browser confirms; nothing if it `is_paid` already, for instance in another tab."""

    sign_up: SubscriptionSignUp
    client_secret: str
    is_paid: bool = False


# --- before the payment ---------------------------------------------------------------------------
def check_price(*, cents: int, currency: str) -> None:
    """Compare what a client shows with what we charge. Raises Invalid."""
    price, ours = monthly_price(), price_currency()
    if (cents, currency.lower()) == (price.cents, ours):
        return
    shown = formats.money(price, ours)
    message = f"The subscription costs {shown} a month. Reload the page to see the current price."
    field = "currency" if currency.lower() != ours else "amount"
    raise Invalid(
        message,
        code=ErrorCode.PRICE_CHANGED,
        fields=[FieldError(field, message, FieldErrorCode.CHANGED)],
    )


def start_sign_up(
    *,
    details: SignUpDetails,
    user: User | None,
    restaurant: Restaurant | None,
    opened_id: UUID | None,
    now: datetime,
) -> SignUpStarted:
    """Create the payment that the browser confirms, or continue the one that is open.

    `restaurant` is the signed-in owner's; `opened_id` the sign-up this browser began earlier.
    Raises Conflict, AlreadyRegistered for the email of somebody who isn't signed in, and
    Unavailable if Stripe doesn't answer.
    """
    if not is_sold():
        raise Conflict(NOT_SOLD)
    with rls.acting_as(rls.PLATFORM):
        if user is None and details.email:
            _refuse_known(details.email)
        sign_up = _open_sign_up(details, user, restaurant, opened_id, now)
        try:
            return _payment_of(sign_up)
        except GatewayError as error:
            logger.warning("no payment for sign-up %s: %s", sign_up.pk, error)
            raise Unavailable(NOT_INITIALIZED) from error


def _refuse_known(email: str) -> None:
    with telling_owner(email):
        if account_for_email(email) is not None:
            raise AlreadyRegistered


def _open_sign_up(
    details: SignUpDetails,
    user: User | None,
    restaurant: Restaurant | None,
    opened_id: UUID | None,
    now: datetime,
) -> SubscriptionSignUp:
    """The row, with the details. An owner has one open sign-up for the restaurant, so that two tabs
    show the same payment."""
    with transaction.atomic():
        if restaurant is not None:
            restaurant = Restaurant.objects.select_for_update().get(pk=restaurant.pk)
            known = subscription_of(restaurant)
            if known is not None and known.is_open:
                raise Conflict(SUBSCRIBED)
        wanted = {"restaurant": restaurant} if restaurant else {"pk": opened_id, "restaurant": None}
        found = SubscriptionSignUp.objects.select_for_update(of=("self",)).filter(
            registered_at=None, problem__in=RESUMABLE, **wanted
        )
        sign_up = found.order_by(F("paid_at").asc(nulls_last=True)).first()
        if sign_up is None:
            sign_up = SubscriptionSignUp(
                restaurant=restaurant,
                price=monthly_price().amount,
                currency=price_currency(),
                created_at=now,
            )
        sign_up.user = user or sign_up.user
        store_details(sign_up, details, now)
        sign_up.save()
    return sign_up


def store_details(sign_up: SubscriptionSignUp, details: SignUpDetails, now: datetime) -> None:
    sign_up.email = details.email.strip().lower() or sign_up.email
    sign_up.name = details.name.strip() or sign_up.name
    if details.has_agreed:
        sign_up.terms_agreed_at = now
        sign_up.terms_agreed_from = details.agreed_from or None


def missing_details(sign_up: SubscriptionSignUp) -> list[FieldError]:
    """What has to be known before a restaurant can be registered, and isn't."""
    missing = []
    if not sign_up.email and not sign_up.user_id:
        missing.append(FieldError("email", NO_EMAIL, FieldErrorCode.REQUIRED))
    if not sign_up.name and not sign_up.restaurant_id:
        missing.append(FieldError("name", NO_NAME, FieldErrorCode.REQUIRED))
    if not sign_up.terms_agreed_at:
        missing.append(FieldError("acceptedTerms", NOT_ACCEPTED, FieldErrorCode.REQUIRED))
    return missing


def _payment_of(sign_up: SubscriptionSignUp) -> SignUpStarted:
    """Outside any transaction; keys come from the row, so a repeated call creates nothing more."""
    intent_id = sign_up.payment_intent_id
    if intent_id:
        if sign_up.paid_at or gateway.retrieve_intent(intent_id).state is IntentStatus.CAPTURED:
            return SignUpStarted(sign_up, "", is_paid=True)
        if _has_current_price(sign_up):
            return SignUpStarted(sign_up, gateway.client_secret(intent_id))
        _drop_payment(sign_up)
    restaurant = sign_up.restaurant
    customer_id = sign_up.customer_id or (restaurant.payment_customer_id if restaurant else "")
    if not customer_id:
        key = f"subscriber:{uuid5(sign_up.pk, f'{sign_up.email} {sign_up.name}')}"
        customer_id = _create_customer(sign_up, key)
    try:
        return _create_payment(sign_up, customer_id)
    except CardUnusable:  # the customer was deleted at Stripe
        return _create_payment(sign_up, _create_customer(sign_up, f"subscriber:{uuid4()}"))


def _create_customer(sign_up: SubscriptionSignUp, key: str) -> str:
    restaurant = sign_up.restaurant
    return gateway.with_new_key_after_error(
        lambda key: gateway.create_customer(
            name=restaurant.name if restaurant else sign_up.name,
            email=sign_up.email or (restaurant.email if restaurant else ""),
            key=key,
        ),
        key,
    )


def _create_payment(sign_up: SubscriptionSignUp, customer_id: str) -> SignUpStarted:
    """Of two tabs that create one each, for instance with different emails, the first counts in
    both: who paid another one would have paid for nothing."""
    intent = gateway.with_new_key_after_error(
        lambda key: gateway.create_first_payment(
            price=Money.of(sign_up.price),
            currency=sign_up.currency,
            customer_id=customer_id,
            sign_up_id=str(sign_up.pk),
            key=key,
        ),
        f"first-month:{sign_up.pk}:{customer_id}:{sign_up.price}",
    )
    SubscriptionSignUp.objects.filter(pk=sign_up.pk, payment_intent_id=None).update(
        customer_id=customer_id, payment_intent_id=intent.intent_id
    )
    sign_up.refresh_from_db(fields=["customer_id", "payment_intent_id"])
    stored = str(sign_up.payment_intent_id)
    if stored == intent.intent_id:
        return SignUpStarted(sign_up, intent.client_secret)
    with suppress(GatewayError):  # nobody has its secret
        gateway.release(intent.intent_id, key=f"other-tab:{intent.intent_id}")
    return SignUpStarted(sign_up, gateway.client_secret(stored))


def _has_current_price(sign_up: SubscriptionSignUp) -> bool:
    return (sign_up.price, sign_up.currency) == (monthly_price().amount, price_currency())


def _drop_payment(sign_up: SubscriptionSignUp) -> None:
    """The price changed since: nobody can pay the old one anymore."""
    old = str(sign_up.payment_intent_id)
    gateway.release(old, key=f"old-price:{old}")
    SubscriptionSignUp.objects.filter(pk=sign_up.pk, payment_intent_id=old).update(
        price=monthly_price().amount, currency=price_currency(), payment_intent_id=None
    )
    sign_up.refresh_from_db(fields=["price", "currency", "payment_intent_id"])


# --- going on elsewhere ---------------------------------------------------------------------------
def resume_path(sign_up: SubscriptionSignUp) -> str:
    """The page that continues this sign-up in any browser, for an email to its owner."""
    return f"{SIGN_UP_PATH}?{urlencode({'signUp': signer(SIGNER).sign(str(sign_up.pk))})}"


def sign_up_to_resume(signed: str) -> UUID | None:
    """The sign-up that the link names; None if it isn't one of ours."""
    try:
        return parse_uuid(signer(SIGNER).unsign(signed))
    except BadSignature:
        return None


def open_sign_up(sign_up_id: UUID | None) -> SubscriptionSignUp | None:
    """What this browser entered so far."""
    if sign_up_id is None:
        return None
    with rls.acting_as(rls.PLATFORM):
        return SubscriptionSignUp.objects.filter(pk=sign_up_id, registered_at=None).first()


def paid_sign_up(
    sign_up_id: UUID | None, *, restaurant: Restaurant | None
) -> SubscriptionSignUp | None:
    """The one this browser, or this restaurant's owner, paid for and has to finish."""
    with rls.acting_as(rls.PLATFORM):
        waiting = SubscriptionSignUp.objects.filter(registered_at=None, problem__in=RESUMABLE)
        is_own = Q(pk=sign_up_id) if sign_up_id else Q(pk__in=[])
        if restaurant is not None:
            is_own |= Q(restaurant=restaurant)
        return waiting.filter(is_own).exclude(paid_at=None).first()
