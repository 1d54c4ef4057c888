"""What an email about an order or a special leads with: the day, the dish, and what was ordered;
of a dinner to come also its large photo, its place, and what the guest can do about it."""

from typing import Any

from django.utils.translation import gettext as _

from apps.common import clock, formats
from apps.common.emails import EmailAction, one_line
from apps.common.links import platform_url
from apps.common.money import Money
from apps.offers.images import photo_address
from apps.offers.models import SpecialOffer
from apps.offers.presentation import directions_url
from apps.offers.serving import Serving, serving_of
from apps.offers.sold_dishes import dish_sold
from apps.preorders.core.access import guest_url
from apps.preorders.core.links import order_url
from apps.preorders.core.pricing import price_alternative, price_order
from apps.preorders.documents.receipt import has_receipt
from apps.preorders.emails.actions import NOT_AGAIN, TO_THE_FORM, can_be_changed
from apps.preorders.emails.friends import dinner_of_friend, with_friend
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

# Kinds about a dinner that is still to come, unless the card comes first.
WITH_DINNER = frozenset(
    {
        *TO_THE_FORM,
        EmailKind.RECEIVED,
        EmailKind.CHARGED_EARLY,
        EmailKind.DISH_CHANGED,
        EmailKind.CONFIRMED,
        EmailKind.PICK_UP,
        EmailKind.PAY_LINK,
        EmailKind.EXTENDED,
        EmailKind.FRIEND_JOINED,
        EmailKind.FRIEND_LEFT,
        EmailKind.FRIEND_CANCELED,
        EmailKind.FRIEND_MOVED,
    }
)
# Kinds that can come before the dinner as well as after it, or after it was called off.
WHILE_TO_COME = frozenset({EmailKind.GUEST_MESSAGE, EmailKind.DISPUTE_SETTLED})
# Of all these, the ones whose order is there to put into a calendar and to change.
WITH_BUTTONS = WHILE_TO_COME | {
    EmailKind.RECEIVED,
    EmailKind.CHARGED_EARLY,
    EmailKind.CONFIRMED,
    EmailKind.PICK_UP,
}
# Kinds whose headline names somebody else than the guest whose order it is.
ABOUT_A_FRIEND = frozenset(
    {
        EmailKind.FRIEND_JOINED,
        EmailKind.FRIEND_LEFT,
        EmailKind.FRIEND_CANCELED,
        EmailKind.FRIEND_MOVED,
    }
)
# Kinds that show the code for the pickup.
WITH_CODE = frozenset({EmailKind.CONFIRMED, EmailKind.PICK_UP})


def has_dinner(email: Email) -> bool:
    """Whether the email is about a dinner that is still to come."""
    if email.kind in WHILE_TO_COME:
        return is_to_come(email.order)
    return email.kind in WITH_DINNER


def is_to_come(order: PreOrder) -> bool:
    """Whether the guest is still expected, or may be."""
    is_open = order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED)
    return is_open and clock.now() < order.offer.serving_ends


def dinner_layout(email: Email) -> dict[str, Any]:
    """What the layout shows above and below the text."""
    order = email.order
    if email.kind == EmailKind.HOW_WAS_IT:
        no = EmailAction(str(NOT_AGAIN), guest_url(order, then="?again=no#how"))
        return {**photo_of(order), "about": guest_row(order), "buttons": [no]}
    about, shows_dinner = guest_row(order), has_dinner(email)
    about["ends_in_headline"] = email.kind == EmailKind.CANCELLED
    if shows_dinner or is_to_come(order):
        about |= where_layout(order.offer.restaurant)
    if not shows_dinner:
        return {"about": about}
    if email.kind in TO_THE_FORM:
        about |= _row_to_order(order, email.offer or order.offer)
    if email.kind == EmailKind.RECEIVED:
        about["beside"] = with_friend(order)
    if email.kind in ABOUT_A_FRIEND:
        about["whose"] = _("Your order")
    if email.kind == EmailKind.FRIEND_JOINED and email.friend:
        about |= dinner_of_friend(email.friend, order)
    is_expected = email.kind in WITH_BUTTONS
    return {
        **photo_of(order, email),
        "about": about,
        "arrival_notes": order.serving.notes if is_expected else (),
        "buttons": order_buttons(order) if is_expected else [],
    }


