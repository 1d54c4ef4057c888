"""The button of an email about an order, and its other links."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common import clock, formats
from apps.common.emails import EmailAction, one_line
from apps.offers.models import SpecialOffer
from apps.offers.seats import SeatsState, seats_of
from apps.offers.states import OfferStatus
from apps.preorders.core.access import guest_url
from apps.preorders.core.cart_items import can_be_authorized, finish_until
from apps.preorders.core.links import reorder_url
from apps.preorders.core.selectors import cancellation_of_order
from apps.preorders.emails.preferences import (
    TOPIC_OF_KIND,
    Topic,
    email_preference,
    preferences_url,
)
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PreOrderStatus
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

# The button's text, for kinds whose button leads somewhere other than the order's page.
ACTIONS = {
    EmailKind.RENEW_AUTHORIZATION: _lazy("Renew hold"),
    EmailKind.PAY_LINK: _lazy("Add a card"),
    EmailKind.DECLINED: _lazy("Finish your order"),
}
SEE_ORDER = _lazy("See your order")
SEE_SPECIALS = _lazy("See other specials")
CANCEL_ORDER = _lazy("Cancel your order")
FINISH_ORDER = _lazy("Finish your order")
ORDER_AGAIN = _lazy("Order it again")
JOIN_WAITLIST = _lazy("Join the waitlist")
YES_AGAIN = _lazy("Yes, I'd order it again")
NOT_AGAIN = _lazy("Not this one")
HEAR_OF_IT = _lazy("Tell me when it's back")
INVITE_MORE = _lazy("Invite more friends")
TO_SPECIALS = frozenset({EmailKind.RELEASED, EmailKind.PAYMENT_LAPSED, EmailKind.CANCELLED})
# Of these, the button orders it again while the special is open.
TO_ORDER_AGAIN = frozenset({EmailKind.RELEASED, EmailKind.CANCELLED})
# Something changed since the order: the second link cancels it, for free.
WITH_A_WAY_OUT = frozenset({EmailKind.EXTENDED, EmailKind.DISH_CHANGED})
# Emails to the guest who invited the friend they are about.
ABOUT_THOSE_INVITED = frozenset({EmailKind.FRIEND_JOINED, EmailKind.FRIEND_LEFT})
# The button opens the special's form, filled in: there is no order yet, or it has ended.
TO_THE_FORM = {EmailKind.UNFINISHED: FINISH_ORDER, EmailKind.REJOIN: ORDER_AGAIN}


def order_email_action(email: Email) -> EmailAction:
    """The email's button: the link it was queued with, else the order's page or the specials."""
    order = email.order
    if email.action_url:
        if email.kind == EmailKind.PAYMENT_NEEDED:
            total = formats.money(order.total_amount, order.offer.restaurant.currency)
            return EmailAction(_("Pay %(total)s") % {"total": total}, email.action_url)
        return EmailAction(str(ACTIONS.get(EmailKind(email.kind), SEE_ORDER)), email.action_url)
    if email.kind in TO_THE_FORM:
        url = reorder_url(order, email.offer or order.offer, now=clock.now())
        return EmailAction(str(TO_THE_FORM[EmailKind(email.kind)]), url)
    if email.kind == EmailKind.DECLINED:
        return after_decline(order)
    if call := _call(email):
        return call
    if email.kind == EmailKind.HOW_WAS_IT:
        return EmailAction(str(YES_AGAIN), guest_url(order, then="?again=yes#how"))
    if leads_to_specials(email):
        return _after_the_end(email)
    return EmailAction(str(SEE_ORDER), guest_url(order))


def _call(email: Email) -> EmailAction | None:
    """Calling the restaurant, where that is what helps."""
    restaurant = email.order.offer.restaurant
    if email.kind != EmailKind.PAYMENT_DISPUTED or not restaurant.phone:
        return None
    text = _("Call %(restaurant)s") % {"restaurant": one_line(restaurant.name)}
    return EmailAction(text, f"tel:{restaurant.phone.replace(' ', '')}")


def after_decline(order: PreOrder) -> EmailAction:
    """Where the guest finishes the order, and the cart's others; or what they can do instead."""
    if can_finish(order):
        url = guest_url(order, then="/card")
        return EmailAction(str(ACTIONS[EmailKind.DECLINED]), url)
    if is_open(order.offer, clock.now()):
        return _order_again(order)
    return _to_specials(order)


def _order_again(order: PreOrder) -> EmailAction:
    """To the special's form, filled in; to the waitlist while it is sold out."""
    offer, now = order.offer, clock.now()
    if _is_sold_out(offer, now):
        waitlist = absolute_url(f"/specials/{offer.pk}#waiting-list", restaurant=offer.restaurant)
        return EmailAction(str(JOIN_WAITLIST), waitlist)
    return EmailAction(str(ORDER_AGAIN), reorder_url(order, offer, now=now))


def _is_sold_out(offer: SpecialOffer, now: datetime) -> bool:
    return seats_of(offer, now).state == SeatsState.SOLD_OUT


