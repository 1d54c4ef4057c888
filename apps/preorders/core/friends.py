"""Portions that a guest reserves for friends, who order and pay themselves (decision 88).

The guest whose card is held, the starter, gets a link for the friends. What is reserved is counted,
as all portions are: those asked for, less those the friends' orders have taken. So a friend's order
that lapses or is canceled returns its portions to the friends by itself, and a starter who cancels,
or whose payment fails, reserves nothing anymore.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.common.signed_ids import signed_text
from apps.common.signing import signer
from apps.offers.models import SpecialOffer
from apps.offers.presentation import Special
from apps.offers.seats import SeatsState
from apps.offers.serving import Serving, serving_of
from apps.offers.states import OfferStatus
from apps.preorders.core.email_queue import queue_email, queue_emails
from apps.preorders.core.selectors import slot_label, was_canceled_alone
from apps.preorders.models import PreOrder
from apps.preorders.models.states import COUNTED_PAYMENTS, EmailKind, PreOrderStatus
from apps.restaurants.hosts import absolute_url

# The most that one guest can reserve for friends; one order's maximum can be less.
MAX_FRIEND_PORTIONS = 8
# Portions are reserved for half of the time to the deadline at most, so that others can still order
# what friends didn't, but at least for this long, and until a round time.
MIN_FRIENDS_TIME = timedelta(minutes=15)
QUARTER_HOUR = timedelta(minutes=15)
# On the restaurant's clock: a reservation doesn't end while friends sleep.
NIGHT_FROM, NIGHT_UNTIL = time(22), time(8)


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend who ordered: the first name, empty if they don't show it, and the time they chose,
    empty without times."""

    first_name: str
    portions: int
    time: str = ""


@dataclass(frozen=True, slots=True)
class FriendsOf:
    """What friends see on the page of their link: whose friends they are, how many portions are
    reserved for them and until when, and the pickup time and the mode their friend
    chose."""

    starter: PreOrder
    portions: int

    @property
    def name(self) -> str:
        return first_name(self.starter.customer_name)

    @property
    def sentence(self) -> str:
        """For the seats of a special whose last portions these are."""
        text = ngettext(
            "%(name)s reserved %(portions)s for a friend",
            "%(name)s reserved %(portions)s for friends",
            self.portions,
        )
        return text % {"name": self.name, "portions": self.portions}

    @property
    def has_left(self) -> bool:
        """Whether the starter's order has ended."""
        return self.starter.status == PreOrderStatus.CANCELLED

    @property
    def until(self) -> str:
        assert self.starter.friends_until is not None
        return formats.moment(self.starter.friends_until, self.starter.offer.restaurant.zone)

    @property
    def time(self) -> str:
        """The time that their friend chose; empty without times."""
        return slot_label(self.starter)

    @property
    def serving(self) -> Serving:
        """As their friend chose it."""
        starter = self.starter
        return serving_of(starter.offer, starter.pickup_slot, starter.service_mode)

    @property
    def slot_id(self) -> str:
        return str(self.starter.pickup_slot_id or "")

    @property
    def service_mode(self) -> str:
        return self.starter.service_mode

    @property
    def url(self) -> str:
        return friends_url(self.starter)

    @property
    def action(self) -> str:
        """Where the order form is sent."""
        return friends_path(self.starter, then="/order")

    def limit(self, special: Special) -> int:
        """The most portions one of them can order: those reserved, and what is left for all."""
        left = special.portions_left
        most: int = special.offer.max_per_order
        return most if left is None else min(most, left + self.portions)


def friends_of(starter: PreOrder, *, now: datetime) -> FriendsOf:
    return FriendsOf(starter, portions_left(starter, now=now))


def friends_until_for(offer: SpecialOffer, now: datetime) -> datetime:
    """Until when the portions that a guest asks for now are reserved: for as many hours as the
    special allows, but half of the time to the deadline at most; down to a quarter of an hour,
    unless that leaves friends less than `MIN_FRIENDS_TIME`. At night it is the evening before, if
    that leaves them half of the time."""
    latest: datetime = min(now + timedelta(hours=offer.friend_hours), offer.deadline)
    until = _quarter_before(min(latest, now + (offer.deadline - now) / 2))
    evening = _evening_before(until, offer.restaurant.zone)
    if evening - now >= (until - now) / 2:
        until = evening
    soonest = now + MIN_FRIENDS_TIME
    if until < soonest:
        until = _quarter_before(soonest + QUARTER_HOUR - timedelta.resolution)
    return min(until, latest)


def _quarter_before(moment: datetime) -> datetime:
    """The quarter of an hour at or before it. Zones differ by whole quarters, so UTC will do."""
    return moment - (moment - datetime.min.replace(tzinfo=UTC)) % QUARTER_HOUR


