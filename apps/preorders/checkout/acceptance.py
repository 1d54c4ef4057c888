"""What is checked before an order is accepted: the offer, the price, the portions."""

from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.billing.new_restaurants import new_restaurant_limit
from apps.common import formats
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.common.money import Money
from apps.offers.locks import reread_restaurant
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.friends import portions_left
from apps.preorders.core.portions import reserved_portions
from apps.preorders.core.pricing import Price, price_order
from apps.preorders.core.reservations import lapse_reservations
from apps.preorders.models import PreOrder
from apps.restaurants.models import Restaurant

NAME_REQUIRED = gettext_lazy("Name is required")
EMAIL_REQUIRED = gettext_lazy("Valid email is required")
PHONE_REQUIRED = gettext_lazy("Phone is required")  # only if the restaurant asks (decision 144)
NO_OFFER = gettext_lazy("We couldn't find this special. Check the link and try again.")
NO_FRIENDS_LINK = gettext_lazy(
    "This link from a friend isn't valid. Ask your friend to send it again."
)
PAYMENTS_CLOSED = gettext_lazy("Pre-orders open soon")  # DECISIONS X68
DISH_CHANGED = gettext_lazy(
    "The restaurant just changed this dish. Read it again, then order. Your card wasn't held or "
    "charged."
)
PRICE_CHANGED = gettext_lazy("Price has changed")  # DECISIONS X4
OFFER_CLOSED = gettext_lazy(
    "Orders for this special have closed. Your card wasn't held or charged."
)

SOLD_OUT = gettext_lazy("Sold out. Your card wasn't held or charged.")
NOT_TAKING_ORDERS = gettext_lazy(
    "%(restaurant)s isn't taking orders right now. Your card wasn't held or charged."
)


def check_open(offer: SpecialOffer, now: datetime) -> None:
    """Raise unless this offer, which is locked, takes orders."""
    reread_restaurant(offer)
    if offer.status == OfferStatus.DELETED:
        raise NotFound(_("This special is no longer available."))
    check_restaurant(offer)
    if offer.status != OfferStatus.ACTIVE or now >= offer.deadline:
        raise Conflict(OFFER_CLOSED, code=ErrorCode.ORDERS_CLOSED)
    account = getattr(offer.restaurant, "connect_account", None)
    if account is None or not account.charges_enabled:
        raise Conflict(PAYMENTS_CLOSED, code=ErrorCode.ORDERS_NOT_OPEN)


def check_restaurant(offer: SpecialOffer) -> None:
    """Raise unless the restaurant, as it was last read, takes orders."""
    restaurant = offer.restaurant
    if restaurant.status != Restaurant.Status.ACTIVE:
        message = NOT_TAKING_ORDERS % {"restaurant": restaurant.name}
        raise Conflict(message, code=ErrorCode.ORDERS_CLOSED)


def check_phone(restaurant: Restaurant, phone: str, *, field: str = "customerPhone") -> None:
    """Raise Invalid, naming `field`, if the restaurant asks for a phone number and has none."""
    if restaurant.asks_for_phone and not phone:
        raise Invalid.because([FieldError(field, str(PHONE_REQUIRED))])


def check_price(price: Price, claimed_total: Decimal, *, currency: str) -> None:
    if not price.accepts(Money.of(claimed_total)):
        message = _("Price has changed. It's now %(total)s with tax. Reload the page to see it.")
        message %= {"total": formats.money(price.total, currency)}
        raise Invalid(
            PRICE_CHANGED,
            code=ErrorCode.PRICE_CHANGED,
            fields=[FieldError("totalAmount", message, FieldErrorCode.CHANGED)],
        )


def too_many_portions(offer: SpecialOffer) -> Invalid:
    """The refusal of more portions than one order can have."""
    message = ngettext(
        "You can order up to %(number)s portion at once.",
        "You can order up to %(number)s portions at once.",
        offer.max_per_order,
    ) % {"number": offer.max_per_order}
    return Invalid.because([FieldError("quantity", message)])


def check_portions(
    offer: SpecialOffer,
    quantity: int,
    now: datetime,
    *,
    friend_of: PreOrder | None = None,
    ordered: int = 0,
) -> int:
    """Check the per-order maximum, the cap, and what a new restaurant can take in all, under the
    offer's lock (DECISIONS X25, decision 47). A friend of a guest who reserved portions takes those
    first (decision 88). `ordered` is what the same order has already. Returns the portions already
    reserved, without those taken of them."""
    if quantity > offer.max_per_order:
        raise too_many_portions(offer)
    limit = new_restaurant_limit(offer.restaurant, lock=True)
    if limit and price_order(offer, quantity).total > limit.left:
        raise Conflict(_limit_reached(offer))
    own = min(quantity, portions_left(friend_of, now=now)) if friend_of else 0
    if offer.max_preorders is None:
        return offer.reserved_portions - own
    taken = reserved_portions(offer) - own
    if quantity > offer.max_preorders - taken and lapse_reservations(offer, now=now):
        own = min(quantity, portions_left(friend_of, now=now)) if friend_of else 0
        taken = reserved_portions(offer) - own
    left = max(0, offer.max_preorders - taken)
    if quantity > left:
        raise too_few_left(left, ordered=ordered)
    return taken


def too_few_left(left: int, *, ordered: int = 0) -> Conflict:
    """The refusal of more portions than are left, to a guest who has `ordered` already."""
    if ordered:
        text = ngettext(
            "Only %(left)s more portion is left. Choose up to %(most)s.",
            "Only %(left)s more portions are left. Choose up to %(most)s.",
            left,
        )
        message = text % {"left": left, "most": ordered + left}
        if not left:
            message = _("No more portions are left. Your order stays as it is.")
    elif not left:
        message = str(SOLD_OUT)
    elif left == 1:
        message = _("Only 1 portion is left. Order 1 or choose another special.")
    else:
        message = _("Only %(left)s portions are left. Order %(left)s or fewer.") % {"left": left}
    return Conflict(message, code=ErrorCode.SOLD_OUT, fields=[FieldError("quantity", message)])


def _limit_reached(offer: SpecialOffer) -> str:
    return _(
        "%(restaurant)s is new here and can't take more pre-orders right now. Your card wasn't "
        "held or charged. Try again in a few days, or ask the restaurant."
    ) % {"restaurant": offer.restaurant.name}


def agreed_alternative(offer: SpecialOffer) -> Decimal | None:
    """Today's price of one portion of the alternative; None when the offer has none."""
    dish = offer.alternative_dish if offer.has_alternative else None
    return dish.price if dish else None
