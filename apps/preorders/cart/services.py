"""Starting a cart's checkout: every item is reserved, or none (DECISIONS X23–X25)."""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.billing import stripe_gateway as gateway
from apps.billing.gateway import BrowserIntent, Busy, GatewayError, StillWorking
from apps.common import clock, formats, rls
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import Conflict, DomainError, FieldError, Invalid, NotFound, Unavailable
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.offers.card_terms import AGREES_TO_TERMS
from apps.offers.locks import lock_offers
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.preorders.checkout.limits import Origin, check_portions_without_card
from apps.preorders.checkout.services import (
    CHECKOUT_LIFE,
    MIN_REMAINING_CHECKOUT,
    OFFER_CLOSED,
    PRICE_CHANGED,
    GuestDetails,
    OrderRequest,
    StillTrying,
    agreed_alternative,
    charge_of,
    check_open,
    check_portions,
    consent_text,
    give_up,
    payment_page_again,
    reserve,
    terms_of,
)
from apps.preorders.core.locks import lock_cart_items
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import Price, price_order
from apps.preorders.core.reservations import reserve_again
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import PreOrderStatus, ReasonCode
from apps.restaurants.idempotency import Attempt
from apps.restaurants.models import Restaurant

logger = logging.getLogger(__name__)

NO_PAYMENT = gettext_lazy("Unable to initialize payment. Please try again.")
NO_GUEST = GuestDetails("", "", "")


@dataclass(frozen=True, slots=True)
class CartEntry:
    """One cart item. `price` is the price of one portion as shown; the rest is as in
    `begin_order`."""

    offer_id: UUID
    quantity: int
    price: Decimal | None = None
    note: str = ""
    slot_id: int | None = None
    alternative_consent: bool = False


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
    def expires_at(self) -> datetime:
        """Until when its portions are reserved."""
        return min(item.reserved_until or item.checkout_expires_at for item in self.items)

    @property
    def mandate(self) -> str:
        """What the guest agrees to by giving the card: one paragraph per line of text."""
        restaurant, now = self.items[0].offer.restaurant, clock.now()
        agreed = _("By continuing, you allow %(restaurant)s to hold %(total)s on your card.") % {
            "restaurant": restaurant.name,
            "total": formats.money(self.total, restaurant.currency),
        }
        if len(self.items) == 1:
            return f"{agreed}\n{consent_text(self.items[0], now)}"
        each = [
            _("%(name)s, %(total)s: %(terms)s")
            % {
                "name": item.sold.name,
                "total": formats.money(item.total_amount, restaurant.currency),
                "terms": terms_of(item, now),
            }
            for item in self.items
        ]
        return "\n".join([agreed, *each, str(AGREES_TO_TERMS)])


@dataclass(frozen=True, slots=True)
class _PricedItem:
    """An item with its position in the cart, its offer and its price."""

    index: int
    item: CartEntry
    offer: SpecialOffer
    price: Price
    request: OrderRequest


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
    ordering the same again while the first checkout is open gets that checkout back, and so does a
    repeated `attempt`.

    Raises NotFound for an offer that does not exist; Invalid for an empty cart, for offers of
    several restaurants, and for input the guest can correct; Conflict when an item cannot be
    ordered any more or not that many; each names the item as `items.N`. Unavailable when the
    payment provider does not answer. Nothing is reserved after any of them.
    """
    if not items:
        raise Invalid.because(
            [FieldError("items", _("Please add items to your cart before proceeding."))]
        )
    with transaction.atomic():
        cart_items = _priced_items(
            restaurant, _merged(items), guest or NO_GUEST, now, referral_code
        )
        _check_total(cart_items, claimed_total)
        fingerprint = _fingerprint(cart_items, guest) if guest else ""
        cart = _open_cart_of(_earlier_cart(fingerprint, attempt), len(cart_items), now)
        if cart is None:
            cart = _reserve(cart_items, fingerprint, origin, now)
            if attempt:
                attempt.record(cart.pk)
    orders = cart_items_of(cart)
    return StartedCart(cart, orders, _client_secret(cart, orders, now))


def cart_items_of(cart: Cart) -> list[PreOrder]:
    """The cart's orders, by serve date, then by name."""
    orders = PreOrder.objects.filter(cart=cart).select_related(
        "offer__restaurant__connect_account", "sold"
    )
    return list(orders.order_by("offer__serve_date", "offer__name", "pk"))


