"""Emails to a restaurant's team, from invitations to suspensions."""

from functools import partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from apps.common import formats
from apps.common.background import after_commit
from apps.common.emails import EmailAction, name_in_subject, platform_email
from apps.common.errors import Unavailable
from apps.restaurants.dns_records import FAILING_FOR, records_of
from apps.restaurants.entitlements import plan_name
from apps.restaurants.hosts import absolute_url, subdomain_host
from apps.restaurants.models import (
    Invitation,
    Membership,
    OwnDomain,
    Restaurant,
    SupportVisit,
)
from apps.restaurants.tiers import share_rate

NOT_SENT = "We couldn't send the invitation. Try again in a minute."
INVITATION_PATH = "/invitation"
CONTACT_PATH = "/restaurant/contact/confirm"

ROLE_DESCRIPTIONS = {
    Membership.Role.OWNER: "run everything: specials, orders, payments, settings, and the team",
    Membership.Role.MANAGER: "publish specials and manage orders",
    Membership.Role.KITCHEN: "see specials and mark orders as picked up",
}


def queue_invitation_email(invitation: Invitation, *, token: str) -> None:
    """Queue the email, to be sent after commit.

    Raises Unavailable if the queue can't be reached. The invitation stays open, and inviting again
    sends another email.
    """
    transaction.on_commit(partial(_enqueue, str(invitation.pk), token))


def _enqueue(invitation_id: str, token: str) -> None:
    try:
        current_app.tasks["restaurants.send_invitation"].delay(invitation_id, token)
    except OperationalError as error:
        raise Unavailable(NOT_SENT) from error


def queue_owner_changed_email(
    restaurant: Restaurant, *, to: str, owner: str, what: str, by: str
) -> None:
    """Queue the email that says an owner was removed or demoted, to be sent after commit."""
    after_commit(
        current_app.tasks["restaurants.send_owner_changed"], str(restaurant.pk), to, owner, what, by
    )


def send_owner_changed_email(
    restaurant: Restaurant, *, to: str, owner: str, what: str, by: str
) -> None:
    platform_email(
        "restaurants/emails/owner_changed.txt",
        to=to,
        action=EmailAction("See the team", absolute_url("/restaurant/team")),
        reason=f"You're getting this because you are or were an owner of {restaurant}.",
        facts={"restaurant": str(restaurant), "owner": owner, "what": what},
        listed=[("Restaurant", str(restaurant)), ("Changed by", by)],
    ).send()


def queue_role_changed_email(restaurant: Restaurant, *, to: str, what: str, by: str) -> None:
    """Queue the email to somebody whose role changed, to be sent after commit."""
    after_commit(
        current_app.tasks["restaurants.send_role_changed"], str(restaurant.pk), to, what, by
    )


def send_role_changed_email(restaurant: Restaurant, *, to: str, what: str, by: str) -> None:
    platform_email(
        "restaurants/emails/role_changed.txt",
        to=to,
        action=EmailAction("Open your dashboard", absolute_url("/restaurant")),
        reason=f"You're getting this because you are or were on the team of {restaurant}.",
        facts={"restaurant": str(restaurant), "what": what},
        listed=[("Restaurant", str(restaurant)), ("Changed by", by)],
    ).send()


def queue_plan_changed_email(restaurant: Restaurant, *, to: str) -> None:
    """Queue the email that says a scheduled change of plan was carried out, after commit."""
    after_commit(current_app.tasks["restaurants.send_plan_changed"], str(restaurant.pk), to)


def send_plan_changed_email(restaurant: Restaurant, *, to: str) -> None:
    fee = f"{formats.rate(share_rate(restaurant, restaurant.subscription_tier))} of each order"
    if restaurant.subscription_tier == Restaurant.Tier.FREE:
        fee = f"None on your first {settings.FREE_OFFERS_PER_MONTH} specials each month, then {fee}"
    platform_email(
        "restaurants/emails/plan_changed.txt",
        to=to,
        action=EmailAction("See plans and fees", absolute_url("/restaurant/tiers")),
        reason=f"You're getting this because you are an owner of {restaurant.name}.",
        facts={
            "restaurant": restaurant.name,
            "plan": plan_name(restaurant.subscription_tier),
        },
        listed=[
            ("Plan", plan_name(restaurant.subscription_tier)),
            ("Platform fee", fee),
        ],
    ).send()


def queue_own_domain_email(restaurant: Restaurant, *, to: str, host: str, what: str) -> None:
    """Queue the email that says the own domain is `live`, `failing` or `ended`, after commit."""
    task = current_app.tasks["restaurants.send_own_domain"]
    after_commit(task, str(restaurant.pk), to, host, what)


def send_own_domain_email(restaurant: Restaurant, *, to: str, host: str, what: str) -> None:
    row = OwnDomain.objects.filter(restaurant=restaurant, host=host).first()
    until = row and row.failing_since and row.failing_since + FAILING_FOR
    action = EmailAction("See the DNS records", absolute_url("/restaurant/domain"))
    if what == "live":
        action = EmailAction(f"Open {host}", absolute_url("/", restaurant=restaurant))
    platform_email(
        "restaurants/emails/own_domain.txt",
        to=to,
        action=action,
        reason=f"You're getting this because you are an owner of {restaurant.name}.",
        facts={
            "restaurant": restaurant.name,
            "host": host,
            "what": what,
            "address": subdomain_host(restaurant.subdomain),
            "until": formats.moment(until, restaurant.zone) if until else "",
        },
        listed=[
            line
            for record in (records_of(row) if row else [])
            for line in ((f"{record.type} name", record.name), ("Value", record.value))
        ],
    ).send()


