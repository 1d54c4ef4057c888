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
from apps.billing.gateway import BrowserIntent, GatewayError, StillWorking
from apps.common import clock, formats, rls
from apps.common.errors import Conflict, DomainError, FieldError, Invalid, NotFound, Unavailable
from apps.common.money import Money
from apps.common.transitions import Cause
from apps.offers.locks import lock_offers
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.preorders.checkout.services import (
    CHECKOUT_LIFE,
    MIN_REMAINING_CHECKOUT,
    OFFER_CLOSED,
    PRICE_CHANGED,
    GuestDetails,
    OrderRequest,
    agreed_alternative,
    charge_of,
    check_open,
    check_portions,
    give_up,
    payment_page_again,
    reserve,
    terms_of,
)
from apps.preorders.core.portions import save_counts
from apps.preorders.core.pricing import Price, price_order
from apps.preorders.models import Cart, PreOrder
from apps.preorders.models.states import PreOrderStatus, ReasonCode
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
    lines: list[PreOrder]
    client_secret: str

    @property
    def total(self) -> Decimal:
        """The most that is held in all."""
        return sum((line.total_amount for line in self.lines), Decimal("0.00"))

    @property
    def expires_at(self) -> datetime:
        return min(line.checkout_expires_at for line in self.lines)

    @property
    def mandate(self) -> str:
        """What the guest agrees to by giving the card: one paragraph per line of text."""
        restaurant, now = self.lines[0].offer.restaurant, clock.now()
        agreed = _("By continuing, you allow %(restaurant)s to hold %(total)s on your card.") % {
            "restaurant": restaurant.name,
            "total": formats.money(self.total, restaurant.currency),
        }
        if len(self.lines) == 1:
            return f"{agreed}\n{terms_of(self.lines[0], now)}"
        each = [
            _("%(name)s, %(total)s: %(terms)s")
            % {
                "name": line.offer.name,
                "total": formats.money(line.total_amount, restaurant.currency),
                "terms": terms_of(line, now),
            }
            for line in self.lines
        ]
        return "\n".join([agreed, *each])


@dataclass(frozen=True, slots=True)
class _Line:
    """An item with its position in the cart, its offer and its price."""

    place: int
    item: CartEntry
    offer: SpecialOffer
    price: Price
    request: OrderRequest


def begin_cart(
    *,
    restaurant: Restaurant | None,
    items: Sequence[CartEntry],
    customer: GuestDetails | None,
    claimed_total: Money | None,
    now: datetime,
    via: str = "",
) -> StartedCart:
    """Reserve every item's portions and create the intent the browser confirms: for one item a
    payment intent, for several a setup intent that saves the card.

    `claimed_total` and each item's price are what the client showed; they are checked, never
    trusted (DECISIONS X4). The guest may be named later, to `confirm_cart` (X24). The same guest
    ordering the same again while the first checkout is open gets that checkout back.

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
        lines = _lines(restaurant, _merged(items), customer or NO_GUEST, now, via)
        _check_total(lines, claimed_total)
        fingerprint = _fingerprint(lines, customer) if customer else ""
        cart = _open_cart_of(fingerprint, len(lines), now)
        if cart is None:
            cart = _reserve(lines, fingerprint, now)
    orders = cart_items_of(cart)
    return StartedCart(cart, orders, _client_secret(cart, orders, now))


def cart_items_of(cart: Cart) -> list[PreOrder]:
    """The cart's orders, by serve date, then by name."""
    orders = PreOrder.objects.filter(cart=cart).select_related(
        "offer__restaurant__connect_account", "offer__alternative_dish"
    )
    return list(orders.order_by("offer__serve_date", "offer__name", "pk"))