# --- validating items -----------------------------------------------------------------------------
def _merged(items: Sequence[CartEntry]) -> dict[int, CartEntry]:
    """Items of the same special with the same options become one, at the first one's position."""
    first_index: dict[UUID, int] = {}
    merged: dict[int, CartEntry] = {}
    for index, item in enumerate(items):
        first = first_index.setdefault(item.offer_id, index)
        known = merged.get(first)
        if known is None:
            merged[index] = item
        elif replace(known, quantity=item.quantity) == item:
            merged[first] = replace(known, quantity=known.quantity + item.quantity)
        else:
            message = _("This special is in your cart twice. Combine its portions.")
            raise Invalid.because([FieldError(f"items.{index}.dishId", message)])
    return merged


def _priced_items(
    restaurant: Restaurant | None,
    items: Mapping[int, CartEntry],
    guest: GuestDetails,
    now: datetime,
    referral_code: str,
) -> list[_PricedItem]:
    """Each item with its offer, locked, open, and at the price that was shown."""
    offers = {offer.pk: offer for offer in lock_offers(item.offer_id for item in items.values())}
    _check_all_there(restaurant, items, offers)
    cart_items, errors = [], []
    for index, item in items.items():
        offer = offers[item.offer_id]
        try:
            check_open(offer, now)
        except DomainError as error:
            raise _error_of_item(index, offer, error, "dishId") from error
        price = price_order(offer, item.quantity)
        if item.price is not None and item.price != price.unit.amount:
            message = _(
                "%(name)s is now %(price)s a portion. Reload the page to see the new price."
            ) % {
                "name": offer.name,
                "price": formats.money(price.unit, offer.restaurant.currency),
            }
            errors.append(FieldError(f"items.{index}.price", message, FieldErrorCode.CHANGED))
        agreed = agreed_alternative(offer) if item.alternative_consent else None
        request = OrderRequest(
            item.quantity, guest, item.note, agreed, item.slot_id, referral_code=referral_code
        )
        cart_items.append(_PricedItem(index, item, offer, price, request))
    if errors:
        raise Invalid(PRICE_CHANGED, code=ErrorCode.PRICE_CHANGED, fields=errors)
    return cart_items


def _check_all_there(
    restaurant: Restaurant | None,
    items: Mapping[int, CartEntry],
    offers: Mapping[UUID, SpecialOffer],
) -> None:
    missing = {item.offer_id: index for index, item in items.items() if item.offer_id not in offers}
    if not missing:
        return
    with rls.acting_as(rls.PLATFORM):
        elsewhere = SpecialOffer.objects.filter(pk__in=list(missing)).values_list("pk", flat=True)
        foreign = [missing[offer_id] for offer_id in elsewhere]
    if foreign and restaurant is not None:
        message = _(
            "A cart can hold specials from one restaurant only. Order from %(restaurant)s first, "
            "then from the other."
        ) % {"restaurant": restaurant.name}
        raise Invalid.because([FieldError(f"items.{min(foreign)}.dishId", message)])
    raise NotFound(_("We couldn't find this special. Check the link and try again."))


def _check_total(items: Sequence[_PricedItem], claimed: Money | None) -> None:
    """With or without tax; a client that rounds the tax once, on the sum, is right too."""
    subtotal = sum((item.price.subtotal for item in items), Money(0))
    total = sum((item.price.total for item in items), Money(0))
    rounded_once = subtotal + subtotal.percent(items[0].price.tax_rate)
    if claimed is not None and claimed not in (subtotal, total, rounded_once):
        message = _("The total is now %(total)s with tax. Reload the page to see it.") % {
            "total": formats.money(total, items[0].offer.restaurant.currency)
        }
        raise Invalid(
            PRICE_CHANGED,
            code=ErrorCode.PRICE_CHANGED,
            fields=[FieldError("total", message, FieldErrorCode.CHANGED)],
        )


def _error_of_item(index: int, offer: SpecialOffer, error: DomainError, field: str) -> DomainError:
    """The same error, for one item of several."""
    message = f"{offer.name}: {error.message}"
    names = [problem.field for problem in error.fields] or [field]
    fields = [FieldError(f"items.{index}.{name}", message) for name in names]
    return type(error)(message, code=error.code, fields=fields)


