"""Following a restaurant with an address typed on a public page: double opt-in (decision 153).

Anybody can type any address, so it gets one email that asks, and nothing else until somebody with
access to it says yes.
"""

from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.utils.translation import gettext as _

from apps.common.background import after_commit
from apps.common.signed_ids import SignedIds
from apps.offers.models import SpecialOffer
from apps.offers.storefront import takes_orders
from apps.preorders.emails.preferences import (
    SUBSCRIBABLE,
    Consent,
    confirm,
    lock_subscriber,
    note_consent,
)
from apps.preorders.models import Subscriber
from apps.restaurants.hosts import absolute_url
from apps.restaurants.models import Restaurant

CONFIRMATION_LIFETIME = timedelta(days=14)  # as long as a pending address is stored
# A worker that claims a confirmation has this long; then another may.
LEASE = timedelta(minutes=2)
MAX_ATTEMPTS = 8
FOLLOW_PATH = "/follow"
_keys = SignedIds("marketing.follow")


def consent_words(restaurant: Restaurant) -> str:
    """What a guest agrees to by following; the page shows it and the proof stores it."""
    return _(
        "%(restaurant)s emails you about new and returning specials. You can unsubscribe anytime."
    ) % {"restaurant": restaurant.name}


@transaction.atomic
def request_follow(
    *,
    restaurant: Restaurant,
    address: str,
    language: str,
    special_id: UUID | None,
    now: datetime,
) -> None:
    """Note the wish and queue the email that answers: it asks for confirmation, or says that the
    address follows already. A special that can't be ordered now is remembered, so that the address
    hears when its dish can be (`returns.py`).

    Every address gets an email, except one that reported emails from here as spam. The caller acts
    as the restaurant.
    """
    subscriber = lock_subscriber(restaurant_id=restaurant.pk, address=address, now=now)
    if subscriber.suppressed_for == Subscriber.Suppression.COMPLAINT:
        return
    named = [] if special_id is None else [special_id]
    shown = SpecialOffer.objects.for_display().filter(restaurant=restaurant, pk__in=named).first()
    if shown and not takes_orders(shown, now):
        subscriber.wanted_offer = shown
    if subscriber.status != Subscriber.Status.CONFIRMED:
        url = absolute_url(f"/specials/{shown.pk}" if shown else FOLLOW_PATH, restaurant=restaurant)
        words = consent_words(restaurant)
        consent = Consent(Subscriber.Source.FOLLOW, words, url, language=language)
        note_consent(subscriber, consent, now=now)
        subscriber.status = Subscriber.Status.PENDING
    subscriber.confirmation_due_at = now
    subscriber.confirmation_attempts = 0
    subscriber.changed_at = now
    after_commit(
        current_app.tasks["marketing.send_confirmation"],
        str(restaurant.pk),
        str(subscriber.pk),
    )
    subscriber.save()


def confirmation_url(subscriber: Subscriber) -> str:
    """The link of the email that asks."""
    path = f"{FOLLOW_PATH}/{_keys.token(subscriber.pk)}"
    return absolute_url(path, restaurant=subscriber.restaurant)


def subscriber_of_link(token: str, *, now: datetime) -> Subscriber | None:
    """Whose link it is; None for one that isn't ours, or whose time is over."""
    key = _keys.key_of(token)
    found = Subscriber.objects.select_related("restaurant").filter(pk=key).first() if key else None
    if found is None or found.status == Subscriber.Status.CONFIRMED:
        return found
    is_waiting = (found.status, found.source) == (
        Subscriber.Status.PENDING,
        Subscriber.Source.FOLLOW,
    )
    return found if is_waiting and found.changed_at > now - CONFIRMATION_LIFETIME else None


@transaction.atomic
def confirm_follow(*, subscriber_id: UUID, now: datetime) -> Subscriber:
    """Subscribe the address behind a confirmation link. Safe to repeat.

    The proof says when and on which page the guest asked; `confirmed_at`, when they said yes.
    """
    subscriber = (
        Subscriber.objects.select_for_update(of=("self",))
        .select_related("restaurant")
        .get(pk=subscriber_id)
    )
    if subscriber.status == Subscriber.Status.PENDING and subscriber.consent_at:
        consent = Consent(
            Subscriber.Source.FOLLOW, subscriber.consent_words, subscriber.consent_context
        )
        confirm(subscriber, consent, now=now)
        subscriber.changed_at = now
        subscriber.save()
    return subscriber


# --- the email that answers -----------------------------------------------------------------------
def confirmations_due(*, now: datetime, limit: int = 200) -> list[tuple[UUID, UUID]]:
    """Restaurant and subscriber of emails whose task was lost. The caller acts as the platform."""
    due = Subscriber.objects.filter(confirmation_due_at__lte=now - timedelta(seconds=20))
    found = due.order_by("confirmation_due_at").values_list("restaurant_id", "pk")
    return list(found[:limit])


def claim_confirmation(subscriber_id: UUID, *, now: datetime) -> Subscriber | None:
    """The subscriber, for this worker alone until its lease ends; None if none is to be sent."""
    with transaction.atomic():
        found = (
            Subscriber.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("restaurant", "wanted_offer__photo")
            .filter(
                pk=subscriber_id,
                status__in=sorted(SUBSCRIBABLE),
                confirmation_due_at__lte=now,
            )
            .first()
        )
        if found is None:
            return None
        found.confirmation_attempts += 1
        wait = max(LEASE, timedelta(seconds=2**found.confirmation_attempts))
        is_last = found.confirmation_attempts >= MAX_ATTEMPTS
        found.confirmation_due_at = None if is_last else now + wait
        found.save(update_fields=["confirmation_attempts", "confirmation_due_at"])
        return found


def note_confirmation_sent(subscriber: Subscriber) -> None:
    sent = Subscriber.objects.filter(pk=subscriber.pk, status=subscriber.status)
    sent.update(confirmation_due_at=None)
