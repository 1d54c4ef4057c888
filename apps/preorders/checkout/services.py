"""Starting an order: from a filled-in form to the payment provider's checkout page."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from apps.accounts.models import User
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.languages import spoken
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.offers.serving import check_service_mode
from apps.offers.sold_dishes import dish_now
from apps.offers.versions import GUEST_TERMS_UPDATED, current_version
from apps.preorders.checkout.acceptance import (
    DISH_CHANGED,
    NO_FRIENDS_LINK,
    NO_OFFER,
    agreed_alternative,
    check_open,
    check_phone,
    check_portions,
    check_price,
)
from apps.preorders.checkout.limits import Origin, check_portions_without_card
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, open_checkout
from apps.preorders.checkout.terms import consent_text
from apps.preorders.core.friends import starter_for_token
from apps.preorders.core.languages import follow_language
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import Price, price_order
from apps.preorders.core.referrals import referrer_for
from apps.preorders.core.reservations import RESERVATION_TIME, is_reserved, lapse_own, reserve_again
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import OrderSource

# A repeated order gets its first checkout back while that has at least this long to live.
MIN_REMAINING_CHECKOUT = timedelta(minutes=10)
# The same order again within this time is a double press.
PRESSED_TWICE = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class GuestDetails:
    """The guest, as typed into the form. An order by phone may have no email address."""

    name: str
    email: str
    phone: str


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """A validated order: `note` is for the kitchen, `slot_id` the pickup time, `service_mode` how
    the guest wants it, empty if they didn't say, `alternative_price` the most one portion of the
    alternative may cost, None to release the hold instead (DECISIONS X18), `referral_code` the code
    of the share link that led here, `taken_by` who took an order by phone, `friend_of` the order of
    the guest who reserved portions for this one, who sees their first name with `shows_first_name`
    (decision 88)."""

    quantity: int
    guest: GuestDetails
    note: str = ""
    alternative_price: Decimal | None = None
    slot_id: int | None = None
    source: OrderSource = OrderSource.WEB
    referral_code: str = ""
    taken_by: User | None = None
    friend_of: PreOrder | None = None
    shows_first_name: bool = False
    service_mode: str = ""


def begin_order(
    *,
    offer_id: UUID,
    quantity: int,
    guest: GuestDetails,
    claimed_total: Decimal | None,
    now: datetime,
    alternative_consent: bool = False,
    note: str = "",
    slot_id: int | None = None,
    service_mode: str = "",
    referral_code: str = "",
    shown_dish: str = "",
    friends_link: str = "",
    shows_first_name: bool = False,
    pays_here: bool = False,
    known: Collection[UUID] = (),
    origin: Origin | None = None,
) -> PreOrder:
    """Reserve the portions and open a checkout page; the order's `checkout_url` leads to it. With
    `pays_here`, the card is given on our own page instead, as for a cart: the order is then a cart
    with one special, whose intent is created when that page is opened (decision 177).

    `claimed_total` is what the client showed the guest; it is checked, never trusted (DECISIONS
    X4). With `alternative_consent`, the guest takes the alternative if the minimum is missed, at
    today's price at most (X18). `shown_dish` is the `fingerprint` of the dish on the guest's page;
    one that has changed since is refused. `note` is for the kitchen; `slot_id` is the pickup time,
    required where the offer has some; `service_mode` is how the guest wants an offer that is served
    both ways. The same guest ordering the same again while the first checkout is open gets that
    checkout back, if the browser has access to that order, which is then in `known`, or at once, so
    that a double press makes one order; anybody can type a name and an address. `friends_link` is
    the end of the link of a guest who reserved portions for friends: those are taken first, others
    where they are used up (decision 88). `origin` is where it comes from, for the limits of
    checkouts without a card.

    Raises NotFound for an offer that is not this restaurant's, Conflict when it can no longer be
    ordered, or not that many of it, Invalid for input the guest can correct, TooManyAttempts and
    BotCheckNeeded as `limits` says, Unavailable when the payment provider does not answer (nothing
    is reserved then), StillTrying when it is too busy (the portions are reserved for the next
    attempt).
    """
    with transaction.atomic():
        try:
            offer = lock_offer(offer_id)
        except SpecialOffer.DoesNotExist:
            raise NotFound(NO_OFFER) from None
        check_open(offer, now)
        check_phone(offer.restaurant, guest.phone)
        check_service_mode(offer, service_mode)
        if shown_dish and shown_dish != dish_now(offer).fingerprint:
            raise Conflict(DISH_CHANGED)
        price = price_order(offer, quantity)
        if claimed_total is not None:
            check_price(price, claimed_total, currency=offer.restaurant.currency)
        agreed = agreed_alternative(offer) if alternative_consent else None
        friend_of = starter_of(friends_link, offer)
        request = OrderRequest(
            quantity,
            guest,
            note,
            agreed,
            slot_id,
            referral_code=friend_of.share_code if friend_of else referral_code,
            friend_of=friend_of,
            shows_first_name=friend_of is not None and shows_first_name,
            service_mode=service_mode,
        )
        earlier = open_checkouts(offer, email=guest.email)
        device = origin.device if origin else ""
        order = same_order(
            earlier, request, price, now, pays_here=pays_here, known=known, device=device
        )
        if order is None or not is_reserved(order):
            if origin is not None:
                lapse_own(earlier, device=origin.device)
            taken = check_portions(offer, quantity, now, friend_of=friend_of)
            starter = friend_of.pk if friend_of else None
            choose_slot(offer, slot_id, portions=quantity, friend_of=starter)
            check_portions_without_card(
                offer, quantity, email=guest.email, phone=guest.phone, origin=origin, now=now
            )
            if order is None:
                order = reserve(
                    offer,
                    request,
                    price,
                    expires_at=now + CHECKOUT_LIFE,
                    now=now,
                    cart=cart_of_one(offer, now) if pays_here else None,
                    origin=origin,
                )
            else:
                order.offer = offer
                reserve_again(order, now=now)
            save_counts(offer, ordered=offer.ordered_portions, reserved=taken + quantity, now=now)
        follow_language(order)
    if not order.checkout_url and not pays_here:
        open_checkout(order, now)
    return order


def cart_of_one(offer: SpecialOffer, now: datetime) -> Cart:
    """For an order whose card is given on our own page."""
    return Cart.objects.create(restaurant_id=offer.restaurant_id, created_at=now)


def open_checkouts(offer: SpecialOffer, *, email: str) -> list[PreOrder]:
    """The guest's own orders of the offer that are in checkout, first the oldest."""
    in_checkout = PreOrder.objects.in_checkout().filter(offer=offer, customer_email__iexact=email)
    # Few guests have one, and a whole row takes long to ask for.
    found = list(in_checkout.values_list("pk", flat=True))
    return list(PreOrder.objects.filter(pk__in=found).order_by("created_at")) if found else []


