"""Starting a cart's checkout: every item is reserved, or none (DECISIONS X23–X25)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import clock, formats
from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, DomainError, FieldError, Invalid, NotFound
from apps.common.money import Money
from apps.offers.card_terms import AGREES_TO_TERMS, several_card_terms
from apps.offers.pickup_slots import choose_slot
from apps.preorders.cart.intents import client_secret_of
from apps.preorders.cart.items import (
    CartEntry,
    PricedItem,
    check_total,
    error_of_item,
    merge_items,
    price_items,
)
from apps.preorders.checkout.acceptance import check_phone, check_portions
from apps.preorders.checkout.limits import Origin, check_portions_without_card
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE
from apps.preorders.checkout.services import MIN_REMAINING_CHECKOUT, GuestDetails, reserve
from apps.preorders.checkout.terms import terms_of
from apps.preorders.core.cart_items import can_be_authorized
from apps.preorders.core.languages import follow_language
from apps.preorders.core.locks import lock_cart_items
from apps.preorders.core.portions import recount, save_counts
from apps.preorders.core.reservations import reserve_again
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import PaymentStatus
from apps.restaurants.idempotency import Attempt
from apps.restaurants.models import Restaurant

NO_GUEST = GuestDetails("", "", "")
NO_CART = gettext_lazy("We couldn't find this checkout. It may have ended.")
NO_CARD_AWAITED = gettext_lazy("This checkout doesn't wait for a card anymore.")
SOLD_OUT_MEANWHILE = gettext_lazy("Sold out. Your card wasn't held or charged.")
ONE_OF_SEVERAL_SOLD_OUT = gettext_lazy(
    "%(dish)s sold out before you added a card. Cancel that order to finish the others."
)


@dataclass(frozen=True, slots=True)
class StartedCart:
    """A cart with its portions reserved, and the secret by which the browser confirms the card."""

    cart: Cart
    items: list[PreOrder]
    client_secret: str

    @property
    def total(self) -> Decimal:
        """The most that is held in all."""
        return sum((item.total_amount for item in self.items), Decimal("0.00"))

    @property
    def currency(self) -> str:
        return self.items[0].offer.restaurant.currency

    @property
    def address(self) -> str:
        """Where it is served; empty if not known."""
        return self.items[0].offer.restaurant.address

    @property
    def expires_at(self) -> datetime:
        """Until when its portions are reserved."""
        return min(item.reserved_until or item.checkout_expires_at for item in self.items)

    @property
    def mandate(self) -> str:
        """What the guest agrees to by giving the card: what happens to it, then the consent, a line
        each. What happens with each of several specials is said at the item (`card_terms`)."""
        restaurant, now = self.items[0].offer.restaurant, clock.now()
        agreed = _("By continuing, you allow %(restaurant)s to hold %(total)s on your card.") % {
            "restaurant": restaurant.name,
            "total": formats.money(self.total, restaurant.currency),
        }
        if len(self.items) == 1:
            terms = terms_of(self.items[0], now)
        else:
            terms = several_card_terms([item.offer for item in self.items], now)
        return f"{terms}\n{agreed} {AGREES_TO_TERMS}"


def begin_cart(
    *,
    restaurant: Restaurant | None,
    items: Sequence[CartEntry],
    guest: GuestDetails | None,
    claimed_total: Money | None,
    now: datetime,
    referral_code: str = "",
    origin: Origin | None = None,
    attempt: Attempt | None = None,
) -> StartedCart:
    """Reserve every item's portions and create the intent the browser confirms: for one item a
    payment intent, for several a setup intent that saves the card.

    `claimed_total` and each item's price are what the client showed; they are checked, never
    trusted (DECISIONS X4). The guest may be named later, to `confirm_cart` (X24). The same guest
    ordering the same again in the same kind of browser while the first checkout is open gets that
    checkout back, and so does a repeated `attempt`.

    Raises NotFound for an offer that does not exist; Invalid for an empty cart, for offers of
    several restaurants, and for input the guest can correct; Conflict when an item can no longer be
    ordered, or not that many of it; each names the item as `items.N`. Unavailable when the payment
    provider does not answer. Nothing is reserved after any of them.
    """
    if not items:
        raise Invalid.because(
            [FieldError("items", _("Please add items to your cart before proceeding."))]
        )
    with transaction.atomic():
        cart_items = price_items(
            restaurant, merge_items(items), guest or NO_GUEST, now, referral_code
        )
        check_total(cart_items, claimed_total)
        fingerprint = _fingerprint(cart_items, guest, origin) if guest else ""
        cart = _open_cart_of(_earlier_cart(fingerprint, attempt), len(cart_items), now)
        if cart is None:
            cart = _reserve(cart_items, fingerprint, origin, now)
            if attempt:
                attempt.record(cart.pk)
    orders = cart_items_of(cart)
    for order in orders:
        follow_language(order)
    return StartedCart(cart, orders, client_secret_of(cart, orders, now))


def resume_cart(*, cart_id: UUID, now: datetime) -> StartedCart:
    """The checkout again, for a guest who gives its card in another tab or later: the items that
    wait for a card, with their portions reserved. Safe to repeat.

    Raises NotFound; Conflict if no item waits for the cart's card, or if its bank is asking about
    it, or if an item's portions are gone (nothing is reserved then); Unavailable when the payment
    provider does not answer, which changes nothing.
    """
    with transaction.atomic():
        cart = Cart.objects.filter(pk=cart_id).first()
        if cart is None:
            raise NotFound(str(NO_CART))
        waiting = [each for each in lock_cart_items(cart.pk) if can_be_authorized(each, now)]
        is_given = cart.payment_method_id or any(map(_asks_bank, waiting))
        if not waiting or is_given:
            raise Conflict(str(NO_CARD_AWAITED))
        for item in waiting:
            if not reserve_again(item, now=now):
                message = ONE_OF_SEVERAL_SOLD_OUT % {"dish": item.served_name}
                if len(waiting) == 1:
                    message = str(SOLD_OUT_MEANWHILE)
                raise Conflict(message, code=ErrorCode.SOLD_OUT)
            recount(item.offer, now=now)
    keys = {item.pk for item in waiting}
    orders = [order for order in cart_items_of(cart) if order.pk in keys]
    for order in orders:
        follow_language(order)
    return StartedCart(cart, orders, client_secret_of(cart, orders, now, can_wait=True))


def _asks_bank(order: PreOrder) -> bool:
    return order.payment_status == PaymentStatus.REQUIRES_ACTION


def cart_items_of(cart: Cart) -> list[PreOrder]:
    """The cart's orders, by serve date, then by name."""
    orders = PreOrder.objects.filter(cart=cart).select_related(
        "offer__restaurant__connect_account", "sold__photo", "pickup_slot"
    )
    return list(orders.order_by("offer__serve_date", "offer__name", "pk"))


