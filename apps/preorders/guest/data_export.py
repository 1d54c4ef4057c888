"""What is kept of a diner at one restaurant: the orders made with the address of one of them, and
their places in lines for full specials."""

from typing import Any

from django.db.models import QuerySet

from apps.preorders.documents.pickup import slot_label
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.querysets import PreOrderQuerySet

ERASED_NAME = "Guest"


def is_erased(order: PreOrder) -> bool:
    """Whether nothing is left that names the diner."""
    return not order.customer_email and not order.customer_phone


def orders_of_guest(order: PreOrder) -> PreOrderQuerySet:
    """All orders at the order's restaurant with its e-mail address; without one the order alone.

    Who holds the link of one got it at that address, so the others are theirs too.
    """
    orders = PreOrder.objects.filter(restaurant_id=order.restaurant_id)
    if not order.customer_email:
        return orders.filter(pk=order.pk)
    return orders.filter(customer_email__iexact=order.customer_email)


def waitlist_entries_of_guest(order: PreOrder) -> QuerySet[WaitlistEntry]:
    """The places in the restaurant's lines that were taken with the order's e-mail address."""
    places = WaitlistEntry.objects.filter(restaurant_id=order.restaurant_id)
    if not order.customer_email:
        return places.none()
    return places.filter(email=order.customer_email.lower())


def guest_data(order: PreOrder) -> dict[str, Any]:
    """As the diner downloads it. Amounts are text, in `currency`; moments ISO 8601 in UTC."""
    orders = orders_of_guest(order).select_related("offer__alternative_dish", "pickup_slot")
    found = orders.prefetch_related("payment_history", "mails").order_by("created_at", "pk")
    restaurant = order.offer.restaurant
    return {
        "restaurant": restaurant.name,
        "currency": restaurant.currency,
        "email": order.customer_email,
        "orders": [_order(each, restaurant) for each in found],
        "waitingLists": [
            _place(each)
            for each in waitlist_entries_of_guest(order)
            .select_related("offer")
            .prefetch_related("letters")
            .order_by("joined_at", "pk")
        ],
    }


def _place(place: WaitlistEntry) -> dict[str, Any]:
    return {
        "special": place.offer.name,
        "serveDate": place.offer.serve_date,
        "joinedAt": place.joined_at,
        "name": place.name,
        "email": place.email,
        "phone": place.phone,
        "portions": place.portions,
        "status": place.state,
        "letters": [
            {"kind": letter.kind, "sentAt": letter.sent_at}
            for letter in sorted(place.letters.all(), key=lambda one: one.due_at)
        ],
    }


def _order(order: PreOrder, restaurant: Any) -> dict[str, Any]:
    order.offer.restaurant = restaurant
    return {
        "code": order.code,
        "orderedAt": order.created_at,
        "name": order.customer_name,
        "email": order.customer_email,
        "phone": order.customer_phone,
        "special": order.offer.name,
        "served": order.served_name,
        "serveDate": order.offer.serve_date,
        "pickUpTime": slot_label(order),
        "portions": order.quantity,
        "note": order.note,
        "alternativeAccepted": order.alternative_price is not None,
        "total": str(order.total_amount),
        "tax": str(order.tax),
        "refunded": str(order.refunded_amount),
        "status": order.status,
        "payment": order.payment_status,
        "payments": [
            {
                "kind": entry.transaction_type,
                "amount": str(entry.amount),
                "at": entry.processed_at,
                "reference": entry.payment_intent_id,
            }
            for entry in sorted(order.payment_history.all(), key=lambda one: one.pk)
            # The rest is between the restaurant and the platform.
            if entry.transaction_type in ("authorization", "release", "capture", "refund")
        ],
        "letters": [
            {"kind": letter.kind, "sentAt": letter.sent_at}
            for letter in sorted(order.mails.all(), key=lambda one: (one.due_at, one.number))
        ],
    }
