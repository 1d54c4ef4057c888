"""Limits of checkouts without a card and of declined cards (decision 51).

Starting a checkout needs no card, so it could keep portions from others, and every checkout lets
somebody try card numbers. What one guest, browser or network does there is counted: past a soft
limit the guest passes a bot check first, past a hard one no checkout starts. A restaurant under
attack asks everybody for the bot check, and refuses nobody who passes it.

Stripe recommends both against card testing: https://docs.stripe.com/disputes/prevention/card-testing
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.db.models import Min, Q, Sum
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts import bot_check
from apps.accounts.api.throttles import AddressThrottle
from apps.accounts.bot_check import FormProof
from apps.accounts.rate_limits import EMAILS_PER_RECIPIENT, Limit, TooManyAttempts
from apps.common import clock
from apps.common.client_address import client_address, network_of
from apps.common.error_codes import ErrorCode
from apps.common.errors import DomainError, FieldError
from apps.common.signing import keyed_hash
from apps.offers.models import SpecialOffer
from apps.preorders.models import PreOrder
from apps.preorders.models.querysets import RESERVED_Q
from apps.preorders.models.states import CHECKOUT_STATUSES, OrderSource, ReservationStatus

logger = logging.getLogger(__name__)

_TIMES, _WINDOW_SECONDS = settings.PRE_ORDER_RATE
_HOUR = 60 * 60

# Checkouts that ended without a card count for this long: one that lapses and starts again would
# keep the same portions.
UNPAID_MEMORY = timedelta(hours=2)

# Checkouts that one network starts before its guests pass a bot check.
WAITLISTS_BY_NETWORK = Limit("waitlist", times=12, window=_HOUR)  # per special
JOINS_WITHOUT_CHECK = 3
STARTED_BY_NETWORK = Limit("checkouts-started", times=60, window=_HOUR)
# Declined cards: a checkout ends after so many; past a soft limit there is a bot check, past a hard
# one no further checkout. An email only has a soft limit, because anyone can type it.
DECLINES_BY_CHECKOUT = Limit("declines-by-checkout", times=5, window=24 * _HOUR)
DECLINES_BY_DEVICE = Limit("declines-by-device", times=5, window=_HOUR)
DECLINES_BY_NETWORK = Limit("declines-by-network", times=10, window=_HOUR)
DECLINES_BY_EMAIL = Limit("declines-by-email", times=5, window=_HOUR)
DECLINES_BY_RESTAURANT = Limit("declines-by-restaurant", times=30, window=_HOUR)
TOO_MANY_BY_DEVICE = Limit("too-many-declines-by-device", times=15, window=_HOUR)
TOO_MANY_BY_NETWORK = Limit("too-many-declines-by-network", times=30, window=_HOUR)
_DECLINES = (DECLINES_BY_DEVICE, DECLINES_BY_NETWORK, DECLINES_BY_EMAIL, DECLINES_BY_RESTAURANT)


class PreOrderThrottle(AddressThrottle):
    """Limits how many pre-orders one IP address can start."""

    limit = Limit("pre-orders", times=_TIMES, window=_WINDOW_SECONDS)


class CheckoutThrottle(AddressThrottle):
    """Limits the calls of one IP address about checkouts that it started. An order makes two, to
    begin and to end its payment, and one per further card, so that many guests behind one address
    are stopped by the limit of orders, and not at a third of it."""

    limit = Limit("checkout-steps", times=3 * _TIMES, window=_WINDOW_SECONDS)


# A page that shows a payment asks Stripe about it this often at most, whoever opens it.
READ_EVERY_SECONDS = 2
READS_BY_NETWORK = Limit("stripe-reads", times=120, window=60)


def can_read_stripe(request: HttpRequest, subject: str) -> bool:
    """Whether a page about `subject` may ask Stripe for news now. Otherwise it shows what we know,
    so nobody can use up Stripe's rate limit by opening pages."""
    if not cache.add(f"stripe-read:{subject}", 1, READ_EVERY_SECONDS):
        return False
    return READS_BY_NETWORK.record(client_address(request)) <= READS_BY_NETWORK.times


class BotCheckNeeded(DomainError):
    """The same request with a passed bot check is accepted; `botCheck` is what the check needs. If
    that is only time, a page sends its form again by itself."""

    code = ErrorCode.BOT_CHECK_NEEDED

    def __init__(self) -> None:
        if not settings.HCAPTCHA_SITE_KEY:
            self.retry_after = int(bot_check.MIN_FILL_TIME.total_seconds()) + 1
        message = _("One more step: confirm that you're a person, then send the form again.")
        super().__init__(
            message,
            fields=[FieldError("hcaptchaToken", message)],
            extra={"botCheck": bot_check.form_props(now=clock.now())},
        )


