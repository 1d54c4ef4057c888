"""Email preferences of a guest at a restaurant (decision 30).

Emails about an order's money are always sent. The rest is the guest's choice, stored per email
address and restaurant: reminders until they are turned off, news only after an opt-in.
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
    """The topics a guest can turn off; the values are columns of `EmailPreference`."""

    NEWS = "news", gettext_lazy("News and returning specials")
    REMINDERS = "reminders", gettext_lazy("Reminders")


# The emails that can be turned off.
TOPIC_OF_KIND = {
    EmailKind.UNFINISHED: Topic.REMINDERS,
    EmailKind.PICK_UP: Topic.REMINDERS,
    EmailKind.REJOIN: Topic.NEWS,
}


def email_preference(*, restaurant_id: UUID, address: str) -> EmailPreference:
    """The preferences of this address at this restaurant; an unsaved row while it never chose."""
    email = _key(address)
    found = EmailPreference.objects.filter(restaurant_id=restaurant_id, email=email).first()
    return found or EmailPreference(restaurant_id=restaurant_id, email=email)


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
    """Save preferences; None leaves a topic as it is. Safe to call twice.

    `by_link`: the change came through a link that only emails to this address contain.
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
    """The opt-in on the confirmation page, open to anyone who knows the order's id.

    Because of that, it cannot undo an unsubscribe made after the order through a link in an email;
    only such a link can. Raises Conflict then and for an order without an email address, NotFound
    for an order that is not this restaurant's.
    """
    orders = PreOrder.objects.filter(pk=order_id, restaurant_id=restaurant_id)
    order = orders.only("customer_email", "created_at").first()
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
    """The address of the preferences page; with `topic`, of the page that turns that one off.

    It does not reveal the email address. Creates the row whose key it contains, if needed.
    """
    choice, _is_new = EmailPreference.objects.get_or_create(
        restaurant_id=restaurant.pk, email=_key(address), defaults={"changed_at": now}
    )
    path = f"/email-preferences/{choice.pk}"
    return absolute_url(f"{path}?stop={topic}" if topic else path, restaurant=restaurant)


def _key(address: str) -> str:
    return address.strip().lower()
