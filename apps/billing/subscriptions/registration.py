"""Registering what a first month was paid for: once, whoever hears of the payment first.

The browser, Stripe's webhook and the job all end in `finish_sign_up`, so a tab that is closed after
paying costs nobody a restaurant. A payment counts once, for the sign-up it was made for.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Q

from apps.accounts.models import User
from apps.accounts.services.accounts import AlreadyRegistered, create_account
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError, IntentSnapshot, IntentStatus, Refused
from apps.billing.models import Subscription, SubscriptionSignUp
from apps.billing.subscriptions.renewal import save_subscription
from apps.billing.subscriptions.sign_up import SignUpDetails, missing_details, store_details
from apps.billing.subscriptions.terms import a_month_after, subscription_of
from apps.common import rls
from apps.common.background import after_commit
from apps.common.errors import Conflict, FieldError, Invalid, NotFound, Unavailable
from apps.common.money import Money
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.services.plans import choose_plan
from apps.restaurants.services.registration import register_restaurant

Problem = SubscriptionSignUp.Problem
logger = logging.getLogger(__name__)

MISSING = "Missing Information"
NOT_OURS = "We couldn't find that payment. Reload the page and try again."
NOT_PAID = "Your card hasn't been charged. Enter it again, or use another one."
REGISTERED = "Your restaurant is registered. Sign in to open its dashboard."
NOT_READ = (
    "We couldn't reach Stripe to check your payment. Try again in a minute. You won't be charged "
    "twice."
)
UNFINISHED = "Registration Error"
UNFINISHED_SENTENCES = {
    Problem.DETAILS_MISSING: (
        "Your payment went through. Enter your email and your restaurant's name to finish. You "
        "won't be charged again."
    ),
    Problem.EMAIL_TAKEN: (
        "Your payment went through, but this email already has an account. Sign in to it and open "
        "this page again, or contact us. You won't be charged again."
    ),
    Problem.ALREADY_SUBSCRIBED: (
        "Your payment went through, but your restaurant already has a subscription. Contact us and "
        "we'll refund it."
    ),
    Problem.RESTAURANT_CLOSED: (
        "Your payment went through, but your restaurant is closed. Contact us and we'll refund it."
    ),
    Problem.REFUNDED: ("This payment was refunded. Start over to subscribe."),
}
# Unpaid ones are then deleted, and their payment can't be made anymore.
UNPAID_LIFETIME = timedelta(days=1)
# A browser that paid is usually faster.
BROWSER_FIRST = timedelta(minutes=1)
# After it, what was paid is most likely known.
WEBHOOK_FIRST = timedelta(hours=1)


class NotPaid(Conflict):
    """The first month isn't paid."""

    def __init__(self) -> None:
        super().__init__(NOT_PAID)


class OwnerHasToSignIn(Conflict):
    """The restaurant is registered, and whoever asks isn't signed in as its owner."""

    def __init__(self) -> None:
        super().__init__(REGISTERED)


# --- after the payment ----------------------------------------------------------------------------
def sign_up_of_payment(
    intent_id: str, *, user: User | None, opened_id: UUID | None
) -> SubscriptionSignUp:
    """The sign-up of this payment, if this browser or this user began it. Raises NotFound."""
    with rls.acting_as(rls.PLATFORM):
        found = SubscriptionSignUp.objects.filter(payment_intent_id=intent_id or None).first()
    is_own = found is not None and (
        found.pk == opened_id or (user is not None and found.user_id == user.pk)
    )
    if found is None or not is_own:
        raise NotFound(NOT_OURS)
    return found


def register_sign_up(
    sign_up: SubscriptionSignUp,
    *,
    details: SignUpDetails,
    user: User | None,
    restaurant: Restaurant | None,
    now: datetime,
) -> SubscriptionSignUp:
    """What the browser asks for once its payment succeeded: the restaurant, registered.

    Safe to repeat. `user` and `restaurant` are of whoever is signed in. Raises Invalid while
    something is missing, NotPaid, Unavailable if Stripe can't be asked, and Conflict when the paid
    sign-up can't be finished.
    """
    with rls.acting_as(rls.PLATFORM), transaction.atomic():
        own = SubscriptionSignUp.objects.select_for_update(of=("self",)).get(pk=sign_up.pk)
        if own.registered_at is None:
            own.user = own.user or user
            store_details(own, details, now)
            if missing := missing_details(own):
                raise Invalid(MISSING, fields=missing)
            own.save()
    try:
        finished = finish_sign_up(sign_up.pk, restaurant=restaurant, now=now)
    except GatewayError as error:
        logger.warning("payment of sign-up %s not read: %s", sign_up.pk, error)
        raise Unavailable(NOT_READ) from error
    if finished.registered_at is None:
        sentence = UNFINISHED_SENTENCES[Problem(finished.problem)]
        raise Conflict(UNFINISHED, fields=[FieldError("paymentIntentId", sentence)])
    return finished