class TooManyUnpaid(TooManyAttempts):
    """Too many portions are in checkouts without a card that come from one browser or network."""

    code = ErrorCode.TOO_MANY_UNPAID

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.message = _(
            "Too many orders were started here without a card. Finish one of them, or try "
            "again later. You can also call the restaurant to order."
        )


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a checkout is started: keyed hashes of the network and of the browser in it, and
    whether its guest just passed a bot check."""

    network: str
    device: str
    is_checked: bool = False


def origin_of(request: HttpRequest, proof: FormProof, *, now: datetime) -> Origin:
    """Where the request comes from. Asks the bot check's provider if the request brings a proof.

    Raises BotSuspected if it doesn't pass.
    """
    address = client_address(request)
    network = network_of(address)
    if is_checked := bool(proof.token or proof.started or proof.website):
        bot_check.check_once(proof, address=address, now=now)
    browser = request.headers.get("User-Agent", "")
    return Origin(_digest(network), _digest(f"{network}\n{browser}"), is_checked)


def _digest(text: str) -> str:
    return keyed_hash("preorders.origin", text)[:32]


def check_start(origin: Origin, *, restaurant_id: UUID, email: str) -> None:
    """Before a checkout starts, outside its transaction. Raises TooManyAttempts, BotCheckNeeded."""
    if not settings.CHECKOUT_LIMITS:
        return
    TOO_MANY_BY_NETWORK.check(origin.network)
    TOO_MANY_BY_DEVICE.check(origin.device)
    started = STARTED_BY_NETWORK.record(origin.network)
    if origin.is_checked:
        return
    keys = (origin.device, origin.network, email, str(restaurant_id))
    under_pressure = any(
        key and limit.is_reached(key) for limit, key in zip(_DECLINES, keys, strict=True)
    )
    if under_pressure or started > STARTED_BY_NETWORK.times:
        raise BotCheckNeeded


def check_waitlist(origin: Origin, *, offer_id: UUID, email: str) -> None:
    """Before somebody joins a waitlist: joining emails an address that anyone can type, and
    reserves freed portions for it. Raises TooManyAttempts and BotCheckNeeded."""
    if not settings.CHECKOUT_LIMITS:
        return
    EMAILS_PER_RECIPIENT.count(email)
    joined = WAITLISTS_BY_NETWORK.record(f"{offer_id}:{origin.network}")
    if joined > WAITLISTS_BY_NETWORK.times:
        raise TooManyAttempts(WAITLISTS_BY_NETWORK.wait(f"{offer_id}:{origin.network}"))
    if joined > JOINS_WITHOUT_CHECK and not origin.is_checked:
        raise BotCheckNeeded


def check_portions_without_card(
    offer: SpecialOffer,
    quantity: int,
    *,
    email: str,
    phone: str,
    origin: Origin | None,
    now: datetime,
) -> None:
    """Limit what a guest, a browser, a network, and strangers together keep of a capped special
    without a card. The caller holds the offer's lock.

    An order of the usual size is always possible. Raises TooManyUnpaid and BotCheckNeeded.
    """
    if not settings.CHECKOUT_LIMITS or origin is None or offer.max_preorders is None:
        return
    one_order, capacity = offer.max_per_order, offer.max_preorders
    same = {
        "network": Q(origin_network=origin.network),
        "device": Q(origin_device=origin.device),
        "email": Q(customer_email__iexact=email) & ~Q(customer_email=""),
        "phone": Q(customer_phone=phone) & ~Q(customer_phone=""),
        "network_now": Q(RESERVED_Q, origin_network=origin.network),
        "anybody_now": RESERVED_Q,
    }
    unpaid = PreOrder.objects.filter(
        offer=offer,
        source=OrderSource.WEB,
        payment_status__in=sorted(CHECKOUT_STATUSES),
        created_at__gt=now - UNPAID_MEMORY,
    ).exclude(reservation=ReservationStatus.RETURNED)
    sums = {name: Sum("quantity", filter=which, default=0) for name, which in same.items()}
    known = unpaid.aggregate(**sums, first=Min("created_at", filter=same["network"]))
    with_this = {name: known[name] + quantity for name in same}
    half = max(one_order, capacity // 2)
    hard = {
        "network_now": half,
        "network": max(2 * one_order, half),
        "device": 2 * one_order,
    }
    if any(with_this[name] > limit for name, limit in hard.items()):
        if cache.add(f"too-many-unpaid:{offer.pk}:{origin.network}", 1, _HOUR):
            logger.warning("special %s: one network keeps too much without a card", offer.pk)
        wait = (known["first"] or now) + UNPAID_MEMORY - now
        raise TooManyUnpaid(max(1, int(wait.total_seconds())))
    soft = {
        "network": max(one_order, capacity // 4),
        "device": one_order,
        "email": one_order,
        "phone": one_order,
        "anybody_now": half,
    }
    if not origin.is_checked and any(with_this[name] > limit for name, limit in soft.items()):
        raise BotCheckNeeded


def record_decline(order: PreOrder) -> bool:
    """Count a declined card of a checkout; returns whether the checkout has had too many.

    The one place that counts, whichever way the card was entered: the news comes from Stripe.
    """
    for limit, key in (
        (DECLINES_BY_DEVICE, order.origin_device),
        (DECLINES_BY_NETWORK, order.origin_network),
        (DECLINES_BY_EMAIL, order.customer_email),
        (TOO_MANY_BY_DEVICE, order.origin_device),
        (TOO_MANY_BY_NETWORK, order.origin_network),
    ):
        if key and limit.record(key) == limit.times:
            logger.warning("order %s: limit %s is reached", order.pk, limit.name)
    checkout = str(order.cart_id or order.pk)
    return DECLINES_BY_CHECKOUT.record(checkout) >= DECLINES_BY_CHECKOUT.times


def is_card_testing(restaurant_id: UUID) -> bool:
    """Count a declined card at the restaurant; True once per hour, when they become too many."""
    limit = DECLINES_BY_RESTAURANT
    return limit.record(str(restaurant_id)) == limit.times


# How the calls that begin a checkout can refuse, of one special or of a cart.
CHECKOUT_REFUSALS = (
    ErrorCode.PRICE_CHANGED,
    ErrorCode.BOT_SUSPECTED,
    ErrorCode.BOT_CHECK_NEEDED,
    ErrorCode.ORDERS_CLOSED,
    ErrorCode.ORDERS_NOT_OPEN,
    ErrorCode.SOLD_OUT,
    ErrorCode.CONFLICT,
    ErrorCode.TOO_MANY_UNPAID,
    ErrorCode.UNAVAILABLE,
    ErrorCode.BUSY,
)
