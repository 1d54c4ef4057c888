"""The email that asks an address whether it wants to follow a restaurant, or says that it does."""

import logging
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from apps.common import clock
from apps.common.emails import EmailAction, name_in_subject, one_line, plain, render_email_text
from apps.marketing.subscribers.follow import (
    claim_confirmation,
    confirmation_url,
    note_confirmation_sent,
)
from apps.offers.presentation import Special
from apps.preorders.emails.dinner import photo_of_offer
from apps.preorders.emails.preferences import Topic, preferences_url
from apps.preorders.emails.rendering import brand_in_email, sender_of
from apps.preorders.models import Subscriber
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)


def send_confirmation(subscriber_id: UUID, *, now: datetime) -> bool:
    """Send the email if it is due; False if it isn't, or the email server doesn't take it now."""
    subscriber = claim_confirmation(subscriber_id, now=now)
    if subscriber is None:
        return False
    with translation.override(subscriber.language):
        message = _render(subscriber)
    try:
        message.send()
    except OSError as error:  # smtplib's errors are OSErrors too
        logger.warning("confirmation for %s was not sent: %s", subscriber.pk, error)
        return False
    note_confirmation_sent(subscriber)
    return True


def _render(subscriber: Subscriber) -> EmailMultiAlternatives:
    restaurant = subscriber.restaurant
    wanted = subscriber.wanted_offer
    if wanted is not None:
        wanted.restaurant = restaurant
    dish = one_line(wanted.spoken_name) if wanted else ""
    facts = {
        "name": name_in_subject(restaurant.name),
        "restaurant": restaurant.name,
        "dish": dish,
        "is_to_come": wanted is not None and Special(wanted, clock.now()).is_open,
    }
    follows = subscriber.status == Subscriber.Status.CONFIRMED
    template = "already_follows" if follows else "confirm_follow"
    names = [dish] if dish else []
    words = render_email_text(f"marketing/emails/{template}.txt", facts, names=names)
    layout: dict[str, Any] = {
        **(photo_of_offer(wanted) if wanted else {}),
        "headline": words.headline,
        "paragraphs": words.paragraphs,
        "notes": words.notes,
        "action": _see_specials(restaurant)
        if follows
        else EmailAction(_("Confirm"), confirmation_url(subscriber)),
        "stop": _unsubscribe(subscriber) if follows else None,
        "facts": [],
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        **brand_in_email(restaurant),
        "reason": _("You're getting this because someone entered this address at %(restaurant)s.")
        % {"restaurant": one_line(restaurant.name)},
    }
    version = int(subscriber.changed_at.timestamp())
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("emails/layout.txt", layout),
        from_email=sender_of(restaurant),
        to=[subscriber.email],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={
            "Message-ID": f"<{subscriber.pk}.{version}@{settings.ROOT_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(render_to_string("emails/layout.html", layout), "text/html")
    return message


def _see_specials(restaurant: Restaurant) -> EmailAction:
    return EmailAction(_("See the specials"), absolute_url("/specials", restaurant=restaurant))


def _unsubscribe(subscriber: Subscriber) -> EmailAction:
    url = preferences_url(
        restaurant=subscriber.restaurant,
        address=subscriber.email,
        topic=Topic.NEWS,
        now=clock.now(),
    )
    return EmailAction(_("Unsubscribe from news"), url)
