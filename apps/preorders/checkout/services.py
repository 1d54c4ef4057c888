"""Starting an order: from a filled-in form to the payment provider's checkout page."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from time import sleep
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.accounts.models import User
from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import (
    Busy,
    Charge,
    Checkout,
    CheckoutRequest,
    GatewayError,
    StillWorking,
    Unreachable,
)
from apps.billing.new_restaurants import new_restaurant_limit
from apps.common import formats
from apps.common.errors import Conflict, FieldError, Invalid, NotFound, Unavailable
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.offers.card_terms import AGREES_TO_TERMS, Instead, card_terms, early_charge_terms
from apps.offers.locks import lock_offer, read_currency
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.offers.sold_dishes import dish_now
from apps.offers.states import OfferStatus
from apps.offers.versions import GUEST_TERMS_UPDATED, current_version
from apps.preorders.checkout.limits import Origin, check_portions_without_card
from apps.preorders.core.email_queue import queue_email
from apps.preorders.core.locks import lock_order
from apps.preorders.core.portions import recount, reserved_portions, save_counts
from apps.preorders.core.pricing import Price, price_alternative, price_order
from apps.preorders.core.referrals import referrer_for
from apps.preorders.core.reservations import (
    RESERVATION_TIME,
    is_reserved,
    lapse_own,
    lapse_reservations,
    reserve_again,
)
from apps.preorders.core.selectors import released_first
from apps.preorders.core.transitions import set_order_status
from apps.preorders.core.waitlist import return_to_waitlist
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.restaurants.hosts import absolute_url

logger = logging.getLogger(__name__)
T = TypeVar("T")

# A hosted checkout lives at least 30 minutes; one more minute in case clocks differ.
CHECKOUT_LIFE = timedelta(minutes=31)

# A repeated order gets its first checkout back while that has at least this long to live.
MIN_REMAINING_CHECKOUT = timedelta(minutes=10)

# Seconds that a second press of the button waits for the first one's page, per attempt.
DOUBLE_SUBMIT_WINDOWS = (0.2, 0.4, 0.8)

NO_OFFER = gettext_lazy("We couldn't find this special. Check the link and try again.")
PAYMENTS_CLOSED = gettext_lazy("Pre-orders open soon")  # DECISIONS X68
DISH_CHANGED = gettext_lazy(
    "The restaurant just changed this dish. Read it again, then order. Your card wasn't held or "
    "charged."
)
PRICE_CHANGED = gettext_lazy("Price has changed")  # DECISIONS X4
OFFER_CLOSED = gettext_lazy(
    "Orders for this special have closed. Your card wasn't held or charged."
)
PROCESSOR_DOWN = gettext_lazy("Unable to process payment. Please try again.")


STILL_TRYING = gettext_lazy(
    "Lots of people are ordering right now. Your portions are set aside, and your card wasn't held "
    "or charged. Press the button again in a few seconds to continue."
)


class StillTrying(Unavailable):
    """Our calls are at Stripe's limit; nothing is lost, and the same request continues later."""

    code = "busy"
    retry_after = 3

    def __init__(self) -> None:
        super().__init__(STILL_TRYING)


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


def check_open(offer: SpecialOffer, now: datetime) -> None:
    """Raise unless this offer, which is locked, takes orders."""
    read_currency(offer)
    if offer.status == OfferStatus.DELETED:
        raise NotFound(_("This special is no longer available."))
    if offer.status != OfferStatus.ACTIVE or now >= offer.deadline:
        raise Conflict(OFFER_CLOSED)
    account = getattr(offer.restaurant, "connect_account", None)
    if account is None or not account.charges_enabled:
        raise Conflict(PAYMENTS_CLOSED)


def check_price(price: Price, claimed_total: Decimal, *, currency: str) -> None:
    try:
        claimed = Money.of(claimed_total)
    except ValueError:
        claimed = Money(-1)
    if not price.accepts(claimed):
        message = _("Price has changed. It's now %(total)s with tax. Reload the page to see it.")
        message %= {"total": formats.money(price.total, currency)}
        raise Invalid(PRICE_CHANGED, fields=[FieldError("totalAmount", message)])