def order_row(order: PreOrder) -> dict[str, Any]:
    """The order as the layout shows it, at the top or as one of several rows; `ended` strikes its
    day through and, in a row, says why."""
    instead = price_alternative(order) if order.serves_alternative else None
    total = instead.total if instead else Money.of(order.total_amount)
    return {
        "name": one_line(order.served_name),
        "photo": photo_of(order)["photo"],
        **when_layout(order.serving),
        "ended": _("Canceled") if order.status == PreOrderStatus.CANCELLED else "",
        "sum": _sum(order, total),
    }


def guest_row(order: PreOrder) -> dict[str, Any]:
    """The same for the order's guest: its photo leads to the order's page."""
    return {**order_row(order), "url": guest_url(order)}


def _row_to_order(order: PreOrder, offer: SpecialOffer) -> dict[str, Any]:
    """What differs in the row of an order that can still be placed."""
    return {
        "name": one_line(offer.spoken_name),
        **when_layout(serving_of(offer)),
        "ended": "",
        "sum": sum_to_order(offer, order.quantity),
        "url": "",
    }


def _sum(order: PreOrder, total: Money) -> str:
    """`2 portions, $28.08 with tax`; not what an order that wasn't charged would have cost."""
    is_charged = order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)
    has_ended = order.status == PreOrderStatus.CANCELLED and not is_charged
    if has_ended or order.payment_status == PaymentStatus.RELEASED:
        return formats.portions(order.quantity)
    return _portions_for(order.quantity, total, order.offer.restaurant)


def sum_to_order(offer: SpecialOffer, portions: int) -> str:
    """The same for portions that nobody has ordered yet."""
    return _portions_for(portions, price_order(offer, portions).total, offer.restaurant)


def _portions_for(portions: int, total: Money, restaurant: Restaurant) -> str:
    return _("%(portions)s, %(total)s with tax") % {
        "portions": formats.portions(portions),
        "total": formats.money(total, restaurant.currency),
    }


def offer_row(offer: SpecialOffer) -> dict[str, Any]:
    """The special as a row of an email to its restaurant."""
    price = formats.money(offer.special_price, offer.restaurant.currency)
    return {
        "name": one_line(offer.name),
        "photo": photo_of_offer(offer)["photo"],
        **when_layout(serving_of(offer)),
        "sum": f"{price} a portion",
        "where": one_line(offer.restaurant.name),  # an owner may have several
        "url": platform_url(f"/restaurant/offers/{offer.pk}"),
    }


def photo_of(order: PreOrder, email: Email | None = None) -> dict[str, str]:
    """`photo` is the absolute URL of a JPEG, which every email program shows; empty without one."""
    if email is not None and email.offer is not None:
        return photo_of_offer(email.offer)
    sold = dish_sold(order.sold, alternative=order.serves_alternative, pictured=True)
    return {
        "photo": photo_address(sold.photo, order.offer.restaurant),
        "photo_alt": one_line(sold.name),
    }


def photo_of_offer(offer: SpecialOffer) -> dict[str, str]:
    return {
        "photo": photo_address(offer.photo, offer.restaurant),
        "photo_alt": one_line(offer.spoken_name),
    }


def when_layout(serving: Serving) -> dict[str, Any]:
    """`Wed, Nov 25 · 5:30–6:00 PM · Pickup`, and its parts: the day is the headline."""
    return {"when": serving.text, "when_parts": serving.parts}


def where_layout(restaurant: Restaurant) -> dict[str, str]:
    """The address, which leads to a map; the restaurant's name stands above the email."""
    return {"where": one_line(restaurant.address), "map": directions_url(restaurant)}


def order_buttons(order: PreOrder, *, are_brief: bool = False) -> list[EmailAction]:
    """Calendar, map, and receipt, and change or cancel while the guest can; brief below each of
    several dishes, so that a phone has them in one row: the map is above them all."""
    restaurant = order.offer.restaurant
    calendar = _("Calendar") if are_brief else _("Add to calendar")
    buttons = [EmailAction(calendar, order_url(order, then="/calendar.ics"))]
    if restaurant.address and not are_brief:
        buttons.append(EmailAction(_("Map"), directions_url(restaurant)))
    if has_receipt(order):
        buttons.append(EmailAction(_("Receipt (PDF)"), guest_url(order, then="/receipt.pdf")))
    if can_be_changed(order):
        url = guest_url(order, then="?open=change#change-order")
        buttons.append(EmailAction(_("Change") if are_brief else _("Change or cancel"), url))
    return buttons
