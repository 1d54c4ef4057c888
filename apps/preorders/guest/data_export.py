"""The data stored about a guest at one restaurant: the orders and waitlist entries that share the
email address of one order."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.preorders.core.selectors import slot_label
from apps.preorders.models import PreOrder, Subscriber, WaitlistEntry
from apps.preorders.models.querysets import PreOrderQuerySet

ERASED_NAME = "Guest"


def is_erased(order: PreOrder) -> bool:
    """Whether nothing is left that identifies the guest."""
    return not order.customer_email and not order.customer_phone


def orders_of_guest(order: PreOrder) -> PreOrderQuerySet:
    """All orders at the order's restaurant with its email address; without one, the order alone.

    Whoever has the link of one order received it at that address, so the others are theirs too.
    """
    orders = PreOrder.objects.filter(restaurant_id=order.restaurant_id)
    if not order.customer_email:
        return orders.filter(pk=order.pk)
    return orders.filter(customer_email__iexact=order.customer_email)


def waitlist_entries_of_guest(order: PreOrder) -> QuerySet[WaitlistEntry]:
    """The restaurant's waitlist entries with the order's email address."""
    entries = WaitlistEntry.objects.filter(restaurant_id=order.restaurant_id)
    if not order.customer_email:
        return entries.none()
    return entries.filter(email=order.customer_email.lower())


def guest_data(order: PreOrder) -> dict[str, Any]:
    """The download. Amounts are strings in `currency`; times are ISO 8601 in UTC."""
    orders = orders_of_guest(order).select_related("offer", "sold", "pickup_slot")
    found = orders.prefetch_related(
        "payment_history", "emails", "transitions", "disputes"
    ).order_by("created_at", "pk")
    restaurant = order.offer.restaurant
    choice = Subscriber.objects.filter(
        restaurant_id=order.restaurant_id, email=order.customer_email.lower()
    ).first()
    return {
        "restaurant": restaurant.name,
        "currency": restaurant.currency,
        "email": order.customer_email,
        "emailPreferences": choice
        and {
            "news": choice.news,
            "reminders": choice.reminders,
            "changedAt": choice.changed_at,
            "consent": consent_of(choice),
        },
        "orders": [_order(each, restaurant) for each in found],
        "waitingLists": [
            _entry_data(each)
            for each in waitlist_entries_of_guest(order)
            .select_related("offer")
            .prefetch_related("emails")
            .order_by("joined_at", "pk")
        ],
    }


def consent_of(choice: Subscriber) -> dict[str, Any]:
    """What is stored as the proof that the address asked for news."""
    return {
        "status": choice.status,
        "name": choice.name,
        "source": choice.source,
        "at": choice.consent_at,
        "where": choice.consent_context,
        "words": choice.consent_words,
        "confirmedAt": choice.confirmed_at,
    }


def download_guest_data(order: PreOrder, *, now: datetime) -> dict[str, Any]:
    """`guest_data` for the guest, noted in the activity log."""
    about = ("order", order.pk)
    restaurant = order.restaurant_id
    record(Kind.GUEST_DATA_DOWNLOADED, restaurant=restaurant, about=about, by_guest=True, now=now)
    return guest_data(order)


def _entry_data(entry: WaitlistEntry) -> dict[str, Any]:
    return {
        "special": entry.offer.name,
        "serveDate": entry.offer.serve_date,
        "joinedAt": entry.joined_at,
        "name": entry.name,
        "email": entry.email,
        "phone": entry.phone,
        "portions": entry.portions,
        "language": entry.language,
        "status": entry.state,
        "emails": [
            {"kind": email.kind, "sentAt": email.sent_at}
            for email in sorted(entry.emails.all(), key=lambda one: one.due_at)
        ],
    }


def _order(order: PreOrder, restaurant: Any) -> dict[str, Any]:
    order.offer.restaurant = restaurant
    return {
        "code": order.code,
        "orderedAt": order.created_at,
        "ordered": order.source,
        "language": order.language,
        "agreedTo": {
            "text": order.consent_text,
            "termsVersion": order.terms_version,
            "at": order.consented_at,
        },
        "name": order.customer_name,
        "email": order.customer_email,
        "phone": order.customer_phone,
        "special": order.sold.name,
        "served": order.served_name,
        "serveDate": order.offer.serve_date,
        "pickUpTime": slot_label(order),
        "serviceMode": order.service_mode,
        "portions": order.quantity,
        "note": order.note,
        "alternativeAccepted": order.alternative_price is not None,
        "total": str(order.total_amount),
        "tax": str(order.tax),
        "refunded": str(order.refunded_amount),
        "status": order.status,
        "payment": order.payment_status,
        "shareLink": {"code": order.share_code, "visits": order.link_visits},
        "friends": {
            "portionsReserved": order.friend_portions,
            "reservedUntil": order.friends_until,
            "cameWithAFriendsLink": order.friend_of_id is not None,
            "showsFirstName": order.shows_first_name,
        },
        # Stripe's names for the person and their card, deleted there too.
        "stripe": {
            "customer": order.payment_customer_id,
            "paymentMethod": order.payment_method_id,
        },
        "card": {"brand": order.card_brand, "lastFourDigits": order.card_digits},
        "changes": [
            {"what": change.field, "from": change.old, "to": change.new, "at": change.at}
            for change in sorted(order.transitions.all(), key=lambda one: (one.at, one.pk))
        ],
        "disputes": [
            {
                "reason": dispute.reason,
                "status": dispute.status,
                "amount": str(dispute.amount),
                "openedAt": dispute.opened_at,
                "closedAt": dispute.closed_at,
            }
            for dispute in sorted(order.disputes.all(), key=lambda one: one.opened_at)
        ],
        "payments": [
            {
                "kind": entry.transaction_type,
                "amount": str(entry.amount),
                "at": entry.processed_at,
                "reference": entry.payment_intent_id,
            }
            for entry in sorted(order.payment_history.all(), key=lambda one: one.pk)
            # Other entries are between the restaurant and the platform.
            if entry.transaction_type in ("authorization", "release", "capture", "refund")
        ],
        "emails": [
            {"kind": email.kind, "sentAt": email.sent_at}
            for email in sorted(order.emails.all(), key=lambda one: (one.due_at, one.number))
        ],
    }