# --- reserving ------------------------------------------------------------------------------------
def _fingerprint(items: Sequence[_PricedItem], guest: GuestDetails) -> str:
    """Identifies who orders what, how and at which price: the same again is a double press."""
    who = [guest.name, guest.email.lower(), guest.phone]
    what = sorted(
        [
            str(item.offer.pk),
            item.item.quantity,
            item.price.total.cents,
            item.item.note,
            item.item.slot_id,
            str(item.request.alternative_price),
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
    items: Sequence[_PricedItem], fingerprint: str, origin: Origin | None, now: datetime
) -> Cart:
    cart = Cart.objects.create(
        restaurant_id=items[0].offer.restaurant_id, fingerprint=fingerprint, created_at=now
    )
    for item in items:
        offer, quantity = item.offer, item.item.quantity
        try:
            taken = check_portions(offer, quantity, now)
            choose_slot(offer, item.item.slot_id, portions=quantity)
        except DomainError as error:
            raise _error_of_item(item.index, offer, error, "quantity") from error
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
        save_counts(offer, ordered=offer.ordered_portions, reserved=taken + quantity)
    return cart


# --- the intent -----------------------------------------------------------------------------------
def _client_secret(cart: Cart, items: Sequence[PreOrder], now: datetime) -> str:
    """Create the intent, outside any transaction. Idempotency keys come from the rows, so repeated
    or concurrent calls create one customer and one intent."""
    opened = cart.setup_intent_id or (items[0].payment_intent_id if len(items) == 1 else None)
    try:
        if opened:
            return payment_page_again(lambda: gateway.client_secret(opened))
        customer_id = _customer_of(cart, items[0])
        intent = payment_page_again(lambda: _create_intent(cart, items, customer_id))
    except Busy as error:
        raise StillTrying from error
    except GatewayError as error:
        logger.warning("no checkout for %s: %s", cart, error)
        if not isinstance(error, StillWorking):  # else another request is working on the cart
            for item in items:
                cause = Cause(ReasonCode.PROVIDER_UNREACHABLE)
                give_up(item.pk, now=now, cause=cause, unopened=True)
        raise Unavailable(str(NO_PAYMENT)) from error
    if not _store_intent(cart, items, intent, customer_id):
        # The deadline ended the orders while the intent was created. Nobody has its secret, so one
        # that cannot be canceled does no harm.
        with suppress(GatewayError):
            _end(intent)
        raise Conflict(OFFER_CLOSED, code=ErrorCode.ORDERS_CLOSED)
    return intent.client_secret


def _customer_of(cart: Cart, item: PreOrder) -> str:
    name, email = item.customer_name, item.customer_email
    return payment_page_again(
        lambda: gateway.create_customer(name=name, email=email, key=f"cart-customer:{cart.pk}")
    )


def _create_intent(cart: Cart, items: Sequence[PreOrder], customer_id: str) -> BrowserIntent:
    charge = charge_of(items[0])
    if len(items) == 1:
        return gateway.create_intent(
            charge, customer_id=customer_id, key=f"cart-intent:{items[0].pk}"
        )
    return gateway.create_setup(
        cart_id=str(cart.pk),
        customer_id=customer_id,
        destination=charge.destination,
        description=f"{len(items)} specials of {items[0].offer.restaurant.name}",
        key=f"cart-setup:{cart.pk}",
    )


def _store_intent(
    cart: Cart, items: Sequence[PreOrder], intent: BrowserIntent, customer_id: str
) -> bool:
    """Save the intent; False when every order has ended meanwhile."""
    with transaction.atomic():
        waiting = PreOrder.objects.filter(cart=cart, status=PreOrderStatus.PENDING)
        if len(items) == 1:
            updated = waiting.update(payment_intent_id=intent.intent_id)
            items[0].payment_intent_id = intent.intent_id
        else:
            updated = waiting.count()
            cart.setup_intent_id = intent.intent_id
        cart.payment_customer_id = customer_id
        if updated:
            cart.save(update_fields=["setup_intent_id", "payment_customer_id"])
    return updated > 0


def _end(intent: BrowserIntent) -> None:
    if intent.intent_id.startswith("seti_"):
        gateway.cancel_setup(intent.intent_id)
    else:
        gateway.release(intent.intent_id, key=f"cart-end:{intent.intent_id}")