# --- validating items -----------------------------------------------------------------------------
def _merged(items: Sequence[CartEntry]) -> dict[int, CartEntry]:
    """Items of the same special with the same options become one, at the first one's position."""
    places: dict[UUID, int] = {}
    merged: dict[int, CartEntry] = {}
    for place, item in enumerate(items):
        first = places.setdefault(item.offer_id, place)
        known = merged.get(first)
        if known is None:
            merged[place] = item
        elif replace(known, quantity=item.quantity) == item:
            merged[first] = replace(known, quantity=known.quantity + item.quantity)
        else:
            message = _("This special is in your cart twice. Combine its portions.")
            raise Invalid.because([FieldError(f"items.{place}.dishId", message)])
    return merged


def _lines(
    restaurant: Restaurant | None,
    items: Mapping[int, CartEntry],
    customer: GuestDetails,
    now: datetime,
    via: str,
) -> list[_Line]:
    """Each item with its offer, locked, open, and at the price that was shown."""
    offers = {offer.pk: offer for offer in lock_offers(item.offer_id for item in items.values())}
    _check_all_there(restaurant, items, offers)
    lines, faults = [], []
    for place, item in items.items():
        offer = offers[item.offer_id]
        try:
            check_open(offer, now)
        except DomainError as error:
            raise _of_line(place, offer, error, "dishId") from error
        price = price_order(offer, item.quantity)
        if item.price is not None and item.price != price.unit.amount:
            message = _(
                "%(name)s is now %(price)s a portion. Reload the page to see the new price."
            ) % {
                "name": offer.name,
                "price": formats.money(price.unit, offer.restaurant.currency),
            }
            faults.append(FieldError(f"items.{place}.price", message))
        agreed = agreed_alternative(offer) if item.alternative_consent else None
        request = OrderRequest(item.quantity, customer, item.note, agreed, item.slot_id, via=via)
        lines.append(_Line(place, item, offer, price, request))
    if faults:
        raise Invalid(PRICE_CHANGED, fields=faults)
    return lines


def _check_all_there(
    restaurant: Restaurant | None,
    items: Mapping[int, CartEntry],
    offers: Mapping[UUID, SpecialOffer],
) -> None:
    missing = {item.offer_id: place for place, item in items.items() if item.offer_id not in offers}
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


def _check_total(lines: Sequence[_Line], claimed: Money | None) -> None:
    """With or without tax; a client that rounds the tax once, on the sum, is right too."""
    subtotal = sum((line.price.subtotal for line in lines), Money(0))
    total = sum((line.price.total for line in lines), Money(0))
    rounded_once = subtotal + subtotal.percent(lines[0].price.tax_rate)
    if claimed is not None and claimed not in (subtotal, total, rounded_once):
        message = _("The total is now %(total)s with tax. Reload the page to see it.") % {
            "total": formats.money(total, lines[0].offer.restaurant.currency)
        }
        raise Invalid(PRICE_CHANGED, fields=[FieldError("total", message)])


def _of_line(place: int, offer: SpecialOffer, error: DomainError, field: str) -> DomainError:
    """The same error, for one item of several."""
    message = f"{offer.name}: {error.message}"
    names = [fault.field for fault in error.fields] or [field]
    fields = [FieldError(f"items.{place}.{name}", message) for name in names]
    return type(error)(message, fields=fields)


# --- reserving ------------------------------------------------------------------------------------
def _fingerprint(lines: Sequence[_Line], customer: GuestDetails) -> str:
    """Identifies who orders what, how and at which price: the same again is a double press."""
    who = [customer.name, customer.email.lower(), customer.phone]
    what = sorted(
        [
            str(line.offer.pk),
            line.item.quantity,
            line.price.total.cents,
            line.item.note,
            line.item.slot_id,
            str(line.request.alternative_price),
        ]
        for line in lines
    )
    return hashlib.sha256(json.dumps([who, what]).encode()).hexdigest()


def _open_cart_of(fingerprint: str, how_many: int, now: datetime) -> Cart | None:
    """The same cart started before, if all its items still wait for a card."""
    if not fingerprint:
        return None
    found = Cart.objects.filter(fingerprint=fingerprint).order_by("-created_at").first()
    if found is None or found.payment_method_id:
        return None
    waiting = PreOrder.objects.in_checkout().filter(
        cart=found, checkout_expires_at__gt=now + MIN_REMAINING_CHECKOUT
    )
    return found if waiting.count() == how_many else None


