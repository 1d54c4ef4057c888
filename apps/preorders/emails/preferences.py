"""Email preferences of a guest at a restaurant (decision 30).

Emails about an order's money are always sent. The rest is the guest's choice, stored per email
address and restaurant: reminders until they are turned off, news only after an opt-in.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common.errors import Conflict, NotFound
from apps.common.links import url_at
from apps.offers.models import SpecialOffer
from apps.offers.storefront import takes_orders
from apps.preorders.models import PreOrder, Subscriber
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q, HELD_OR_CAPTURED_Q
from apps.preorders.models.states import EmailKind
from apps.restaurants.hosts import absolute_url, subdomain_host
from apps.restaurants.models import Restaurant


class Topic(models.TextChoices):
    """The topics a guest can turn off; the values are columns of `Subscriber`."""

    NEWS = "news", gettext_lazy("News and returning specials")
    REMINDERS = "reminders", gettext_lazy("Reminders")


# The emails that can be turned off.
TOPIC_OF_KIND = {
    EmailKind.UNFINISHED: Topic.REMINDERS,
    EmailKind.PICK_UP: Topic.REMINDERS,
    EmailKind.HOW_WAS_IT: Topic.REMINDERS,
    EmailKind.FRIEND_JOINED: Topic.REMINDERS,
    EmailKind.FRIEND_LEFT: Topic.REMINDERS,
    EmailKind.REJOIN: Topic.NEWS,
}


def email_preference(*, restaurant_id: UUID, address: str) -> Subscriber:
    """The preferences of this address at this restaurant; an unsaved row while it never chose."""
    email = _key(address)
    known = Subscriber.objects.select_related("wanted_offer")
    found = known.filter(restaurant_id=restaurant_id, email=email).first()
    return found or Subscriber(restaurant_id=restaurant_id, email=email)


@dataclass(frozen=True, slots=True)
class Consent:
    """How somebody asked for news: what is stored as the proof of it."""

    source: Subscriber.Source
    words: str  # those they agreed to
    context: str  # the URL of the page, or the importer's words
    name: str = ""
    language: str = ""


@transaction.atomic
def set_email_preference(
    *,
    restaurant_id: UUID,
    address: str,
    now: datetime,
    news: bool | None = None,
    reminders: bool | None = None,
    consent: Consent | None = None,
) -> Subscriber:
    """Save preferences; None leaves a topic as it is. Safe to call twice.

    Without `consent`, the change came through a link that only emails to this address contain.
    """
    choice = lock_subscriber(restaurant_id=restaurant_id, address=address, now=now)
    before = choice.status, choice.reminders
    if reminders is not None:
        choice.reminders = reminders
    if news and not choice.news:
        confirm(choice, consent or by_link(choice), now=now)
    elif news is False and choice.status in SUBSCRIBABLE:
        choice.status, choice.confirmation_due_at = Subscriber.Status.UNSUBSCRIBED, None
        if consent is None:
            choice.stopped_at = now
    if before != (choice.status, choice.reminders):
        choice.changed_at = now
        choice.save()
    return choice


# Who would get news, at once or after confirming.
SUBSCRIBABLE = frozenset({Subscriber.Status.PENDING, Subscriber.Status.CONFIRMED})


def lock_subscriber(*, restaurant_id: UUID, address: str, now: datetime) -> Subscriber:
    """The address's row, locked until the transaction ends; created if there is none."""
    found, _is_new = Subscriber.objects.select_for_update(of=("self",)).get_or_create(
        restaurant_id=restaurant_id, email=_key(address), defaults={"changed_at": now}
    )
    return found


def confirm(subscriber: Subscriber, consent: Consent, *, now: datetime) -> None:
    """Subscribe the address, with the proof. The caller saves the row."""
    note_consent(subscriber, consent, now=now)
    subscriber.status = Subscriber.Status.CONFIRMED
    subscriber.confirmed_at = now
    subscriber.confirmation_due_at = None
    subscriber.suppressed_for = ""