def leads_to_specials(email: Email) -> bool:
    """Whether the order has ended, so that the email leads on to something else: not to the pages
    of a restaurant that is suspended or closed."""
    is_active = email.order.offer.restaurant.status == Restaurant.Status.ACTIVE
    return email.kind in TO_SPECIALS and is_active


def shows_other_specials(email: Email) -> bool:
    """Whether the email ends with what can be ordered instead."""
    is_too_late = email.kind == EmailKind.DECLINED and not can_finish(email.order)
    return is_too_late or leads_to_specials(email)


def _after_the_end(email: Email) -> EmailAction:
    order = email.order
    if _can_be_back(order.offer) and not _is_subscribed(order):
        return EmailAction(str(HEAR_OF_IT), guest_url(order, then="#follow"))
    if _gave_up_the_last(email):
        return _to_specials(order)
    if email.kind in TO_ORDER_AGAIN and is_open(order.offer, clock.now()):
        return _order_again(order)
    return _to_specials(order)


def _gave_up_the_last(email: Email) -> bool:
    """Whether the guest canceled, and others have the portions: waiting for what one has just given
    up isn't what to do next, so the waitlist is one of the links below the button."""
    order, now = email.order, clock.now()
    is_over = email.kind != EmailKind.CANCELLED or not is_open(order.offer, now)
    if is_over or not _is_sold_out(order.offer, now):
        return False
    return cancellation_of_order(order).by_guest


def _is_subscribed(order: PreOrder) -> bool:
    """Whether the guest hears of it anyway."""
    address, restaurant_id = order.customer_email, order.restaurant_id
    return email_preference(restaurant_id=restaurant_id, address=address).news


def _can_be_back(offer: SpecialOffer) -> bool:
    """Whether nobody got the special, which may be offered another time."""
    return offer.status in (OfferStatus.FAILED, OfferStatus.DELETED)


def _to_specials(order: PreOrder) -> EmailAction:
    specials = absolute_url("/specials", restaurant=order.offer.restaurant)
    return EmailAction(str(SEE_SPECIALS), specials)


def second_actions(email: Email) -> list[EmailAction]:
    """The links below the button: to the order's page, where the button leads elsewhere."""
    order = email.order
    if email.kind in WITH_A_WAY_OUT:
        return [EmailAction(str(CANCEL_ORDER), guest_url(order, then="?open=cancel#cancel"))]
    if email.kind == EmailKind.FRIEND_JOINED and is_open(order.offer, clock.now()):
        return [EmailAction(str(INVITE_MORE), guest_url(order, then="#bring-friends"))]
    about_friend = (EmailKind.FRIEND_CANCELED, EmailKind.FRIEND_MOVED)
    if email.kind in about_friend and can_be_changed(order):
        url = guest_url(order, then="?open=change#change-order")
        return [EmailAction(_("Change or cancel"), url)]
    if email.kind in TO_THE_FORM or email.kind == EmailKind.HOW_WAS_IT:
        return []
    if leads_to_specials(email) and _can_be_back(order.offer) and not _is_subscribed(order):
        return [_to_specials(order), EmailAction(str(SEE_ORDER), guest_url(order))]
    if leads_to_specials(email) and _gave_up_the_last(email):
        return [_order_again(order), EmailAction(str(SEE_ORDER), guest_url(order))]
    if (
        email.action_url
        or leads_to_specials(email)
        or email.kind == EmailKind.DECLINED
        or _call(email)
    ):
        return [EmailAction(str(SEE_ORDER), guest_url(order))]
    return []


def unsubscribe_action(email: Email) -> EmailAction | None:
    """The unsubscribe link; None for an email that cannot be turned off."""
    topic = TOPIC_OF_KIND.get(EmailKind(email.kind))
    if topic is None:
        return None
    order = email.order
    url = preferences_url(
        restaurant=order.offer.restaurant,
        address=order.customer_email,
        topic=topic,
        now=clock.now(),
    )
    says = _("Unsubscribe from news") if topic == Topic.NEWS else _("Turn off reminders")
    if email.kind in ABOUT_THOSE_INVITED:
        says = _("Turn off emails like this")
    return EmailAction(says, url)


def can_finish(order: PreOrder) -> bool:
    """Whether the guest can still add a card."""
    now = clock.now()
    return can_be_authorized(order, now) and now < finish_until(order)


def can_be_changed(order: PreOrder) -> bool:
    """Whether its guest can still change or cancel the order."""
    return order.status == PreOrderStatus.PENDING and is_open(order.offer, clock.now())


def why_sent(reason: str, *orders: PreOrder) -> str:
    """The line at the end of an email about these orders: why it was sent, and why not to forward
    it while its links can change something (decision 176)."""
    if not any(map(can_be_changed, orders)):
        return reason
    return reason + " " + _("Don't forward this email: its links can change your order.")


def is_open(offer: SpecialOffer, now: datetime) -> bool:
    """Whether the special can be ordered again."""
    return offer.status == OfferStatus.ACTIVE and now < offer.deadline