def check_portions(offer: SpecialOffer, quantity: int, now: datetime) -> int:
    """Check the per-order maximum, the cap, and what a new restaurant can take in all, under the
    offer's lock (DECISIONS X25, decision 47). Returns the portions already reserved."""
    if quantity > offer.max_per_order:
        message = ngettext(
            "You can order up to %(number)s portion at once.",
            "You can order up to %(number)s portions at once.",
            offer.max_per_order,
        ) % {"number": offer.max_per_order}
        raise Invalid.because([FieldError("quantity", message)])
    limit = new_restaurant_limit(offer.restaurant)
    if limit and price_order(offer, quantity).total > limit.left:
        raise Conflict(_limit_reached(offer))
    if offer.max_preorders is None:
        return offer.reserved_portions
    taken = reserved_portions(offer)
    if quantity > offer.max_preorders - taken and lapse_reservations(offer, now=now):
        taken = reserved_portions(offer)
    left = max(0, offer.max_preorders - taken)
    if quantity > left:
        if not left:
            message = _("Sold out. Your card wasn't held or charged.")
        elif left == 1:
            message = _("Only 1 portion is left. Order 1 or choose another special.")
        else:
            message = _("Only %(left)s portions are left. Order %(left)s or fewer.") % {
                "left": left
            }
        raise Conflict(message, fields=[FieldError("quantity", message)])
    return taken


def _limit_reached(offer: SpecialOffer) -> str:
    return _(
        "%(restaurant)s is new here and can't take more pre-orders right now. Your card wasn't "
        "held or charged. Try again in a few days, or ask the restaurant."
    ) % {"restaurant": offer.restaurant.name}


def agreed_alternative(offer: SpecialOffer) -> Decimal | None:
    """Today's price of one portion of the alternative; None when the offer has none."""
    dish = offer.alternative_dish if offer.has_alternative else None
    return dish.price if dish else None


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


def consent_text(order: PreOrder, now: datetime) -> str:
    """What a guest agrees to by ordering, in the active language: stored with the order."""
    return f"{terms_of(order, now)} {AGREES_TO_TERMS}"


def charge_of(order: PreOrder) -> Charge:
    """What the payment provider holds or charges for this order, and for whom."""
    fees = Money.of(order.revenue_share) + Money.of(order.processing_fee)
    return Charge(
        pre_order_id=str(order.pk),
        amount=Money.of(order.total_amount),
        fee=fees,
        currency=order.offer.restaurant.currency,
        destination=order.offer.restaurant.connect_account.account_id,
        description=f"{order.quantity} × {order.served_name} ({order.code})",
    )


def confirmation_url(order: PreOrder) -> str:
    """Where the checkout page returns to; the payment provider fills in the session's id."""
    path = f"/pre-order-confirmation?preorder={order.pk}&dish={order.offer_id}"
    return absolute_url(
        f"{path}&session_id={{CHECKOUT_SESSION_ID}}", restaurant=order.offer.restaurant
    )


def checkout_request(
    order: PreOrder, *, expires_at: datetime, hold_only: bool, note: str, back: str = ""
) -> CheckoutRequest:
    """What the hosted page says, in the order's language, and does for this order. `back` is where
    it leads afterwards, used or not, for an order that was finished once before."""
    offer = order.offer
    left = f"/specials/{offer.pk}?cancelled=1&preorder={order.pk}"
    with translation.override(order.language):
        item_name = _("%(dish)s (%(portions)s, tax included)") % {
            "dish": order.served_name,
            "portions": formats.portions(order.quantity),
        }
        item_description = _("%(restaurant)s, %(day)s") % {
            "restaurant": offer.restaurant.name,
            "day": formats.day(offer.serve_date),
        }
    return CheckoutRequest(
        charge=charge_of(order),
        item_name=item_name,
        item_description=item_description,
        customer_email=order.customer_email,
        success_url=back or confirmation_url(order),
        cancel_url=back or absolute_url(left, restaurant=offer.restaurant),
        expires_at=expires_at,
        hold_only=hold_only,
        submit_note=note,
        locale=order.language.partition("-")[0],
    )


def terms_of(order: PreOrder, now: datetime) -> str:
    """What happens to the card of this order, in the active language."""
    price = price_alternative(order)
    instead = None
    currency = order.offer.restaurant.currency
    if price is not None and order.sold.alternative_name:
        instead = Instead(order.sold.alternative_name, formats.money(price.total, currency))
    if order.payment_status == PaymentStatus.CAPTURED:
        charged = formats.money(order.total_amount, currency)
        return early_charge_terms(order.offer, now, charged=charged, instead=instead)
    return card_terms(order.offer, now, instead=instead)


