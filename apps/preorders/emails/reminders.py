"""Reminder and news emails, queued by a sweep when they are due (decision 30).

Three kinds, each sent once: to guests who started an order and did not finish it, before the
deadline; to guests who pick up today or early tomorrow; to guests whose hold was released, when the
same dish is offered again. The sweep finds recipients by state, so none is lost and none is queued
far ahead. Just before sending, each is checked once more.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core import jobs
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.email_queue import last_numbers
from apps.preorders.core.friends import is_awaited, starter_name, starter_time, starter_who_left
from apps.preorders.emails.after_meal import just_served
from apps.preorders.models import Email, PreOrder, Subscriber
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q
from apps.preorders.models.states import EmailKind, OrderSource, PaymentStatus, PreOrderStatus
from apps.restaurants.models import Restaurant

# No emails outside these hours, in the restaurant's time zone.
WAKING, SLEEPING = time(9), time(21)
# How long before the deadline reminders start, and stop.
REMIND_FROM, REMIND_UNTIL = timedelta(hours=24), timedelta(hours=3)
# After a checkout ended: whoever just left it needs no reminder.
RECENT_EMAIL_PERIOD = timedelta(minutes=30)
# A pickup before EARLY is reminded of at EVENING the day before.
EARLY, EVENING = time(11), time(18)
# Guests whose special was decided this recently have just read that it is on.
REJOIN_PERIOD = timedelta(hours=4)
# A new special is announced only after this time, so the restaurant can still correct it.
SETTLED = timedelta(minutes=10)
# How long ago a special of the same name may have failed.
REMEMBERED = timedelta(days=60)
# Specials closer to their deadline than this are not announced.
STILL_TIME = timedelta(hours=1)
BATCH_SIZE = 25  # emails per queue message
MAX_PER_RUN = 1000  # of each kind per pass; the next pass continues


def queue_reminders(*, now: datetime) -> int:
    """Queue what is due at `now` for the workers; returns how many emails."""
    written = _write_pick_up(now=now) + _write_how_was_it(now=now)
    for offer_id in _offers_of(unfinished(now=now)):
        written += _write_unfinished(offer_id, now=now)
    for offer in offered_again(now=now).order_by("deadline", "pk")[:MAX_PER_RUN]:
        written += _write_rejoin(offer.pk, now=now)
    return written


def is_still_useful(email: Email, *, now: datetime) -> bool:
    """Whether a queued email should still be sent; those about money always are."""
    match email.kind:
        case EmailKind.UNFINISHED:
            whom = unfinished(now=now)
        case EmailKind.PICK_UP:
            whom = to_pick_up(now=now)
        case EmailKind.HOW_WAS_IT:
            whom = to_ask(now=now)
        case EmailKind.REJOIN:
            about = offered_again(now=now).filter(pk__in=[email.offer_id]).first()
            whom = released_from(about, now=now) if about else PreOrder.objects.none()
        case EmailKind.DECLINED:
            whom = not_held_yet()
        case EmailKind.DISH_CHANGED:
            return email.order.status == PreOrderStatus.PENDING and bool(
                changes_since_ordered(email.order)
            )
        case EmailKind.FRIEND_JOINED | EmailKind.FRIEND_LEFT:
            whom = _who_invited(email)
        case EmailKind.FRIEND_CANCELED:
            return bool(starter_who_left(email.order))
        case EmailKind.FRIEND_MOVED:
            return bool(starter_name(email.order) and starter_time(email.order))
        case EmailKind.CHARGED_EARLY:
            whom = PreOrder.objects.filter(
                status=PreOrderStatus.PENDING, payment_status=PaymentStatus.CAPTURED
            )
        case _:
            return True
    return whom.filter(pk=email.order.pk).exists()


# --- recipients -----------------------------------------------------------------------------------
def _who_invited(email: Email) -> QuerySet[PreOrder]:
    """The guest whose friend joined, or left after the guest had read that they joined; nobody if
    that is no longer so or the guest's own order has ended."""
    friend = PreOrder.objects.filter(pk__in=[email.friend_id])
    is_true = friend.counted().exists()
    if email.kind == EmailKind.FRIEND_LEFT:
        joined = email.order.emails.filter(kind=EmailKind.FRIEND_JOINED, friend=email.friend_id)
        is_true = not is_true and joined.filter(sent_at__isnull=False).exists()
    is_useful = is_true and is_awaited(email.order)
    return _who_get_reminders(PreOrder.objects.all()) if is_useful else PreOrder.objects.none()


