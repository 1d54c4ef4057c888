"""Emails about a restaurant's subscription, and about a payment that has no restaurant yet.

What is to be told is in the row (`due_email`), so a worker that dies or an email server that is
down only delays it. An email sent again has the same Message-ID, so programs can drop it.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr

from django.conf import settings
from django.db.models import F

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import GatewayError
from apps.billing.models import Subscription, SubscriptionSignUp
from apps.billing.subscriptions.renewal import grace_ends_at
from apps.billing.subscriptions.sign_up import resume_path
from apps.common import formats
from apps.common.emails import EmailAction, platform_email
from apps.common.links import platform_url
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

SETTINGS_PATH = "/restaurant/settings?section=subscription"
PLANS_PATH = "/tier-selection"
PASSWORD_PATH = "/forgot-password"
BATCH_SIZE = 500
Due = Subscription.DueEmail


@dataclass(frozen=True, slots=True)
class SubscriptionEmail:
    button: str
    path: str


EMAILS = {
    Due.STARTED: SubscriptionEmail("See your subscription", SETTINGS_PATH),
    Due.PAYMENT_FAILED: SubscriptionEmail("Update your card", SETTINGS_PATH),
    Due.REMINDER: SubscriptionEmail("Update your card", SETTINGS_PATH),
    Due.LAPSED: SubscriptionEmail("See your subscription", SETTINGS_PATH),
    Due.PAID_AGAIN: SubscriptionEmail("See your subscription", SETTINGS_PATH),
    Due.ENDED: SubscriptionEmail("Compare plans", PLANS_PATH),
}
UNPAID = frozenset({Due.PAYMENT_FAILED, Due.REMINDER, Due.LAPSED})


def send_due_emails(*, now: datetime) -> None:
    """Send what waits; one that can't be sent doesn't stop the others."""
    waiting = Subscription.objects.exclude(due_email="").order_by("pk")
    for pk in waiting.values_list("pk", flat=True)[:BATCH_SIZE]:
        try:
            send_due_email(pk)
        except OSError as error:  # smtplib's errors are OSErrors too
            logger.warning("email about subscription %s waits: %s", pk, error)
    stuck = SubscriptionSignUp.objects.filter(emailed_at=None, registered_at=None).exclude(
        paid_at=None
    )
    for sign_up in stuck.exclude(email="").order_by("pk")[:BATCH_SIZE]:
        try:
            _send_unfinished(sign_up)
        except OSError as error:
            logger.warning("email about sign-up %s waits: %s", sign_up.pk, error)
            continue
        SubscriptionSignUp.objects.filter(pk=sign_up.pk).update(emailed_at=now)


def send_due_email(pk: int) -> None:
    """Send what this subscription's owner has to be told, if anything. Raises OSError."""
    row = Subscription.objects.select_related("restaurant", "sign_up__user").get(pk=pk)
    if not row.due_email or row.restaurant.status == Restaurant.Status.INACTIVE:
        return
    kind = Due(row.due_email)
    restaurant, zone = row.restaurant, row.restaurant.zone
    price = formats.money(row.price, row.currency)
    pay_by = grace_ends_at(row)
    renews_on = formats.date_with_year(row.period_ends_at.astimezone(zone).date())
    user = row.sign_up.user
    needs_password = kind == Due.STARTED and user is not None and not user.has_usable_password()
    what = EMAILS[kind]
    action = EmailAction(what.button, absolute_url(what.path))
    if needs_password:
        action = EmailAction("Choose a password", absolute_url(PASSWORD_PATH))
    bill = _pay_url(row) if kind in UNPAID else ""
    if bill:
        action = EmailAction("Pay the bill", bill)
    message = platform_email(
        f"billing/emails/subscription_{kind}.txt",
        to=restaurant.billing_email or restaurant.email,
        action=action,
        links=[EmailAction(what.button, absolute_url(what.path))] if bill else [],
        reason=f"You're getting this email because {restaurant.name} has a subscription with us.",
        facts={
            "restaurant": restaurant.name,
            "price": price,
            "pay_by": formats.moment(pay_by, zone) if pay_by else "",
            "needs_password": needs_password,
        },
        listed=[
            ("Restaurant", restaurant.name),
            ("Monthly price", "" if kind == Due.ENDED or kind in UNPAID else price),
            ("Renews on", renews_on if kind in (Due.STARTED, Due.PAID_AGAIN) else ""),
        ],
        shown={"figures": [(price, "to pay")]} if kind in UNPAID else None,
    )
    message.extra_headers["Message-ID"] = f"<subscription.{pk}.{row.emails_sent}@fully-booked>"
    message.send()
    Subscription.objects.filter(pk=pk, due_email=kind, emails_sent=row.emails_sent).update(
        due_email="", emails_sent=F("emails_sent") + 1
    )


def _pay_url(row: Subscription) -> str:
    """Stripe's page of the open bill, which needs no sign-in; "" if Stripe doesn't say."""
    if row.subscription_id is None:
        return ""
    try:
        return gateway.retrieve_subscription(row.subscription_id).pay_url
    except GatewayError as error:
        logger.warning("no bill of subscription %s: %s", row.pk, error)
        return ""


def _way_on(sign_up: SubscriptionSignUp) -> EmailAction:
    match sign_up.problem:
        case SubscriptionSignUp.Problem.REFUNDED:
            return EmailAction("Compare plans", platform_url(PLANS_PATH))
        case (
            SubscriptionSignUp.Problem.ALREADY_SUBSCRIBED
            | SubscriptionSignUp.Problem.RESTAURANT_CLOSED
        ):
            return EmailAction("Email us", f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}")
    return EmailAction("Finish signing up", platform_url(resume_path(sign_up)))


def _send_unfinished(sign_up: SubscriptionSignUp) -> None:
    """Tell who paid that the restaurant isn't registered yet, and how to finish."""
    message = platform_email(
        "billing/emails/sign_up_unfinished.txt",
        to=sign_up.email,
        action=_way_on(sign_up),
        reason="You're getting this email because someone entered this address at Fully Booked.",
        facts={
            "price": formats.money(sign_up.price, sign_up.currency),
            "has_account": sign_up.problem == SubscriptionSignUp.Problem.EMAIL_TAKEN,
            "is_subscribed": sign_up.problem == SubscriptionSignUp.Problem.ALREADY_SUBSCRIBED,
            "is_closed": sign_up.problem == SubscriptionSignUp.Problem.RESTAURANT_CLOSED,
            "is_refunded": sign_up.problem == SubscriptionSignUp.Problem.REFUNDED,
        },
    )
    message.extra_headers["Message-ID"] = f"<sign-up.{sign_up.pk}@fully-booked>"
    message.send()
