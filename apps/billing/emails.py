"""Emails to a restaurant about its money."""

from apps.billing.models import Discrepancy, Payout
from apps.billing.payment_setup import describe
from apps.billing.payout_failures import failure_sentence
from apps.common import formats
from apps.common.emails import EmailAction, platform_email
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

PAYOUTS_PATH = "/restaurant/payouts"
PAYMENTS_PATH = "/restaurant/stripe-management"
ACCOUNT_PATH = "/account"


def send_bank_account_changed(restaurant: Restaurant, *, to: str) -> None:
    """Tell an owner that payouts go to another bank account, or that its details changed."""
    platform_email(
        "billing/emails/bank_account_changed.txt",
        to=to,
        action=EmailAction("Check the bank account", absolute_url(PAYMENTS_PATH)),
        links=[EmailAction("Change your password", absolute_url(ACCOUNT_PATH))],
        reason=f"You're getting this email because you're an owner of {restaurant.name}.",
        facts={"restaurant": restaurant.name},
    ).send()


def send_payout_failed(payout: Payout) -> None:
    """Tell the owner that the bank sent a payout back, and what to do."""
    restaurant = payout.restaurant
    amount, sent = formats.money(payout.amount, payout.currency), payout.requested_at
    message = platform_email(
        "billing/emails/payout_failed.txt",
        to=restaurant.billing_email or restaurant.email,
        action=EmailAction("Check your bank account", absolute_url(PAYMENTS_PATH)),
        links=[EmailAction("See your payouts", absolute_url(PAYOUTS_PATH))],
        reason=f"You're getting this email because {restaurant.name} takes payments with us.",
        facts={"amount": amount, "why": failure_sentence(payout.failure_code)},
        listed=[
            ("Restaurant", restaurant.name),
            ("Sent", formats.day(sent.astimezone(restaurant.zone)) if sent else ""),
            ("Where it is", "Your Stripe balance"),
        ],
        shown={"figures": [(amount, "sent back by your bank")]},
    )
    # A retry after a crash sends the same Message-ID, so email programs can drop the duplicate.
    message.extra_headers["Message-ID"] = f"<{payout.pk}.{payout.attempt}@fully-booked>"
    message.send()


def send_account_restricted(issue: Discrepancy) -> None:
    """Tell the owner that Stripe restricted the account, what follows, and what to do."""
    restaurant = issue.restaurant
    account = restaurant.connect_account
    setup = describe(account, country=restaurant.country)
    message = platform_email(
        "billing/emails/account_restricted.txt",
        to=restaurant.billing_email or restaurant.email,
        action=EmailAction(
            "See what Stripe needs" if setup.todo else "See your payment setup",
            absolute_url(PAYMENTS_PATH),
        ),
        reason=f"You're getting this email because {restaurant.name} takes payments with us.",
        facts={
            "restaurant": restaurant.name,
            "takes_orders": account.charges_enabled,
            "sentence": setup.sentence,
        },
        listed=[
            ("Restaurant", restaurant.name),
            ("Pre-orders", "On" if account.charges_enabled else "Off"),
            ("Payouts", "On" if account.payouts_enabled else "On hold"),
            ("Stripe needs", "; ".join(setup.todo)),
        ],
    )
    message.extra_headers["Message-ID"] = f"<issue.{issue.pk}@fully-booked>"
    message.send()