def not_held_yet() -> QuerySet[PreOrder]:
    """Orders whose card was declined and not retried; a canceled one has its own email."""
    called_off = Email.objects.filter(pre_order=OuterRef("pk"), kind=EmailKind.CANCELLED)
    unpaid = [PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION]
    return PreOrder.objects.filter(payment_status__in=unpaid).exclude(Exists(called_off))


def unfinished(*, now: datetime) -> QuerySet[PreOrder]:
    """Orders whose checkout ended without a card, of specials that still have portions and whose
    deadline is near, by guests who have not ordered them otherwise."""
    same = PreOrder.objects.filter(_of_the_same_person(), offer=OuterRef("offer"))
    elsewhere = same.filter(
        CHECKOUT_OPEN_Q
        | Q(authorized_at__isnull=False)
        | Q(checkout_expires_at__gt=now - RECENT_EMAIL_PERIOD)
    )
    notified = Email.objects.filter(
        pre_order=OuterRef("pk"),
        kind__in=[EmailKind.CANCELLED, EmailKind.DECLINED],
        dropped_at=None,
    )
    has_capacity = Q(offer__max_preorders=None) | Q(
        offer__max_preorders__gt=F("offer__reserved_portions")
    )
    orders = PreOrder.objects.filter(
        has_capacity,
        _awake("offer__restaurant", now),
        offer__status=OfferStatus.ACTIVE,
        offer__deadline__gt=now + REMIND_UNTIL,
        offer__deadline__lte=now + REMIND_FROM,
        offer__restaurant__status=Restaurant.Status.ACTIVE,
        offer__restaurant__connect_account__charges_enabled=True,
        source=OrderSource.WEB,
        status=PreOrderStatus.CANCELLED,
        payment_status__in=[PaymentStatus.UNPAID, PaymentStatus.REQUIRES_ACTION],
        checkout_expires_at__lte=now - RECENT_EMAIL_PERIOD,
    )
    return _who_get_reminders(orders).exclude(Exists(elsewhere)).exclude(Exists(notified))


def to_pick_up(*, now: datetime) -> QuerySet[PreOrder]:
    """Charged orders picked up today or early tomorrow: from nine in the morning, or six the
    evening before, in the restaurant's time zone, until the pickup time starts."""
    due = Q(pk__in=[])
    for name in _zones_awake(now):
        zone = ZoneInfo(name)
        local = now.astimezone(zone)
        today, tomorrow = local.date(), local.date() + timedelta(days=1)
        morning = datetime.combine(today, WAKING, zone)
        later = Q(pickup_slot=None) | Q(
            pickup_slot__starts_at__gte=datetime.combine(today, EARLY, zone),
            pickup_slot__starts_at__gt=now,
        )
        in_zone = Q(offer__restaurant__timezone=name)
        due |= in_zone & later & _served(today, decided_by=morning - REJOIN_PERIOD)
        if local.time() >= EVENING:
            evening = datetime.combine(today, EVENING, zone)
            early = Q(pickup_slot__starts_at__lt=datetime.combine(tomorrow, EARLY, zone))
            due |= in_zone & early & _served(tomorrow, decided_by=evening - REJOIN_PERIOD)
    orders = PreOrder.objects.filter(
        due,
        # For any time zone: lets an index find the day.
        offer__serve_date__range=(
            (now - timedelta(days=1)).date(),
            (now + timedelta(days=2)).date(),
        ),
        offer__status__in=sorted(DECIDED),
        status=PreOrderStatus.CONFIRMED,
        payment_status=PaymentStatus.CAPTURED,
    )
    return _who_get_reminders(orders)


def to_ask(*, now: datetime) -> QuerySet[PreOrder]:
    """Guests to ask how their meal was, at a time of day at which emails may arrive."""
    orders = just_served(now=now).filter(_awake("offer__restaurant", now))
    return _who_get_reminders(orders)