def _fingerprint(items: Sequence[PricedItem], guest: GuestDetails, origin: Origin | None) -> str:
    """Identifies who orders what, how, at which price, and in which browser of which network, for
    anybody can type a name and an address: the same again is a double press."""
    who = [guest.name, guest.email.lower(), guest.phone, origin.device if origin else ""]
    what = sorted(
        [
            str(item.offer.pk),
            item.item.quantity,
            item.price.total.cents,
            item.item.note,
            item.item.slot_id,
            item.item.service_mode,
            str(item.request.alternative_price),
            str(item.request.friend_of and item.request.friend_of.pk),
            item.request.shows_first_name,
        ]
        for item in items
    )
    return hashlib.sha256(json.dumps([who, what]).encode()).hexdigest()


def _earlier_cart(fingerprint: str, attempt: Attempt | None) -> Cart | None:
    """The same cart started before: by the same request, or by the same guest."""
    if attempt and attempt.result_id:
        return Cart.objects.filter(pk=attempt.result_id).first()
    if not fingerprint:
        return None
    return Cart.objects.filter(fingerprint=fingerprint).order_by("-created_at").first()


def _open_cart_of(found: Cart | None, how_many: int, now: datetime) -> Cart | None:
    """This cart, if all its items still wait for a card."""
    if found is None or found.payment_method_id:
        return None
    waiting = PreOrder.objects.in_checkout().filter(
        cart=found, checkout_expires_at__gt=now + MIN_REMAINING_CHECKOUT
    )
    if waiting.count() != how_many:
        return None
    items = lock_cart_items(found.pk)
    # Those that lapsed are reserved again; if some are gone, a new cart says which.
    return found if all([reserve_again(item, now=now) for item in items]) else None


def _reserve(
    items: Sequence[PricedItem], fingerprint: str, origin: Origin | None, now: datetime
) -> Cart:
    if items[0].request.guest.email:  # else the guest is named when confirming
        guest = items[0].request.guest
        check_phone(items[0].offer.restaurant, guest.phone, field="guest.phone")
    cart = Cart.objects.create(
        restaurant_id=items[0].offer.restaurant_id, fingerprint=fingerprint, created_at=now
    )
    for item in items:
        offer, quantity = item.offer, item.item.quantity
        try:
            friend_of = item.request.friend_of
            taken = check_portions(offer, quantity, now, friend_of=friend_of)
            starter = friend_of.pk if friend_of else None
            choose_slot(offer, item.item.slot_id, portions=quantity, friend_of=starter)
        except DomainError as error:
            raise error_of_item(item.index, offer, error, "quantity") from error
        who = item.request.guest
        check_portions_without_card(
            offer, quantity, email=who.email, phone=who.phone, origin=origin, now=now
        )
        reserve(
            offer,
            item.request,
            item.price,
            expires_at=now + CHECKOUT_LIFE,
            now=now,
            cart=cart,
            origin=origin,
        )
        save_counts(offer, ordered=offer.ordered_portions, reserved=taken + quantity, now=now)
    return cart