def card_note(order: PreOrder, now: datetime) -> str:
    """What happens to the card, for the payment provider's page, in the order's language: a worker
    may open that page."""
    with translation.override(order.language):
        return terms_of(order, now)


def charge_note(order: PreOrder) -> str:
    """The same for a page that charges at once, after a declined charge."""
    with translation.override(order.language):
        return _("We'll charge your card now. %(restaurant)s is making your %(dish)s.") % {
            "restaurant": order.offer.restaurant.name,
            "dish": order.served_name,
        }


def open_checkout(order: PreOrder, now: datetime) -> None:
    """Create the checkout page, outside any transaction. The idempotency key comes from the order,
    so concurrent calls create one session. Phone orders get the link by email."""
    by_phone = order.source == OrderSource.PHONE
    request = checkout_request(
        order,
        expires_at=order.checkout_expires_at,
        hold_only=True,
        # The caller saw no page of ours, so this page asks for the consent.
        note=order.consent_text if by_phone else card_note(order, now),
    )
    try:
        checkout = payment_page_again(
            lambda: gateway.create_checkout(request, key=f"checkout:{order.pk}")
        )
    except Busy as error:
        # The portions stay reserved: the same request continues with this order.
        raise StillTrying from error
    except GatewayError as error:
        logger.warning("no checkout for order %s: %s", order.pk, error)
        if not isinstance(error, StillWorking):  # else another request is working on the order
            cause = Cause(ReasonCode.PROVIDER_UNREACHABLE)
            give_up(order.pk, now=now, cause=cause, unopened=True)
        raise Unavailable(PROCESSOR_DOWN) from error
    if not store_checkout(order, checkout, now):
        # The deadline ended the order while the page was created. If the page cannot be closed, it
        # expires on its own; nobody has its address.
        with suppress(GatewayError):
            gateway.expire_checkout(checkout.session_id)
        raise Conflict(OFFER_CLOSED)
    order.checkout_session_id, order.checkout_url = checkout.session_id, checkout.url


def store_checkout(order: PreOrder, checkout: Checkout, now: datetime) -> bool:
    """Save the page on the order; False when the order has ended meanwhile."""
    with transaction.atomic():
        updated = PreOrder.objects.filter(pk=order.pk, status=PreOrderStatus.PENDING).update(
            checkout_session_id=checkout.session_id, checkout_url=checkout.url
        )
        if updated and order.source == OrderSource.PHONE:
            queue_email(order, EmailKind.PAY_LINK, now=now, action_url=checkout.url)
    return updated > 0


def payment_page_again(ask: Callable[[], T]) -> T:
    """Call `ask` again after a lost answer, or while another request with the same key is still
    being processed. `ask` uses the same idempotency key each time."""
    for pause in DOUBLE_SUBMIT_WINDOWS:
        try:
            return ask()
        except Busy:  # the call has waited already
            raise
        except StillWorking:
            sleep(pause)
        except Unreachable:
            break
    return ask()


def was_opened(order: PreOrder) -> bool:
    """Whether the guest could ever enter a card: on a page, or for an intent to confirm."""
    by_cart = order.cart.setup_intent_id if order.cart else None
    return bool(order.checkout_session_id or order.payment_intent_id or by_cart)


def end_checkout(order: PreOrder, *, now: datetime, cause: Cause) -> None:
    """End an order without a card; the caller holds its lock. A guest who had a hold and let it go
    for a new one (decision 50) is told."""
    if released_first(order):
        queue_email(order, EmailKind.RELEASED, now=now)
        cause = Cause(ReasonCode.NOT_REPLACED)
    set_order_status(order, PreOrderStatus.CANCELLED, now=now, cause=cause)


def give_up(order_id: UUID, *, now: datetime, cause: Cause, unopened: bool = False) -> bool:
    """End an order that is still in checkout and free its portions. False when it is past checkout
    or, with `unopened`, when the guest could enter a card meanwhile."""
    with transaction.atomic():
        order = lock_order(order_id)
        if unopened and was_opened(order):
            return False
        if not PreOrder.objects.filter(pk=order_id).in_checkout().exists():
            return False
        end_checkout(order, now=now, cause=cause)
        return_to_waitlist(order, now=now)
        recount(order.offer)
    return True