def queue_contact_changed_email(restaurant: Restaurant, *, to: str) -> None:
    """Queue the email to the former contact address, to be sent after commit."""
    after_commit(current_app.tasks["restaurants.send_contact_changed"], str(restaurant.pk), to)


def send_contact_changed_email(restaurant: Restaurant, *, to: str) -> None:
    platform_email(
        "restaurants/emails/contact_changed.txt",
        to=to,
        action=EmailAction("See the contact email", absolute_url("/restaurant/security")),
        reason=f"You're getting this because this was the contact email of {restaurant}.",
        facts={"restaurant": str(restaurant)},
    ).send()


def queue_contact_confirmation(restaurant: Restaurant, *, to: str, token: str) -> None:
    """Queue the email that asks to confirm the contact address, to be sent after commit."""
    after_commit(
        current_app.tasks["restaurants.send_contact_confirmation"], str(restaurant.pk), to, token
    )


def send_contact_confirmation(restaurant: Restaurant, *, to: str, token: str) -> None:
    platform_email(
        "restaurants/emails/confirm_contact.txt",
        to=to,
        action=EmailAction("Use this address", absolute_url(f"{CONTACT_PATH}?token={token}")),
        reason=f"You're getting this because someone entered this address for {restaurant}.",
        facts={"restaurant": str(restaurant)},
        listed=[("Email", to)],
    ).send()


def send_invitation_email(invitation: Invitation, *, token: str) -> None:
    """Render and send the email. It is the only place that contains the token."""
    restaurant, sender = invitation.restaurant, invitation.invited_by
    message = platform_email(
        "restaurants/emails/invitation.txt",
        to=invitation.email,
        action=EmailAction("See the invitation", absolute_url(f"{INVITATION_PATH}?token={token}")),
        reason=(
            f"You're getting this email because someone at {name_in_subject(str(restaurant))} "
            "entered this address."
        ),
        facts={
            "restaurant": name_in_subject(str(restaurant)),
            "sender": name_in_subject((sender.name if sender else "") or str(restaurant)),
            "role": invitation.get_role_display().lower(),
            "what": ROLE_DESCRIPTIONS[Membership.Role(invitation.role)],
        },
        listed=[
            ("Restaurant", name_in_subject(str(restaurant))),
            ("Role", invitation.get_role_display()),
            ("Valid until", f"{invitation.expires_at.astimezone(restaurant.zone):%B %-d, %Y}"),
        ],
    )
    # A retry after a crash sends the same Message-ID, so email programs can drop the duplicate.
    message.extra_headers["Message-ID"] = f"<{invitation.pk}@{settings.ROOT_DOMAIN}>"
    message.send()


def queue_closed_email(restaurant: Restaurant, *, to: str) -> None:
    """Queue the email that says the restaurant was closed, to be sent after commit."""
    after_commit(current_app.tasks["restaurants.send_closed"], str(restaurant), to)


def send_closed_email(restaurant: str, *, to: str) -> None:
    platform_email(
        "restaurants/emails/closed.txt",
        to=to,
        action=EmailAction("See your account", absolute_url("/account")),
        reason=f"You're getting this because you were on the team of {restaurant}.",
        facts={"restaurant": restaurant},
        listed=[
            ("Its pages", "Offline"),
            ("Its team", "No longer has access"),
            ("Your account", "Not affected"),
        ],
    ).send()


def queue_support_visit_email(visit: SupportVisit, *, to: str, what: str) -> None:
    """Queue the email about a support visit that was `asked` for or `started`, after commit."""
    after_commit(current_app.tasks["restaurants.send_support_visit"], str(visit.pk), to, what)


def send_support_visit_email(visit: SupportVisit, *, to: str, what: str) -> None:
    restaurant = visit.restaurant
    platform_email(
        "restaurants/emails/support_visit.txt",
        to=to,
        action=EmailAction("See support access", absolute_url("/restaurant/security#support")),
        reason=f"You're getting this because you are an owner of {restaurant}.",
        facts={"restaurant": str(restaurant), "what": what, "reason": visit.reason},
    ).send()


def queue_suspended_email(restaurant: Restaurant, *, to: str, reason: str, canceled: bool) -> None:
    """Queue the email that tells an owner of the suspension, to be sent after commit."""
    task = current_app.tasks["restaurants.send_suspended"]
    after_commit(task, str(restaurant.pk), to, reason, canceled)


def send_suspended_email(restaurant: Restaurant, *, to: str, reason: str, canceled: bool) -> None:
    platform_email(
        "restaurants/emails/suspended.txt",
        to=to,
        action=EmailAction("See your orders", absolute_url("/restaurant")),
        reason=f"You're getting this because you are an owner of {restaurant}.",
        facts={"restaurant": str(restaurant), "why": reason},
        listed=[
            ("Public pages", "Offline"),
            ("New specials", "You can't publish any"),
            (
                "Open specials",
                "Canceled. We released every hold and told your guests."
                if canceled
                else "Open until their deadlines. Guests who have ordered keep their orders.",
            ),
            ("Payouts", "On hold until the suspension ends"),
        ],
    ).send()


def queue_restored_email(restaurant: Restaurant, *, to: str) -> None:
    """Queue the email that tells an owner the suspension is over, to be sent after commit."""
    after_commit(current_app.tasks["restaurants.send_restored"], str(restaurant.pk), to)


def send_restored_email(restaurant: Restaurant, *, to: str) -> None:
    platform_email(
        "restaurants/emails/restored.txt",
        to=to,
        action=EmailAction("Open your dashboard", absolute_url("/restaurant")),
        reason=f"You're getting this because you are an owner of {restaurant}.",
        facts={"restaurant": str(restaurant)},
    ).send()