def new_owner(sign_up: SubscriptionSignUp) -> User:
    """The account that this sign-up created, while nobody has ever signed in to it: the browser
    that paid is signed in without a password. Raises OwnerHasToSignIn."""
    user = sign_up.user
    if user is None or user.last_login is not None or user.has_usable_password():
        raise OwnerHasToSignIn
    return user


def finish_sign_up(
    sign_up_id: UUID, *, restaurant: Restaurant | None = None, now: datetime
) -> SubscriptionSignUp:
    """Register what was paid for, once. Everything that hears of a payment ends here.

    `restaurant` is the signed-in owner's, for a sign-up that was begun without one. A paid sign-up
    without a `registered_at` in the answer has a `problem` that a person has to
    solve. Raises NotPaid, and GatewayError if the payment can't be read.
    """
    with rls.acting_as(rls.PLATFORM):
        sign_up = SubscriptionSignUp.objects.get(pk=sign_up_id)
        if sign_up.registered_at is not None:
            return sign_up
        if not sign_up.payment_intent_id:
            raise NotPaid
        payment = gateway.retrieve_intent(sign_up.payment_intent_id)
        if not _pays_for(sign_up, payment):
            raise NotPaid
        with transaction.atomic():
            own_restaurant = sign_up.restaurant_id or (restaurant and restaurant.pk)
            if own_restaurant:  # locked first, as `start_sign_up` does
                Restaurant.objects.select_for_update().get(pk=own_restaurant)
            own = SubscriptionSignUp.objects.select_for_update(of=("self",)).get(pk=sign_up_id)
            if own.registered_at is not None:
                return own
            own.restaurant = own.restaurant or restaurant
            own.paid_at = own.paid_at or payment.captured_at or now
            own.payment_method_id = payment.payment_method_id
            own.problem = _register(own, payment, now)
            own.save()
    return own


def _pays_for(sign_up: SubscriptionSignUp, payment: IntentSnapshot) -> bool:
    return (
        payment.state is IntentStatus.CAPTURED
        and payment.captured == Money.of(sign_up.price)
        and payment.currency == sign_up.currency
        and payment.customer_id == sign_up.customer_id
    )


def _register(own: SubscriptionSignUp, payment: IntentSnapshot, now: datetime) -> str:
    """Give the locked sign-up its restaurant and subscription; returns the problem, or ""."""
    if payment.refunded.cents:
        return Problem.REFUNDED
    if missing_details(own):
        return Problem.DETAILS_MISSING
    try:
        with transaction.atomic():
            restaurant = _restaurant_of(own, now)
    except AlreadyRegistered:
        return Problem.EMAIL_TAKEN
    restaurant = Restaurant.objects.select_for_update().get(pk=restaurant.pk)
    if restaurant.status == Restaurant.Status.INACTIVE:
        return Problem.RESTAURANT_CLOSED
    known = subscription_of(restaurant)
    if known is not None and known.is_open:
        return Problem.ALREADY_SUBSCRIBED
    own.restaurant, own.registered_at = restaurant, now
    _begin_subscription(own, known, now)
    return ""


def _restaurant_of(own: SubscriptionSignUp, now: datetime) -> Restaurant:
    if own.restaurant is not None:
        return own.restaurant
    if own.user is not None:
        # Who paid in two browsers at once has one restaurant, and a payment to be refunded.
        User.objects.select_for_update(no_key=True).get(pk=own.user.pk)
        owned = Membership.objects.filter(user=own.user, role=Membership.Role.OWNER)
        still_open = owned.exclude(restaurant__status=Restaurant.Status.INACTIVE)
        if membership := still_open.select_related("restaurant").order_by("pk").first():
            return membership.restaurant
    user = own.user or create_account(email=own.email, name=own.name, confirmed=False)
    own.user = user
    return register_restaurant(
        user=user,
        name=own.name,
        tier=Restaurant.Tier.BRANDED,
        agreed_from=own.terms_agreed_from or "",
        now=now,
    )


