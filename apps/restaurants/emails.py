"""The letters of a restaurant to its own people."""

from functools import partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from apps.common.emails import EmailAction, platform_email
from apps.common.errors import Unavailable
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Invitation, Membership

NOT_SENT = "We could not send the invitation just now. Try again in a minute."
INVITATION_PATH = "/invitation"

WHAT_THEY_DO = {
    Membership.Role.OWNER: "run everything: specials, orders, payments, settings and the team",
    Membership.Role.MANAGER: "publish specials and look after the orders",
    Membership.Role.KITCHEN: "see the specials and hand out the orders",
}


def queue_invitation_email(invitation: Invitation, *, token: str) -> None:
    """Let a worker send it, once it is committed. Raises Unavailable when the queue does not
    answer: the invitation stands, and inviting again sends another letter."""
    transaction.on_commit(partial(_enqueue, str(invitation.pk), token))


def _enqueue(invitation_id: str, token: str) -> None:
    try:
        current_app.tasks["restaurants.send_invitation"].delay(invitation_id, token)
    except OperationalError as error:
        raise Unavailable(NOT_SENT) from error


def send_invitation_email(invitation: Invitation, *, token: str) -> None:
    """Write the letter and give it to the mail server. Its token stands nowhere else."""
    restaurant, sender = invitation.restaurant, invitation.invited_by
    message = platform_email(
        "restaurants/emails/invitation.txt",
        to=invitation.email,
        action=EmailAction("See the invitation", absolute_url(f"{INVITATION_PATH}?token={token}")),
        reason=f"You get this letter because somebody of {restaurant.name} typed this address.",
        facts={
            "restaurant": restaurant.name,
            "sender": (sender.name or sender.email) if sender else restaurant.name,
            "role": invitation.get_role_display().lower(),
            "what": WHAT_THEY_DO[Membership.Role(invitation.role)],
        },
        listed=[
            ("Restaurant", restaurant.name),
            ("Role", invitation.get_role_display()),
            ("Valid until", f"{invitation.expires_at.astimezone(restaurant.zone):%B %-d, %Y}"),
        ],
    )
    # Sent again by a worker that died, it is the same message.
    message.extra_headers["Message-ID"] = f"<{invitation.pk}@{settings.ROOT_DOMAIN}>"
    message.send()
