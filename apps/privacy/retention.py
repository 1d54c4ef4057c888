"""Retention: how long each kind of data is kept, and why (decision 63).

`RULES` is the one table of it. A rule finds rows that are too old and deletes or blanks them in
batches, each a transaction or a few: a run that is stopped, or that runs beside another, does no
harm, and the next one continues where it ended. What a rule has treated it doesn't find again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from djstripe.models import Event, WebhookEventTrigger

from apps.accounts.models import BearerToken, EmailConfirmation
from apps.activity.services import delete_expired_activity
from apps.common import rls
from apps.integrations.services import outdated_events
from apps.marketing import demo_leads
from apps.marketing.models import DemoLead
from apps.marketing.subscribers import retention as followers
from apps.offers import services as offer_services
from apps.preorders.core import reservations
from apps.preorders.guest import erasure
from apps.preorders.models import (
    Cart,
    Email,
    ExpirationRun,
    PushSubscription,
    WaitlistEntry,
)
from apps.restaurants import idempotency
from apps.restaurants.models import IdempotencyKey, IncompleteRegistration, Invitation
from apps.restaurants.services import abandoned_registrations

BATCH_SIZE = 500  # rows of one transaction

Rows = QuerySet[Any, Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """How long one kind of data is kept.

    `find` returns the rows that are too old at a given time. `treat` deletes or blanks the batch of
    them that it is given, and returns how many.
    """

    data: str  # as people read it
    retention: timedelta
    counted_from: str
    reason: str
    find: Callable[[datetime], Rows]
    treat: Callable[[Rows, datetime], int]


def _delete(rows: Rows, now: datetime) -> int:
    return rows.delete()[1].get(rows.model._meta.label, 0)  # without what went along


def _blank(**columns: Any) -> Callable[[Rows, datetime], int]:
    return lambda rows, now: rows.update(**columns)


def _end_sessions(rows: Rows, now: datetime) -> int:
    """Delete sessions together with what the cache has of them."""
    for row in rows:
        row.end()
    return len(rows)


def _older(model: type[Model], column: str, age: timedelta) -> Callable[[datetime], Rows]:
    return lambda now: model._default_manager.filter(**{f"{column}__lt": now - age})


def _over_invitations(now: datetime) -> Rows:
    long_ago = now - timedelta(days=30)
    over = Q(accepted_at__lt=long_ago) | Q(revoked_at__lt=long_ago) | Q(expires_at__lt=long_ago)
    return Invitation.objects.filter(over)


def _unconfirmed_changes(now: datetime) -> Rows:
    """New addresses of accounts that nobody confirmed while the link worked."""
    links = EmailConfirmation.objects.alias(address=Lower("email")).filter(
        address=Lower(OuterRef("email"))
    )
    long_ago = now - timedelta(days=30)
    found: Rows = EmailAddress.objects.filter(
        ~Exists(links), primary=False, verified=False, user__last_login__lt=long_ago
    )
    return found


DAY = timedelta(days=1)
WEBHOOK_LOG_RETENTION = 30 * DAY
RULES = [
    Rule(
        "Guests of orders: name, email, phone, special requests, the team's notes",
        erasure.ORDERS_RETENTION,
        "the serve date",
        "Refunds, disputes, and questions come within months. Amounts stay, for accounting.",
        erasure.outdated_orders,
        lambda rows, now: erasure.anonymize_orders(rows, now=now),
    ),
    Rule(
        "Origin of a checkout: keyed hashes of network and browser",
        reservations.ORIGIN_LIFETIME,
        "the end of the checkout",
        "It limits how many orders one person starts without a card.",
        reservations.outdated_origins,
        _blank(origin_network="", origin_device=""),
    ),
    Rule(
        "Fingerprints of carts",
        30 * DAY,
        "the start of the checkout",
        "It recognizes a double click.",
        lambda now: Cart.objects.filter(created_at__lt=now - 30 * DAY).exclude(fingerprint=""),
        _blank(fingerprint=""),
    ),
    Rule(
        "Devices that follow a special: their addresses at push services",
        DAY,
        "the deadline",
        "After the deadline, we have nothing more to tell them.",
        lambda now: PushSubscription.objects.filter(offer__deadline__lt=now - DAY),
        _delete,
    ),
    Rule(
        "Waitlist entries",
        30 * DAY,
        "the serve date",
        "A guest can ask why there was no portion.",
        lambda now: WaitlistEntry.objects.filter(offer__serve_date__lt=(now - 30 * DAY).date()),
        _delete,
    ),
    Rule(
        "Emails: their payment links, and what an email server answered",
        30 * DAY,
        "sending",
        "They show the restaurant why an email didn't arrive. An email's text is never stored.",
        lambda now: Email.objects.filter(
            Q(sent_at__lt=now - 30 * DAY) | Q(dropped_at__lt=now - 30 * DAY)
        ).exclude(action_url="", error=""),
        _blank(action_url="", error=""),
    ),
    Rule(
        "Email preferences of addresses without an order",
        erasure.ORDERS_RETENTION,
        "the last change",
        "A guest who unsubscribed stays unsubscribed while the restaurant has the address.",
        followers.forgotten_preferences,
        _delete,
    ),
    Rule(
        "Followers",
        followers.FOLLOWERS_RETENTION,
        "their last order, click, or choice",
        "They asked for the restaurant's news, but silence for years isn't consent.",
        followers.silent_followers,
        _delete,
    ),
    Rule(
        "Emails about specials: the address and name",
        erasure.ORDERS_RETENTION,
        "the email, or when the address leaves the list",
        "They show the restaurant who came because of an email. The counts stay.",
        followers.invitations_of_nobody,
        _blank(customer_email="", customer_name="", error="", provider_id=""),
    ),
    Rule(
        "Addresses typed on a public page that nobody confirmed",
        followers.UNCONFIRMED_RETENTION,
        "the request",
        "Someone may find the email later. Without an answer, we have no consent.",
        followers.never_confirmed,
        followers.end_unconfirmed,
    ),
    Rule(
        "Runs over specials past their deadline",
        90 * DAY,
        "the start of the run",
        "They show staff what was settled recently. The specials' own histories stay.",
        _older(ExpirationRun, "started_at", 90 * DAY),
        _delete,
    ),
    Rule(
        "Answers to requests with an idempotency key",
        idempotency.LIFETIME,
        "the request",
        "A repeated request gets the same answer, which may name a guest.",
        _older(IdempotencyKey, "created_at", idempotency.LIFETIME),
        _delete,
    ),
    Rule(
        "Webhook deliveries",
        30 * DAY,
        "receipt",
        "Personal data is removed once a delivery is processed. The rest is for diagnosis. "
        "Stripe sends an event for three days at most.",
        _older(WebhookEventTrigger, "created", 30 * DAY),
        _delete,
    ),
    Rule(
        "Webhook events: id and type",
        30 * DAY,
        "receipt",
        "They recognize an event that is delivered again.",
        _older(Event, "djstripe_created", 30 * DAY),
        _delete,
    ),
    Rule(
        "Confirmation links",
        timedelta(),
        "expiry",
        "They no longer work.",
        lambda now: EmailConfirmation.objects.filter(expires_at__lte=now),
        _delete,
    ),
    Rule(
        "New addresses of accounts that nobody confirmed",
        30 * DAY,
        "the last sign-in",
        "The link that confirms one works for a day.",
        _unconfirmed_changes,
        _delete,
    ),
    Rule(
        "API tokens",
        timedelta(),
        "expiry",
        "They no longer work.",
        lambda now: BearerToken.objects.filter(expires_at__lte=now),
        _delete,
    ),
    Rule(
        "Devices: browser, address, last use",
        settings.SESSION_LIMITS[1],
        "the last use",
        "They show people where they are signed in. A session lasts no longer.",
        lambda now: UserSession.objects.filter(last_seen_at__lt=now - settings.SESSION_LIMITS[1]),
        _end_sessions,
    ),
    Rule(
        "Sessions",
        timedelta(),
        "expiry",
        "They no longer work.",
        lambda now: Session.objects.filter(expire_date__lt=now),
        _delete,
    ),
    Rule(
        "Invitations to a team",
        30 * DAY,
        "their end",
        "The owner sees whether each was accepted, revoked, or expired.",
        _over_invitations,
        _delete,
    ),
    Rule(
        "Registrations that were never completed",
        abandoned_registrations.ABANDONED_AFTER,
        "the last sign-in",
        "The person may come back. After that, only the archived row below is left.",
        abandoned_registrations.abandoned,
        abandoned_registrations.archive,
    ),
    Rule(
        "Archive of registrations that were never completed",
        180 * DAY,
        "archiving",
        "We can tell a person why their registration is gone.",
        _older(IncompleteRegistration, "archived_at", 180 * DAY),
        _delete,
    ),
    Rule(
        "Demo visitors' IP address and browser",
        demo_leads.TRACES_RETENTION,
        "the last visit",
        "They help recognize abuse of the demo.",
        demo_leads.outdated_traces,
        _blank(ip_address=None, user_agent=""),
    ),
    Rule(
        "Demo visitors' email address",
        180 * DAY,
        "the last visit",
        "We answer questions about the demo.",
        _older(DemoLead, "last_seen_at", 180 * DAY),
        _delete,
    ),
    Rule(
        "Events sent to restaurants' webhooks, with the answers",
        WEBHOOK_LOG_RETENTION,
        "the event",
        "An owner can see which events a program missed and send them again.",
        lambda now: outdated_events(now - WEBHOOK_LOG_RETENTION),
        _delete,
    ),
    Rule(
        "Photos that nothing uses",
        offer_services.UNUSED_PHOTO_LIFE,
        "the upload",
        "A form that is open on someone's device may still refer to one.",
        lambda now: offer_services.unused_photos(now=now),
        lambda rows, now: offer_services.delete_photos(rows),
    ),
]
# Data that other modules delete with a function of their own: what it is, and `delete(now)`, which
# deletes all that is too old and returns how many rows.
EXPIRING: list[tuple[str, Callable[[datetime], int]]] = [
    ("Activity log", delete_expired_activity),
    ("Files of uploads that were never finished", offer_services.delete_stray_files),
]


@dataclass(slots=True)
class Report:
    """How many rows of each kind of data were treated; not complete if time ran out."""

    counts: dict[str, int]
    is_complete: bool = True


def count_outdated(*, now: datetime) -> dict[str, int]:
    """How many rows `prune` would treat now, by kind of data. Changes nothing."""
    with rls.acting_as(rls.PLATFORM):
        return {rule.data: rule.find(now).count() for rule in RULES}


def prune(
    *, now: datetime, seconds: float | None = None, tell: Callable[[int], None] = lambda rows: None
) -> Report:
    """Delete or blank everything that is too old. Safe to repeat, and to stop at any time.

    Begins no new batch after `seconds`, if given, and tells after each how many rows it treated.
    """
    report = Report({})
    ends = None if seconds is None else monotonic() + seconds
    with rls.acting_as(rls.PLATFORM):
        for rule in RULES:
            report.counts[rule.data] = 0
            after = None
            while True:
                if ends is not None and monotonic() >= ends:
                    report.is_complete = False
                    return report
                treated, after = _treat_batch(rule, now, after)
                report.counts[rule.data] += treated
                tell(sum(report.counts.values()))
                if after is None:
                    break
        for data, delete in EXPIRING:
            report.counts[data] = delete(now)
    return report


def _treat_batch(rule: Rule, now: datetime, after: Any) -> tuple[int, Any]:
    """Treat the next rows by primary key; returns how many, and the last key, None at the end.

    A run visits each row once, so one that can't be treated doesn't stop the others.
    """
    rows = rule.find(now)
    if after is not None:
        rows = rows.filter(pk__gt=after)
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH_SIZE])
    if not keys:
        return 0, None
    # With the rule's own condition again: somebody may have changed a row since.
    treated = rule.treat(rule.find(now).filter(pk__in=keys), now)
    return treated, keys[-1] if len(keys) == BATCH_SIZE else None