def _evening_before(moment: datetime, zone: tzinfo) -> datetime:
    """When the night that the moment is in begins; by day, the moment itself."""
    local = moment.astimezone(zone)
    if NIGHT_UNTIL <= local.time() <= NIGHT_FROM:
        return moment
    day = local.date() - timedelta(days=local.time() < NIGHT_UNTIL)
    return datetime.combine(day, NIGHT_FROM, zone).astimezone(UTC)


def portions_for_friends(offer: SpecialOffer) -> int:
    """Portions that guests of the offer reserve for friends who haven't ordered yet. Those whose
    time is over count until `end_overdue`, because nobody else was told that they are free."""
    return sum(left for _, left in PreOrder.objects.filter(offer=offer).left_for_friends())


def portions_left(starter: PreOrder, *, now: datetime) -> int:
    """The portions still reserved for this guest's friends."""
    if not starter.friend_portions or starter.friends_until is None or starter.friends_until <= now:
        return 0
    return sum(left for _, left in PreOrder.objects.filter(pk=starter.pk).left_for_friends())


def portions_ordered(starter: PreOrder) -> int:
    """The portions in the orders of this guest's friends, also those at the card form."""
    return PreOrder.objects.filter(friend_of=starter).reserving().portions()


def portions_left_for(order: PreOrder, *, now: datetime) -> int:
    """The portions still reserved for the friends this order's guest is one of."""
    return portions_left(order.friend_of, now=now) if order.friend_of else 0


def reserved_again_by(order: PreOrder, *, now: datetime) -> str:
    """The first name of the guest for whose friends this order's portions are reserved again once
    it is canceled; empty if they are open to everybody then."""
    starter = order.friend_of
    if starter is None or starter.friends_until is None or starter.friends_until <= now:
        return ""
    others = PreOrder.objects.filter(friend_of=starter).exclude(pk=order.pk)
    is_reserved = others.reserving().portions() < starter.friend_portions
    return first_name(starter.customer_name) if is_reserved else ""


def end_overdue(offer: SpecialOffer, *, now: datetime) -> int:
    """Open what friends didn't order in time to everybody; returns for how many guests. The caller
    holds the offer's lock and counts its portions afterwards."""
    overdue = PreOrder.objects.filter(offer=offer, friend_portions__gt=0, friends_until__lte=now)
    return overdue.update(friend_portions=0)


def offers_overdue(*, now: datetime) -> Iterable[UUID]:
    """The offers with portions reserved for friends whose time is over."""
    overdue = PreOrder.objects.filter(friend_portions__gt=0, friends_until__lte=now)
    return overdue.order_by().values_list("offer", flat=True).distinct()


def friends_who_ordered(starter: PreOrder) -> list[Friend]:
    """The friends whose card is held or charged, in the order they came."""
    orders = (
        PreOrder.objects.filter(friend_of=starter)
        .counted()
        .select_related("pickup_slot", "offer__restaurant")
        .order_by("authorized_at", "created_at", "pk")
    )
    return [Friend(shown_first_name(order), order.quantity, slot_label(order)) for order in orders]


def invitation_to_friends(special: Special, url: str, *, left: int = 0, until: str = "") -> str:
    """What a guest writes to a friend; the day alone, because each chooses a time. `left` portions
    are reserved for friends `until` then."""
    facts = {
        "dish": special.name,
        "restaurant": special.restaurant.name,
        "day": formats.day(special.offer.serve_date),
        "until": until,
        "gap": special.gap,
        "deadline": special.deadline,
        **special.prices,
    }
    sentences = [
        _("I'm in for %(dish)s at %(restaurant)s on %(day)s: %(price)s instead of %(regular)s.")
    ]
    if left:
        sentences.append(
            ngettext(
                "I reserved a portion for you until %(until)s.",
                "I reserved portions for friends until %(until)s.",
                left,
            )
        )
    is_short = special.state == SeatsState.OPEN
    sentences.append(_("%(gap)s, and you pay only then.") if is_short else "%(gap)s.")
    if special.takes_orders and not left:
        sentences.append(_("Order by %(deadline)s and join me."))
    return (" ".join(sentences) % facts).removesuffix(".") + f": {url}"


def shown_first_name(order: PreOrder) -> str:
    """A friend's first name, for the guest who invited them; empty if they don't show it."""
    return first_name(order.customer_name) if order.shows_first_name else ""


def starter_name(order: PreOrder) -> str:
    """The first name of the guest whose friend this order's guest is; empty for nobody's, and once
    that guest canceled."""
    starter = order.friend_of
    if starter is None or starter.status == PreOrderStatus.CANCELLED:
        return ""
    return first_name(starter.customer_name)


