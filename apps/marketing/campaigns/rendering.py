"""The email of an invitation, in the subscriber's language. It says what is true when it is sent.

The owner's own subject and note come first, if there are any. Everything else is derived from the
special, so it promises nothing untrue.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import formataddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.common.emails import EmailAction, name_in_subject, one_line, plain
from apps.marketing.campaigns.links import click_url, open_url
from apps.marketing.models import Campaign, EmailInvitation
from apps.offers.card_terms import terms_if_ordered
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.serving import Serving
from apps.offers.storefront import open_specials
from apps.preorders.emails.dinner import when_layout, where_layout
from apps.preorders.emails.next_specials import special_row
from apps.preorders.emails.preferences import Topic, preferences_url
from apps.preorders.emails.rendering import brand_in_email, sender_of
from apps.preorders.emails.seats_drawing import seats_layout
from apps.preorders.emails.texts import dish_facts
from apps.restaurants.branding import brand_of
from apps.restaurants.models import Restaurant

MAX_LISTED_SPECIALS = 5
LATE_HOURS = 6  # before the deadline, "last call"


@dataclass(frozen=True, slots=True)
class Rendered:
    """An email's words; `facts` are the rows of its table. `photo` is the URL of a JPEG, empty
    without one, and `photo_alt` its text alternative; `serving` is when its one special is
    served."""

    subject: str
    headline: str
    paragraphs: list[str]
    facts: list[tuple[str, str]]
    button: str
    photo: str = ""
    photo_alt: str = ""
    serving: Serving | None = None
    seats: dict[str, Any] | None = None  # of its one special, as the layout shows them
    price: str = ""  # of its one special
    specials: tuple[dict[str, Any], ...] = ()  # a row for each, as the email's layout shows orders
    preview: str = ""  # as in `EmailText`


def render_campaign(
    restaurant: Restaurant,
    *,
    kind: str,
    special: Special | None,
    specials: list[Special],
    subject: str,
    note: str,
) -> Rendered:
    """The words in the active language: about `special`, or about all of `specials`."""
    words = _about_one(special, kind) if special else _about_several(restaurant, specials)
    own = [one_line(each) for each in note.splitlines() if each.strip()]
    return replace(
        words,
        subject=one_line(subject) or words.subject,
        paragraphs=[*own, *words.paragraphs],
    )


def _about_one(special: Special, kind: str) -> Rendered:
    offer, restaurant = special.offer, special.restaurant
    dish, day = one_line(offer.spoken_name), formats.day(offer.serve_date)
    facts = {
        "dish": name_in_subject(offer.spoken_name),
        "restaurant": name_in_subject(restaurant.name),
        "needed": special.needed,
        "deadline": special.deadline,
        "time": formats.time_of_day(offer.deadline.astimezone(restaurant.zone)),
        "day": day,
    }
    subject = _("%(dish)s at %(restaurant)s on %(day)s") % facts
    headline = dish
    gap = special.sentence
    is_short = special.state != SeatsState.ON and special.needed
    if is_short:
        gap = ngettext("%(needed)s more and it's on", "%(needed)s more and it's on", special.needed)
        gap %= facts
    how_close = f"{gap}."
    if is_short or kind == Campaign.Kind.NUDGE:
        how_close = _("%(gap)s. Order by %(deadline)s.") % {**facts, "gap": gap}
    if kind == Campaign.Kind.RETURN:
        subject = _("You can order %(dish)s now") % facts
        headline = subject
    hours = (offer.deadline - special.now).total_seconds() / 3600
    is_late = hours <= LATE_HOURS
    if kind == Campaign.Kind.NUDGE and is_short and not is_late:
        subject = _("%(gap)s: %(dish)s") % {**facts, "gap": gap}
        headline = gap
        how_close = _("Order by %(deadline)s.") % facts
    if kind == Campaign.Kind.NUDGE and is_late:
        subject = _("Last call for %(dish)s: order by %(time)s") % facts
        # With its day, because the day the dish is served stands below it, in larger type.
        headline = _("Last call: order by %(deadline)s") % facts
        how_close = f"{gap}."
    description = one_line(special.description)
    prices = {
        "price": formats.money(offer.special_price, restaurant.currency),
        "regular": formats.money(offer.regular_price, restaurant.currency),
    }
    return Rendered(
        subject,
        headline,
        [
            each
            for each in (
                *(
                    [how_close, description]
                    if kind == Campaign.Kind.NUDGE
                    else [description, how_close]
                ),
                terms_if_ordered(offer, special.now, instead=special.instead),
            )
            if each
        ],
        dish_facts(special.dish),
        _("See the special"),
        special.picture_url,
        dish,
        special.serving,
        seats_layout(offer, accent=brand_of(restaurant).accent_light),
        price=_("%(price)s instead of %(regular)s") % prices,
    )


def _about_several(restaurant: Restaurant, specials: list[Special]) -> Rendered:
    rows = tuple(special_row(each) for each in specials[:MAX_LISTED_SPECIALS])
    return Rendered(
        _("New specials at %(restaurant)s") % {"restaurant": name_in_subject(restaurant.name)},
        _("What you can order now"),
        [_("You pay only if enough people order.")],
        [],
        _("See the specials"),
        specials=rows,
        preview=formats.listed([row["name"] for row in rows]),
    )


def words_of(invitation: EmailInvitation, *, now: datetime) -> Rendered:
    """What this invitation says now, in the active language."""
    campaign, restaurant = invitation.campaign, invitation.restaurant
    offer = invitation.special_offer
    return render_campaign(
        restaurant,
        kind=campaign.kind,
        special=Special(offer, now) if offer else None,
        specials=[] if offer else open_specials(restaurant, now),
        subject=campaign.subject,
        note=campaign.note,
    )


def render_invitation(invitation: EmailInvitation, *, now: datetime) -> EmailMultiAlternatives:
    """The message, with one-click unsubscribe (RFC 8058) and a Message-ID that derives from the
    row, so that a second attempt is the same message."""
    restaurant, subscriber = invitation.restaurant, invitation.subscriber
    assert subscriber is not None  # `sending.is_wanted`
    with translation.override(invitation.language):
        words = words_of(invitation, now=now)
        stop = EmailAction(
            _("Unsubscribe"),
            preferences_url(
                restaurant=restaurant, address=subscriber.email, topic=Topic.NEWS, now=now
            ),
        )
        message = message_of(
            words,
            restaurant,
            to=formataddr((one_line(invitation.customer_name), invitation.customer_email)),
            url=click_url(invitation),
            stop=stop,
            pixel=open_url(invitation),
            reason=_("You're getting this because you asked for news from %(restaurant)s.")
            % {"restaurant": restaurant.name},
        )
    message.extra_headers |= {
        "Message-ID": f"<{invitation.pk}@{settings.ROOT_DOMAIN}>",
        # https://www.rfc-editor.org/rfc/rfc8058#section-3.1
        "List-Unsubscribe": f"<{stop.url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": f"<{restaurant.subdomain}.{settings.ROOT_DOMAIN}>",
    }
    # django-anymail sends it along and gets it back with the service's webhooks:
    # https://anymail.dev/en/stable/sending/anymail_additions/#anymail.message.AnymailMessage.metadata
    message.metadata = {"invitation": str(invitation.pk)}  # type: ignore[attr-defined]
    return message


def _about(words: Rendered, restaurant: Restaurant) -> dict[str, Any] | None:
    """The special an email is about; none if it is about several."""
    if words.serving is None:
        return None
    return {
        "name": words.photo_alt,
        **when_layout(words.serving),
        "sum": words.price,
        **where_layout(restaurant),
        "url": "",
    }


def message_of(
    words: Rendered,
    restaurant: Restaurant,
    *,
    to: str,
    url: str,
    reason: str,
    stop: EmailAction | None = None,
    pixel: str = "",
) -> EmailMultiAlternatives:
    """The words as an email from the restaurant's name, as text and as HTML."""
    layout: dict[str, Any] = {
        "headline": words.headline,
        "preview": words.preview,
        "paragraphs": words.paragraphs,
        "action": EmailAction(words.button, url),
        "facts": words.facts,
        "orders": [{**row, "url": url} for row in words.specials],
        "photo": words.photo,
        "photo_alt": words.photo_alt,
        "about": _about(words, restaurant),
        **(words.seats or {}),
        "sender": restaurant.name,
        "sender_address": restaurant.address,
        "sender_phone": restaurant.phone,
        "reason": reason,
        "stop": stop,
        "pixel": pixel,
        **brand_in_email(restaurant),
    }
    message = EmailMultiAlternatives(
        subject=words.subject,
        body=plain("emails/layout.txt", layout),
        from_email=sender_of(restaurant),
        to=[to],
        reply_to=[restaurant.email] if restaurant.email else None,
        headers={"Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(render_to_string("emails/layout.html", layout), "text/html")
    return message
