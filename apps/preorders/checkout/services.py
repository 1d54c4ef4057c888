"""Starting an order: from a filled-in form to the payment provider's checkout page."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from apps.accounts.models import User
from apps.common.errors import Conflict, NotFound
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.offers.sold_dishes import dish_now
from apps.offers.versions import GUEST_TERMS_UPDATED, current_version
from apps.preorders.checkout.acceptance import (
    DISH_CHANGED,
    NO_OFFER,
    agreed_alternative,
    check_open,
    check_portions,
    check_price,
)
from apps.preorders.checkout.limits import Origin, check_portions_without_card
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, open_checkout
from apps.preorders.checkout.terms import consent_text
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import Price, price_order
from apps.preorders.core.referrals import referrer_for
from apps.preorders.core.reservations import RESERVATION_TIME, is_reserved, lapse_own, reserve_again
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import OrderSource

# A repeated order gets its first checkout back while that has at least this long to live.
MIN_REMAINING_CHECKOUT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class GuestDetails:
    """The guest, as typed into the form. An order by phone may have no email address."""

    name: str
    email: str
    phone: str


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """A validated order: `note` is for the kitchen, `slot_id` the pickup time, `alternative_price`
    the most one portion of the alternative may cost, None to release the hold instead (DECISIONS
    X18), `referral_code` the code of the share link that led here, `taken_by` who took an order by
    phone."""

    quantity: int
    guest: GuestDetails
    note: str = ""
    alternative_price: Decimal | None = None
    slot_id: int | None = None
    source: OrderSource = OrderSource.WEB
    referral_code: str = ""
    taken_by: User | None = None


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
    referral_code: str = "",
    shown_dish: str = "",
    origin: Origin | None = None,
) -> PreOrder:
    """Reserve the portions and open a checkout page; the order's `checkout_url` leads to it.

    `claimed_total` is what the client showed the guest; it is checked, never trusted (DECISIONS
    X4). With `alternative_consent`, the guest takes the alternative if the minimum is missed, at
    today's price at most (X18). `shown_dish` is the `fingerprint` of the dish on the guest's page;
    one that has changed since is refused. `note` is for the kitchen; `slot_id` is the pickup time,
    required where the offer has some. The same guest ordering the same again while the first
    checkout is open gets that checkout back, so a double press makes one order. `origin` is where
    it comes from, for the limits of checkouts without a card.

    Raises NotFound for an offer that is not this restaurant's, Conflict when it cannot be ordered
    any more or not that many, Invalid for input the guest can correct, TooManyAttempts and
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
        if shown_dish and shown_dish != dish_now(offer).fingerprint:
            raise Conflict(DISH_CHANGED)
        price = price_order(offer, quantity)
        if claimed_total is not None:
            check_price(price, claimed_total, currency=offer.restaurant.currency)
        agreed = agreed_alternative(offer) if alternative_consent else None
        request = OrderRequest(quantity, guest, note, agreed, slot_id, referral_code=referral_code)
        order = open_checkout_for(offer, request, price, now)
        if order is None or not is_reserved(order):
            if origin is not None:
                lapse_own(offer, device=origin.device, email=guest.email)
            taken = check_portions(offer, quantity, now)
            choose_slot(offer, slot_id, portions=quantity)
            check_portions_without_card(
                offer, quantity, email=guest.email, phone=guest.phone, origin=origin, now=now
            )
            if order is None:
                order = reserve(
                    offer, request, price, expires_at=now + CHECKOUT_LIFE, origin=origin, now=now
                )
            else:
                order.offer = offer
                reserve_again(order, now=now)
            save_counts(offer, ordered=offer.ordered_portions, reserved=taken + quantity)
    if not order.checkout_url:
        open_checkout(order, now)
    return order


def open_checkout_for(
    offer: SpecialOffer, request: OrderRequest, price: Price, now: datetime
) -> PreOrder | None:
    """The same order, started before and still open, if there is one."""
    return (
        PreOrder.objects.filter(
            offer=offer,
            quantity=request.quantity,
            customer_email__iexact=request.guest.email,
            customer_name=request.guest.name,
            customer_phone=request.guest.phone,
            note=request.note,
            pickup_slot_id=request.slot_id,
            alternative_price=request.alternative_price,
            source=request.source,
            cart=None,
            total_amount=price.total.amount,
            checkout_expires_at__gt=now + MIN_REMAINING_CHECKOUT,
        )
        .in_checkout()
        .first()
    )


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
        note=request.note,
        pickup_slot_id=request.slot_id,
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