def when_and_invited_by(order: PreOrder) -> str:
    """`Wed, Dec 2 · 5:00–5:30 PM · Dine in · Invited by Ana`, for a payment that begins; whatever
    becomes of that guest's order meanwhile, and at whichever time that guest comes."""
    starter = order.friend_of
    if starter is None:
        return order.serving.text
    invited_by = _("Invited by %(name)s") % {"name": first_name(starter.customer_name)}
    return f"{order.serving.text} · {invited_by}"


def starter_who_left(order: PreOrder) -> str:
    """The first name of the guest whose link this order was placed with, if that guest canceled and
    this order still counts; else empty."""
    starter = order.friend_of
    if starter is None or not is_awaited(order) or not was_canceled_alone(starter):
        return ""
    counts = PreOrder.objects.counted().filter(pk=order.pk).exists()
    return first_name(starter.customer_name) if counts else ""


def is_awaited(order: PreOrder) -> bool:
    """Whether the order's guest is to come, as far as anybody knows."""
    has_failed = order.offer.status in (OfferStatus.FAILED, OfferStatus.DELETED)
    return order.status in (PreOrderStatus.PENDING, PreOrderStatus.CONFIRMED) and not has_failed


def starter_time(order: PreOrder) -> str:
    """The time of the guest whose friend this order's guest is, if they chose another one."""
    starter = order.friend_of
    is_other = starter is not None and starter.pickup_slot_id != order.pickup_slot_id
    return slot_label(starter) if starter is not None and is_other else ""


def tell_starter(order: PreOrder, *, now: datetime) -> None:
    """A friend's card is held: email the guest whose link they followed."""
    _email_starter(order, EmailKind.FRIEND_JOINED, now=now)


def tell_of_cancellation(order: PreOrder, *, now: datetime) -> None:
    """The order was canceled, and not its special: email those its guest would have come with, the
    friends whose orders count, once each, or the guest whose friend it is (decision 179)."""
    _tell_friends(order, now=now)
    if order.payment_status in COUNTED_PAYMENTS:
        _email_starter(order, EmailKind.FRIEND_LEFT, now=now)


def _email_starter(order: PreOrder, kind: EmailKind, *, now: datetime) -> None:
    starter = order.friend_of
    if starter is None or starter.status == PreOrderStatus.CANCELLED:
        return
    if starter.customer_email.lower() != order.customer_email.lower():
        queue_email(starter, kind, now=now, again=True, friend=order)


def _tell_friends(starter: PreOrder, *, now: datetime) -> None:
    if starter.friends_until is None:
        return
    friends = PreOrder.objects.filter(friend_of=starter).counted()
    others = friends.exclude(customer_email__iexact=starter.customer_email)
    queue_emails(list(others), EmailKind.FRIEND_CANCELED, now=now)


def tell_friends_of_time(starter: PreOrder, *, now: datetime) -> None:
    """The guest comes at another time: email the friends who come at a different one, unless an
    email that will say so waits (decision 181)."""
    if starter.friends_until is None:
        return
    friends = PreOrder.objects.filter(friend_of=starter).counted()
    others = friends.exclude(customer_email__iexact=starter.customer_email)
    for friend in others.exclude(pickup_slot=starter.pickup_slot_id):
        waiting = friend.emails.filter(kind=EmailKind.FRIEND_MOVED, sent_at=None, dropped_at=None)
        if not waiting.exists():
            queue_email(friend, EmailKind.FRIEND_MOVED, now=now, again=True)


def first_name(name: str) -> str:
    return (name.split() or [""])[0]


def greeting_name(name: str) -> str:
    """How a guest is addressed: by the first name, or by the whole name if it begins with a title
    ("Dr. Weiss")."""
    first = first_name(name)
    return name if first.endswith(".") else first


# The link for the friends. It contains the starter's share code, which says nothing about the
# order; the signature keeps those out who only got the share link.


def friends_path(starter: PreOrder, *, then: str = "") -> str:
    """The path of the link; `then` is appended, such as `/order`."""
    return f"/specials/{starter.offer_id}/friends/{friends_token(starter)}{then}"


def friends_url(starter: PreOrder) -> str:
    """The absolute link, on the restaurant's host."""
    return absolute_url(friends_path(starter), restaurant=starter.offer.restaurant)


def friends_token(starter: PreOrder) -> str:
    return signer(_links(starter.offer_id)).sign(starter.share_code)


def starter_for_token(token: str, *, offer: SpecialOffer) -> PreOrder | None:
    """The order of the guest whose friends the link is for; None for a link we didn't sign for this
    special, or of a guest who reserved nothing."""
    code = signed_text(_links(offer.pk), token)
    if not code:
        return None
    starters = PreOrder.objects.filter(offer=offer, friends_until__isnull=False)
    found = starters.filter(share_code=code).first()
    if found:
        found.offer = offer
    return found


def _links(offer_id: UUID) -> str:
    return f"preorders.friends_links:{offer_id}"