def announceable(*, now: datetime) -> QuerySet[SpecialOffer]:
    """Specials that an automatic email can be about: open, settled, and with time left to order."""
    return SpecialOffer.objects.filter(
        status=OfferStatus.ACTIVE,
        deadline__gt=now + STILL_TIME,
        created_at__lte=now - SETTLED,
        restaurant__status=Restaurant.Status.ACTIVE,
        restaurant__connect_account__charges_enabled=True,
    )


def offered_again(*, now: datetime) -> QuerySet[SpecialOffer]:
    """Open specials of a dish that failed recently, at restaurants with news subscribers."""
    failed = SpecialOffer.objects.annotate(called=Lower("name")).filter(
        restaurant=OuterRef("restaurant"), called=Lower(OuterRef("name")), **_lately_failed(now)
    )
    news = Subscriber.objects.filter(
        restaurant=OuterRef("restaurant"), status=Subscriber.Status.CONFIRMED
    )
    return announceable(now=now).filter(_awake("restaurant", now), Exists(failed), Exists(news))


def released_from(offer: SpecialOffer, *, now: datetime) -> QuerySet[PreOrder]:
    """Orders of the same dish whose hold was released because it failed, by guests who subscribed
    to news and have not ordered the new special."""
    has_capacity = offer.max_preorders is None or offer.max_preorders > offer.reserved_portions
    if not has_capacity:
        return PreOrder.objects.none()
    failed = SpecialOffer.objects.annotate(called=Lower("name")).filter(
        restaurant=offer.restaurant_id,
        called=offer.name.lower(),
        decided_at__lte=offer.created_at,
        **_lately_failed(now),
    )
    orders = PreOrder.objects.filter(
        offer__in=failed,
        payment_status=PaymentStatus.RELEASED,
        authorized_at__isnull=False,
    )
    ordered = PreOrder.objects.filter(_of_the_same_person(), offer=offer)
    wanting = _choices().filter(status=Subscriber.Status.CONFIRMED)
    return _addressed(orders).filter(Exists(wanting)).exclude(Exists(ordered))


def hears_when_back(choice: Subscriber, order: PreOrder, *, now: datetime) -> bool:
    """Whether the address gets an email once the order's dish can be ordered again: because it
    asked for that, or because its hold was released."""
    offer, wanted = order.offer, choice.wanted_offer
    if wanted is not None and wanted.name.lower() == offer.name.lower():
        return choice.news
    failed_at = offer.decided_at if offer.status == OfferStatus.FAILED else None
    is_remembered = failed_at is not None and failed_at > now - REMEMBERED
    was_held = order.payment_status == PaymentStatus.RELEASED and order.authorized_at is not None
    return choice.news and is_remembered and was_held


def _lately_failed(now: datetime) -> dict[str, Any]:
    return {"status": OfferStatus.FAILED, "decided_at__gt": now - REMEMBERED}


def _served(day: date, *, decided_by: datetime) -> Q:
    return Q(offer__serve_date=day, offer__decided_at__lte=decided_by)


def _addressed(orders: QuerySet[PreOrder]) -> QuerySet[PreOrder]:
    return orders.exclude(customer_email="").annotate(address=Lower("customer_email"))


def _who_get_reminders(orders: QuerySet[PreOrder]) -> QuerySet[PreOrder]:
    return _addressed(orders).exclude(Exists(_choices().filter(reminders=False)))


def _choices() -> QuerySet[Subscriber]:
    """The preferences of an order's address, as annotated by `_addressed`."""
    return Subscriber.objects.filter(restaurant=OuterRef("restaurant"), email=OuterRef("address"))


def _of_the_same_person() -> Q:
    return Q(customer_email__iexact=OuterRef("customer_email"))


def _awake(restaurant: str, now: datetime) -> Q:
    return Q(**{f"{restaurant}__timezone__in": _zones_awake(now)})


def _zones_awake(now: datetime) -> list[str]:
    """The restaurants' time zones in which emails may be sent now."""
    zones = Restaurant.objects.order_by().values_list("timezone", flat=True).distinct()
    return [name for name in zones if is_daytime(now, ZoneInfo(name))]