def same_order(
    earlier: Iterable[PreOrder],
    request: OrderRequest,
    price: Price,
    now: datetime,
    *,
    pays_here: bool = False,
    known: Collection[UUID] = (),
    device: str = "",
) -> PreOrder | None:
    """The same order among the guest's `open_checkouts`, paid the same way, if it is `known` to
    whoever asks or was placed just now on the same `device`, and its page stays open long enough.
    In another language it isn't: its payment page and the terms agreed to are in the first one. Nor
    is one of several in a cart: they have one card."""
    wanted = (
        request.quantity,
        request.guest.name,
        request.guest.phone,
        request.note,
        request.slot_id,
        request.service_mode,
        request.alternative_price,
        request.source,
        request.friend_of and request.friend_of.pk,
        request.shows_first_name,
        price.total.amount,
        spoken(),
        pays_here,
    )
    for order in earlier:
        ordered = (
            order.quantity,
            order.customer_name,
            order.customer_phone,
            order.note,
            order.pickup_slot_id,
            order.service_mode,
            order.alternative_price,
            order.source,
            order.friend_of_id,
            order.shows_first_name,
            order.total_amount,
            order.language,
            order.cart_id is not None,
        )
        expires_at = order.checkout_expires_at
        is_open = expires_at is not None and expires_at > now + MIN_REMAINING_CHECKOUT
        is_pressed_twice = order.created_at > now - PRESSED_TWICE and order.origin_device == device
        is_theirs = order.pk in known or is_pressed_twice
        if ordered == wanted and is_open and is_theirs and _is_alone(order):
            return order
    return None


def _is_alone(order: PreOrder) -> bool:
    """Whether nothing else was ordered with the same card."""
    if order.cart_id is None:
        return True
    return not PreOrder.objects.filter(cart=order.cart_id).exclude(pk=order.pk).exists()


def starter_of(friends_link: str, offer: SpecialOffer) -> PreOrder | None:
    """The order of the guest whose link for friends led here, or None without a link. Raises
    Invalid for a link of another special or one that isn't ours."""
    starter = starter_for_token(friends_link, offer=offer)
    if friends_link and starter is None:
        raise Invalid.because([FieldError("friendsLink", str(NO_FRIENDS_LINK))])
    return starter


def reserve(
    offer: SpecialOffer,
    request: OrderRequest,
    price: Price,
    *,
    expires_at: datetime,
    now: datetime,
    cart: Cart | None = None,
    origin: Origin | None = None,
    reserved_until: datetime | None = None,
) -> PreOrder:
    """Create the order, with its portions reserved until `reserved_until`: for the usual time, but
    as long as the checkout for an order by phone, because the restaurant took it."""
    if reserved_until is None and request.source != OrderSource.PHONE:
        reserved_until = now + RESERVATION_TIME
    order = PreOrder(
        restaurant_id=offer.restaurant_id,
        offer=offer,
        sold=current_version(offer, now=now),
        terms_version=str(GUEST_TERMS_UPDATED),
        cart=cart,
        quantity=request.quantity,
        unit_price=price.unit.amount,
        subtotal=price.subtotal.amount,
        tax_rate=price.tax_rate,
        tax=price.tax.amount,
        total_amount=price.total.amount,
        revenue_share_rate=offer.revenue_share_rate,
        revenue_share=price.fees.revenue_share.amount,
        processing_fee=price.fees.processing.amount,
        source=request.source,
        user=request.taken_by,
        referred_by=referrer_for(
            offer, referral_code=request.referral_code, email=request.guest.email
        ),
        customer_name=request.guest.name,
        customer_email=request.guest.email,
        customer_phone=request.guest.phone,
        friend_of=request.friend_of,
        shows_first_name=request.shows_first_name,
        note=request.note,
        pickup_slot_id=request.slot_id,
        service_mode=request.service_mode,
        alternative_price=request.alternative_price,
        checkout_expires_at=expires_at,
        reserved_until=reserved_until,
        origin_network=origin.network if origin else "",
        origin_device=origin.device if origin else "",
        created_at=now,
    )
    order.consent_text = consent_text(order, now)
    if cart is None and request.source == OrderSource.WEB:
        order.consented_at = now  # the others agree by giving a card
    order.save(force_insert=True)
    return order
