"""Which letters a diner wants from a restaurant (A42, R136; decision 30).

What concerns an order's money always goes: held, on, charged, released, payment needed. The rest is
the diner's choice, kept for an address and a restaurant: reminders come until they are turned off,
news only to those who said yes.
"""

from datetime import datetime
from uuid import UUID

from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common.errors import Conflict, NotFound
from apps.preorders.models import EmailPreference, PreOrder
from apps.preorders.models.states import EmailKind
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant


class Topic(models.TextChoices):
    """What a letter that may be turned off is about; the names are `EmailPreference`'s columns."""

    NEWS = "news", gettext_lazy("News, and specials that come back")
    REMINDERS = "reminders", gettext_lazy("Reminders")


# The letters that may be turned off.
TOPIC_OF_KIND = {
    EmailKind.UNFINISHED: Topic.REMINDERS,
    EmailKind.PICK_UP: Topic.REMINDERS,
    EmailKind.REJOIN: Topic.NEWS,
}


def email_preference(*, restaurant_id: UUID, address: str) -> EmailPreference:
    """What this address wants from this restaurant; a row that is not saved while it never said."""
    email = _key(address)
    found = EmailPreference.objects.filter(restaurant_id=restaurant_id, email=email).first()
    return found or EmailPreference(restaurant_id=restaurant_id, email=email)


def wants_email(*, restaurant_id: UUID, address: str, topic: Topic) -> bool:
    """Whether a letter on this topic may go to the address; never to none."""
    if not address:
        return False
    choice = email_preference(restaurant_id=restaurant_id, address=address)
    return bool(getattr(choice, topic))


@transaction.atomic
def set_email_preference(
    *,
    restaurant_id: UUID,
    address: str,
    now: datetime,
    news: bool | None = None,
    reminders: bool | None = None,
    by_link: bool = True,
) -> EmailPreference:
    """Write down what the address wants; None leaves a topic as it is. Safe to call twice.

    `by_link` says that the wish came by a link only the address's own letters hold.
    """
    choice, _is_new = EmailPreference.objects.select_for_update(of=("self",)).get_or_create(
        restaurant_id=restaurant_id, email=_key(address), defaults={"changed_at": now}
    )
    wanted = {Topic.NEWS: news, Topic.REMINDERS: reminders}
    changed = [
        topic
        for topic, wish in wanted.items()
        if wish is not None and getattr(choice, topic) != wish
    ]
    if not changed:
        return choice
    for topic in changed:
        setattr(choice, topic, wanted[topic])
    choice.changed_at = now
    if by_link and Topic.NEWS in changed and not news:
        choice.stopped_at = now
    choice.save(update_fields=["news", "reminders", "changed_at", "stopped_at"])
    return choice


def subscribe_by_order(
    *, restaurant_id: UUID, order_id: UUID, wants_news: bool, now: datetime
) -> EmailPreference:
    """The opt-in of the confirmation page (A42): whoever knows the order's id may say yes or no.

    A yes does not outweigh a no that came later than the order by a link of the address's own
    letters: then only such a link brings the news back. Raises NotFound for an order that is not
    this restaurant's, Conflict in that case and for an order without an address.
    """
    orders = PreOrder.objects.filter(pk=order_id, restaurant_id=restaurant_id)
    order = orders.only("customer_email", "created_at").first()
    if order is None:
        raise NotFound(_("We could not find that order. Check the link and try again."))
    if not order.customer_email:
        raise Conflict(_("This order has no e-mail address we could write to."))
    choice = email_preference(restaurant_id=restaurant_id, address=order.customer_email)
    if wants_news and choice.stopped_at and choice.stopped_at > order.created_at:
        raise Conflict(
            _(
                "These letters were turned off by a link in one of them. To get them again, use "
                "such a link."
            )
        )
    return set_email_preference(
        restaurant_id=restaurant_id,
        address=order.customer_email,
        news=wants_news,
        by_link=False,
        now=now,
    )


def preferences_url(
    *, restaurant: Restaurant, address: str, now: datetime, topic: Topic | None = None
) -> str:
    """Where the address's owner changes the choice; with `topic`, where that is turned off.

    Says nothing about the address. Writes the row whose key it is, if there is none yet.
    """
    choice, _is_new = EmailPreference.objects.get_or_create(
        restaurant_id=restaurant.pk, email=_key(address), defaults={"changed_at": now}
    )
    path = f"/email-preferences/{choice.pk}"
    return absolute_url(f"{path}?stop={topic}" if topic else path, restaurant=restaurant)


def _key(address: str) -> str:
    return address.strip().lower()