def is_daytime(now: datetime, zone: ZoneInfo) -> bool:
    """Whether it is a time of day in the zone at which an email may arrive."""
    return WAKING <= now.astimezone(zone).time() < SLEEPING


# --- queuing --------------------------------------------------------------------------------------
def _offers_of(orders: QuerySet[PreOrder]) -> list[UUID]:
    written = Email.objects.filter(
        kind=EmailKind.UNFINISHED,
        pre_order__offer=OuterRef("offer"),
        pre_order__customer_email__iexact=OuterRef("customer_email"),
    )
    found = orders.exclude(Exists(written)).order_by().values_list("offer", flat=True)
    return list(found.distinct()[:MAX_PER_RUN])


@transaction.atomic
def _write_unfinished(offer_id: UUID, *, now: datetime) -> int:
    """One email per address, about its latest attempt at this offer. The offer's lock keeps two
    workers from emailing the same guest twice."""
    lock_offer(offer_id)
    written = Email.objects.filter(kind=EmailKind.UNFINISHED, pre_order__offer=offer_id)
    notified = _addresses(written)
    orders = unfinished(now=now).filter(offer=offer_id).order_by("-created_at", "-pk")
    return _write(_first_of_each(orders, notified), EmailKind.UNFINISHED, now=now)


@transaction.atomic
def _write_rejoin(offer_id: UUID, *, now: datetime) -> int:
    """One email per address about this offer, whichever earlier order it follows."""
    offer = lock_offer(offer_id)
    notified = _addresses(Email.objects.filter(kind=EmailKind.REJOIN, offer=offer))
    orders = released_from(offer, now=now).order_by("-created_at", "-pk")
    found = _first_of_each(orders, notified)
    # Who asked for the dish is answered by this email, too.
    Subscriber.objects.filter(
        restaurant=offer.restaurant_id,
        email__in=[order.customer_email.lower() for order in found],
        wanted_offer__name__iexact=offer.name,
    ).update(wanted_offer=None)
    return _write(found, EmailKind.REJOIN, now=now, offer=offer)


def _write_pick_up(*, now: datetime) -> int:
    written = Email.objects.filter(pre_order=OuterRef("pk"), kind=EmailKind.PICK_UP)
    orders = to_pick_up(now=now).exclude(Exists(written)).order_by("pk")
    return _write(orders[:MAX_PER_RUN], EmailKind.PICK_UP, now=now)


def _write_how_was_it(*, now: datetime) -> int:
    written = Email.objects.filter(pre_order=OuterRef("pk"), kind=EmailKind.HOW_WAS_IT)
    orders = to_ask(now=now).exclude(Exists(written)).order_by("pk")
    return _write(orders[:MAX_PER_RUN], EmailKind.HOW_WAS_IT, now=now)


def _addresses(emails: QuerySet[Email]) -> set[str]:
    return {each.lower() for each in emails.values_list("pre_order__customer_email", flat=True)}


def _first_of_each(orders: Iterable[PreOrder], notified: set[str]) -> list[PreOrder]:
    firsts = []
    for order in orders:
        address = order.customer_email.lower()
        if address not in notified:
            notified.add(address)
            firsts.append(order)
    return firsts


@transaction.atomic
def _write(
    orders: Iterable[PreOrder],
    kind: EmailKind,
    *,
    now: datetime,
    offer: SpecialOffer | None = None,
) -> int:
    """One email each; if another worker queued one meanwhile, that stays the only one."""
    found = list(orders)
    # An order may be followed by more than one returning special.
    numbers = last_numbers(found, kind) if offer else {}
    emails = [
        Email(
            restaurant_id=order.restaurant_id,
            pre_order=order,
            kind=kind,
            number=numbers.get(order.pk, 0) + 1,
            offer=offer,
            due_at=now,
        )
        for order in found
    ]
    Email.objects.bulk_create(emails, batch_size=500, ignore_conflicts=True)
    for start in range(0, len(emails), BATCH_SIZE):
        with jobs.batched_emails():
            for email in emails[start : start + BATCH_SIZE]:
                jobs.enqueue_email(email.pk)
    return len(emails)