def note_consent(subscriber: Subscriber, consent: Consent, *, now: datetime) -> None:
    """Store the proof of consent on the row. The caller saves it."""
    subscriber.source = consent.source
    subscriber.consent_at = now
    subscriber.consent_context = consent.context[:500]
    subscriber.consent_words = consent.words
    subscriber.name = consent.name or subscriber.name
    subscriber.language = consent.language or subscriber.language


def by_link(choice: Subscriber) -> Consent:
    """Consent by the page behind a link in an email to this address."""
    words = _("News from %(name)s, such as returning specials") % {"name": choice.restaurant.name}
    url = absolute_url("/email-preferences", restaurant=choice.restaurant)
    return Consent(Subscriber.Source.PREFERENCES, words, url)


def subscribe_by_order(
    *,
    restaurant_id: UUID,
    order_id: UUID,
    wants_news: bool,
    wants_dish: bool = False,
    now: datetime,
) -> Subscriber:
    """The opt-in on the order's page, open to anyone who knows the order's id. `wants_dish`: asked
    when its dish is back, which is remembered unless it can be ordered now (decision 178).

    Because of that, it cannot undo an unsubscribe made after the order through a link in an email;
    only such a link can. Raises Conflict then and for an order without an email address, NotFound
    for an order that is not this restaurant's.
    """
    orders = PreOrder.objects.filter(pk=order_id, restaurant_id=restaurant_id)
    order = orders.select_related("restaurant").first()
    if order is None:
        raise NotFound(_("We couldn't find this order. Check the link and try again."))
    if not order.customer_email:
        raise Conflict(_("This order has no email address."))
    choice = email_preference(restaurant_id=restaurant_id, address=order.customer_email)
    if wants_news and choice.stopped_at and choice.stopped_at > order.created_at:
        raise Conflict(
            _(
                "You unsubscribed through a link in one of these emails. To subscribe again, use "
                "the link in one of them."
            )
        )
    words = _(
        "Can %(name)s email you about new and returning specials? You can unsubscribe anytime."
    ) % {"name": order.restaurant.name}
    choice = set_email_preference(
        restaurant_id=restaurant_id,
        address=order.customer_email,
        news=wants_news,
        consent=Consent(
            Subscriber.Source.ORDER,
            words,
            absolute_url("/pre-order-confirmation", restaurant=order.restaurant),
            order.customer_name,
            order.language,
        ),
        now=now,
    )
    wanted = SpecialOffer.objects.for_display().get(pk=order.offer_id) if wants_dish else None
    if choice.news and wanted and not takes_orders(wanted, now):
        choice.wanted_offer, choice.changed_at = wanted, now
        choice.save(update_fields=["wanted_offer", "changed_at"])
    return choice


def follower_count(restaurant: Restaurant, *, offer_id: UUID | None = None) -> int:
    """How many addresses get the restaurant's news; without those who ordered this offer."""
    found = Subscriber.objects.filter(restaurant=restaurant, status=Subscriber.Status.CONFIRMED)
    if offer_id is not None:
        orders = PreOrder.objects.alias(address=Lower("customer_email")).filter(
            HELD_OR_CAPTURED_Q | CHECKOUT_OPEN_Q, offer=offer_id, address=OuterRef("email")
        )
        found = found.exclude(Exists(orders))
    return found.count()


def preferences_url(
    *, restaurant: Restaurant, address: str, now: datetime, topic: Topic | None = None
) -> str:
    """The address of the preferences page; with `topic`, of the page that turns that one off.

    It does not reveal the email address. Creates the row whose key it contains, if needed. It is at
    the restaurant's subdomain, which works as long as the restaurant is here, unlike a domain that
    its owner can remove (decision 118).
    """
    choice, _is_new = Subscriber.objects.get_or_create(
        restaurant_id=restaurant.pk, email=_key(address), defaults={"changed_at": now}
    )
    path = f"/email-preferences/{choice.pk}"
    host = subdomain_host(restaurant.subdomain)
    return url_at(host, f"{path}?stop={topic}" if topic else path)


def _key(address: str) -> str:
    return address.strip().lower()