def _begin_subscription(own: SubscriptionSignUp, known: Subscription | None, now: datetime) -> None:
    """The first month begins with the registration, even if that took a while."""
    restaurant = own.restaurant
    assert restaurant is not None
    by = own.user.email if own.user else "subscription"
    choose_plan(restaurant=restaurant, tier=Restaurant.Tier.BRANDED, now=now, by=by)
    subscription = Subscription(
        pk=known.pk if known else None,
        restaurant=restaurant,
        sign_up=own,
        status="active",
        price=own.price,
        currency=own.currency,
        started_at=now,
        period_ends_at=a_month_after(now),
        synced_at=now,
        due_email=Subscription.DueEmail.STARTED,
        emails_sent=known.emails_sent if known else 0,
    )
    own.save()
    save_subscription(subscription)
    Restaurant.objects.filter(pk=restaurant.pk).update(
        payment_customer_id=own.customer_id,
        billing_email=own.email or restaurant.billing_email or restaurant.email,
        last_billing_date=own.paid_at,
        updated_at=now,
    )
    record(
        Kind.SUBSCRIPTION_STARTED,
        restaurant=restaurant,
        account=own.user,
        actor=own.user,
        about=("subscription", subscription.pk),
        now=now,
    )
    after_commit(current_app.tasks["billing.open_subscription"], subscription.pk)
    after_commit(current_app.tasks["billing.send_subscription_email"], subscription.pk)


# --- for staff ------------------------------------------------------------------------------------
STAFF_SENTENCES = {
    Problem.DETAILS_MISSING: (
        "we don't know whose it is. Find the cardholder in Stripe's dashboard."
    ),
    Problem.EMAIL_TAKEN: "the email has an account. Its owner was emailed how to finish.",
    Problem.ALREADY_SUBSCRIBED: "the restaurant has a subscription. Refund it at Stripe.",
    Problem.RESTAURANT_CLOSED: "the restaurant is closed. Refund it at Stripe.",
}


def stuck_sign_ups() -> list[SubscriptionSignUp]:
    """Paid sign-ups that have no restaurant, oldest first, each with its `sentence`."""
    stuck = SubscriptionSignUp.objects.filter(registered_at=None, problem__in=STAFF_SENTENCES)
    found = list(stuck.exclude(paid_at=None).order_by("paid_at")[:100])
    for sign_up in found:
        sign_up.sentence = STAFF_SENTENCES[Problem(sign_up.problem)]  # type: ignore[attr-defined]
    return found


# --- the job --------------------------------------------------------------------------------------
def unfinished_sign_ups(*, now: datetime) -> list[UUID]:
    """Sign-ups that the job looks at, which asks Stripe about each: for an hour, in case no webhook
    told of the payment, and again once the day is over; paid ones until they are registered."""
    began = Q(created_at__lt=now - BROWSER_FIRST, created_at__gte=now - WEBHOOK_FIRST)
    is_over = Q(created_at__lt=now - UNPAID_LIFETIME)
    waiting = SubscriptionSignUp.objects.filter(registered_at=None).filter(
        began | is_over | Q(paid_at__isnull=False)
    )
    found = waiting.exclude(problem=Problem.REFUNDED).order_by("created_at")
    return list(found.values_list("pk", flat=True)[:500])


def look_after_sign_up(sign_up_id: UUID, *, now: datetime) -> None:
    """Register what was paid for and forget what was not. Raises GatewayError."""
    try:
        finish_sign_up(sign_up_id, now=now)
    except NotPaid:
        _forget_unpaid(sign_up_id, now)


def _forget_unpaid(sign_up_id: UUID, now: datetime) -> None:
    """After a day, cancel the payment and delete what was entered."""
    sign_up = SubscriptionSignUp.objects.filter(pk=sign_up_id).first()
    if sign_up is None or sign_up.created_at > now - UNPAID_LIFETIME:
        return
    if sign_up.payment_intent_id:
        try:
            gateway.release(sign_up.payment_intent_id, key=f"no-first-month:{sign_up.pk}")
        except Refused:
            # It was paid meanwhile, or canceled before: only the latter can be forgotten.
            if gateway.retrieve_intent(sign_up.payment_intent_id).state is not IntentStatus.DEAD:
                return
        is_shared = sign_up.restaurant is not None and (
            sign_up.restaurant.payment_customer_id == sign_up.customer_id
        )
        if sign_up.customer_id and not is_shared:
            gateway.delete_customer(sign_up.customer_id)
    SubscriptionSignUp.objects.filter(pk=sign_up_id, paid_at=None).delete()