def _reserve(lines: Sequence[_Line], fingerprint: str, now: datetime) -> Cart:
    cart = Cart.objects.create(
        restaurant_id=lines[0].offer.restaurant_id, fingerprint=fingerprint, created_at=now
    )
    for line in lines:
        offer, quantity = line.offer, line.item.quantity
        try:
            taken = check_portions(offer, quantity)
            choose_slot(offer, line.item.slot_id, portions=quantity)
        except DomainError as error:
            raise _of_line(line.place, offer, error, "quantity") from error
        expires_at = now + CHECKOUT_LIFE
        reserve(offer, line.request, line.price, expires_at=expires_at, now=now, cart=cart)
        save_counts(offer, booked=offer.ordered_portions, reserved=taken + quantity)
    return cart


# --- the intent -----------------------------------------------------------------------------------
def _client_secret(cart: Cart, lines: Sequence[PreOrder], now: datetime) -> str:
    """Create the intent, outside any transaction. Idempotency keys come from the rows, so repeated
    or concurrent calls create one customer and one intent."""
    opened = cart.setup_intent_id or (lines[0].payment_intent_id if len(lines) == 1 else None)
    try:
        if opened:
            return payment_page_again(lambda: gateway.client_secret(opened))
        customer_id = _customer_of(cart, lines[0])
        intent = payment_page_again(lambda: _create_intent(cart, lines, customer_id))
    except GatewayError as error:
        logger.warning("no checkout for %s: %s", cart, error)
        if not isinstance(error, StillWorking):  # else another request is working on the cart
            for line in lines:
                cause = Cause(ReasonCode.PROVIDER_UNREACHABLE)
                give_up(line.pk, now=now, cause=cause, unopened=True)
        raise Unavailable(str(NO_PAYMENT)) from error
    if not _keep(cart, lines, intent, customer_id):
        # The deadline ended the orders while the intent was created. Nobody has its secret, so one
        # that cannot be cancelled does no harm.
        with suppress(GatewayError):
            _end(intent)
        raise Conflict(OFFER_CLOSED)
    return intent.client_secret


def _customer_of(cart: Cart, line: PreOrder) -> str:
    name, email = line.customer_name, line.customer_email
    return payment_page_again(
        lambda: gateway.create_customer(name=name, email=email, key=f"cart-customer:{cart.pk}")
    )


def _create_intent(cart: Cart, lines: Sequence[PreOrder], customer_id: str) -> BrowserIntent:
    charge = charge_of(lines[0])
    if len(lines) == 1:
        return gateway.create_intent(
            charge, customer_id=customer_id, key=f"cart-intent:{lines[0].pk}"
        )
    return gateway.create_setup(
        cart_id=str(cart.pk),
        customer_id=customer_id,
        destination=charge.destination,
        description=f"{len(lines)} specials of {lines[0].offer.restaurant.name}",
        key=f"cart-setup:{cart.pk}",
    )


def _keep(cart: Cart, lines: Sequence[PreOrder], intent: BrowserIntent, customer_id: str) -> bool:
    """Save the intent; False when every order has ended meanwhile."""
    with transaction.atomic():
        waiting = PreOrder.objects.filter(cart=cart, status=PreOrderStatus.PENDING)
        if len(lines) == 1:
            kept = waiting.update(payment_intent_id=intent.intent_id)
            lines[0].payment_intent_id = intent.intent_id
        else:
            kept = waiting.count()
            cart.setup_intent_id = intent.intent_id
        cart.payment_customer_id = customer_id
        if kept:
            cart.save(update_fields=["setup_intent_id", "payment_customer_id"])
    return kept > 0


def _end(intent: BrowserIntent) -> None:
    if intent.intent_id.startswith("seti_"):
        gateway.cancel_setup(intent.intent_id)
    else:
        gateway.release(intent.intent_id, key=f"cart-end:{intent.intent_id}")
