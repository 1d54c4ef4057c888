"""Serializers of the cart's checkout."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.api.serializers import FormProofInput
from apps.common import clock
from apps.common.api.fields import NameField, PhoneField, currency_field
from apps.common.api.schema import ErrorSerializer
from apps.offers.images import photo_url
from apps.offers.presentation import Special, directions_url
from apps.offers.seats import SeatsState, sentence_with_yours
from apps.preorders.cart.confirmation import CartOutcome
from apps.preorders.cart.offer_serializers import thumbnail_url
from apps.preorders.cart.services import StartedCart
from apps.preorders.checkout.acceptance import EMAIL_REQUIRED, NAME_REQUIRED, PHONE_REQUIRED
from apps.preorders.checkout.serializers import MAX_ID, OrderedPortions, same_error
from apps.preorders.checkout.terms import charge_in_brief_of, terms_of
from apps.preorders.core.access import guest_url
from apps.preorders.core.cart_items import CartItemOutcome, arrival_notes_of
from apps.preorders.core.friends import when_and_invited_by
from apps.preorders.core.links import order_url
from apps.preorders.core.referrals import referral_url
from apps.preorders.core.selectors import card_of
from apps.preorders.models import PreOrder
from apps.preorders.models.states import CartItemStatus, CartStatus, PreOrderStatus

MAX_CART_ITEMS = 20
EMPTY = _("Please add items to your cart before proceeding.")
STAYS = _("Part of this cart is already ordered and can't be changed here.")
NO_TOTAL = _("The total must be a whole number of cents.")


class CartGuest(serializers.Serializer[Any]):
    """The guest who orders."""

    name = NameField(max_length=100, error_messages=same_error(NAME_REQUIRED))
    email = serializers.EmailField(max_length=255, error_messages=same_error(EMAIL_REQUIRED))
    phone = PhoneField(
        max_length=50,
        required=False,
        allow_blank=True,
        default="",
        help_text="Required where the restaurant asks for it (`asksForPhone`).",
        error_messages=same_error(PHONE_REQUIRED),
    )


class CartItem(OrderedPortions):
    """One cart item as the client shows it. `name` is ignored."""

    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    price = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        required=False,
        allow_null=True,
        default=None,
        help_text="The price of one portion as shown; checked against the server's.",
        error_messages={"invalid": _("The price must be an amount of money.")},
    )


class CartRequest(FormProofInput):
    """The items, the total as shown, and the guest, if known already."""

    items = serializers.ListField(
        child=CartItem(),
        allow_empty=False,
        max_length=MAX_CART_ITEMS,
        error_messages={
            **dict.fromkeys(("required", "null", "empty", "not_a_list"), EMPTY),
            "max_length": _("A cart can hold up to {max_length} specials."),
        },
    )
    total = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=MAX_ID,
        help_text="The same as `totalAmount`, but in cents: the only amount that is.",
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), NO_TOTAL),
    )
    totalAmount = serializers.DecimalField(
        max_digits=10,
        decimal_places=2,
        min_value=0,
        required=False,
        allow_null=True,
        default=None,
        help_text="As shown, with or without tax; checked against the server's.",
        error_messages={"invalid": _("The total must be an amount of money.")},
    )
    guest = CartGuest(required=False, allow_null=True, default=None)
    ref = serializers.CharField(
        max_length=50,
        required=False,
        allow_blank=True,
        default="",
        help_text="The share link's code (`?ref=`).",
    )


class ConfirmRequest(serializers.Serializer[Any]):
    """The guest, unless the cart was started with one."""

    guest = CartGuest(required=False, allow_null=True, default=None)


class BegunCartItem(serializers.Serializer[PreOrder]):
    preorderId = serializers.UUIDField(source="pk")
    offerId = serializers.UUIDField(source="offer_id")
    name = serializers.CharField(source="sold.spoken_name")
    imageUrl = serializers.SerializerMethodField(help_text="A thumbnail.")
    photoUrl = serializers.SerializerMethodField(help_text="Its photo, for wide screens.")
    served = serializers.SerializerMethodField(
        help_text="The day, the time, dine in or pickup, and who invited the guest, in words."
    )
    quantity = serializers.IntegerField()
    subtotal = serializers.DecimalField(10, 2)
    tax = serializers.DecimalField(10, 2)
    totalAmount = serializers.DecimalField(10, 2, source="total_amount")
    status = serializers.ChoiceField(PreOrderStatus.choices)
    seatsSentence = serializers.SerializerMethodField(
        help_text="How close the special is to being on, with these portions, in words."
    )
    isShort = serializers.SerializerMethodField(
        help_text="Whether more portions must be ordered before the special is on."
    )
    chargeInBrief = serializers.SerializerMethodField(
        help_text="When the card is charged for it, in a few words, to be shown after "
        "`seatsSentence`: the mandate says what is true of all."
    )

    def get_served(self, order: PreOrder) -> str:
        return when_and_invited_by(order)

    def get_imageUrl(self, order: PreOrder) -> str | None:
        return thumbnail_url(order.sold.photo)

    def get_photoUrl(self, order: PreOrder) -> str | None:
        return photo_url(order.sold.photo) if order.sold.photo else None

    def get_seatsSentence(self, order: PreOrder) -> str:
        return sentence_with_yours(order.offer, clock.now(), order.quantity)

    def get_isShort(self, order: PreOrder) -> bool:
        return Special(order.offer, clock.now()).state == SeatsState.OPEN

    def get_chargeInBrief(self, order: PreOrder) -> str:
        return charge_in_brief_of(order)


class CartStarted(serializers.Serializer[StartedCart]):
    """What Stripe.js needs, and the server's amounts."""

    clientSecret = serializers.CharField(
        source="client_secret",
        help_text="`pi_…`: confirmPayment; `seti_…`: confirmSetup; with `redirect: 'if_required'`.",
    )
    checkoutId = serializers.UUIDField(source="cart.pk")
    publishableKey = serializers.SerializerMethodField()
    accountId = serializers.SerializerMethodField()
    mandate = serializers.CharField(
        help_text="What the guest agrees to; shown above the card fields."
    )
    totalAmount = serializers.DecimalField(10, 2, source="total")
    currency = serializers.CharField(help_text="The currency of all amounts, such as `usd`.")
    expiresAt = serializers.DateTimeField(source="expires_at")
    address = serializers.CharField(help_text="Where it is served; empty if not known.")
    items = BegunCartItem(many=True)

    def get_publishableKey(self, begun: StartedCart) -> str:
        return settings.STRIPE_PUBLISHABLE_KEY

    def get_accountId(self, begun: StartedCart) -> str | None:
        """The account Stripe.js acts for; null for the platform's own, which all payments use."""
        return None


class CartItemResult(serializers.Serializer[CartItemOutcome]):
    preorderId = serializers.UUIDField(source="order.pk")
    offerId = serializers.UUIDField(source="order.offer_id")
    code = serializers.CharField(source="order.code", help_text="What the guest calls it.")
    name = serializers.CharField(source="order.sold.spoken_name")
    imageUrl = serializers.SerializerMethodField()
    serveDate = serializers.DateField(source="order.offer.serve_date")
    served = serializers.CharField(
        source="order.serving.text", help_text="When and how it is served, in words."
    )
    seatsSentence = serializers.SerializerMethodField(
        help_text="How close the special is to being on, in words."
    )
    isShort = serializers.SerializerMethodField(
        help_text="Whether more portions must be ordered before the special is on."
    )
    seatsState = serializers.SerializerMethodField(help_text="The same for a drawing.")
    orderedPortions = serializers.IntegerField(source="order.offer.ordered_portions")
    minPreordersRequired = serializers.IntegerField(source="order.offer.min_preorders")
    quantity = serializers.IntegerField(source="order.quantity")
    tax = serializers.DecimalField(10, 2, source="order.tax")
    totalAmount = serializers.DecimalField(10, 2, source="order.total_amount")
    currency = currency_field("order.offer.restaurant.currency")
    status = serializers.ChoiceField(CartItemStatus.choices, source="state")
    message = serializers.CharField()
    inShort = serializers.CharField(
        source="order.in_short", help_text="The state of a held order in a few words; else empty."
    )
    inShortUntil = serializers.DateTimeField(
        source="order.in_short_until",
        allow_null=True,
        help_text="Until when that can be said; null for as long as it's there.",
    )
    cardTerms = serializers.SerializerMethodField(
        help_text="What happens to the guest's card, in words."
    )
    chargeTerms = serializers.SerializerMethodField(
        help_text="When it is charged, in words, to be shown below `seatsSentence`."
    )
    orderUrl = serializers.SerializerMethodField(
        help_text="The order's page. For the browser that started the cart on the platform's host, "
        "a link that lets it change the order."
    )
    shareUrl = serializers.SerializerMethodField(
        help_text="The special's page, as a link that says whose order led to it."
    )
    shareText = serializers.SerializerMethodField(
        help_text="What a guest sends beside the link: dish, day, price, and how close it is."
    )
    calendarUrl = serializers.SerializerMethodField(help_text="The order's calendar file.")

    def get_imageUrl(self, outcome: CartItemOutcome) -> str | None:
        return thumbnail_url(outcome.order.sold.photo)

    def get_seatsSentence(self, outcome: CartItemOutcome) -> str:
        return Special(outcome.order.offer, clock.now()).sentence

    def get_isShort(self, outcome: CartItemOutcome) -> bool:
        return Special(outcome.order.offer, clock.now()).state == SeatsState.OPEN

    @extend_schema_field(serializers.ChoiceField([each.value for each in SeatsState]))
    def get_seatsState(self, outcome: CartItemOutcome) -> str:
        return Special(outcome.order.offer, clock.now()).state

    def get_cardTerms(self, outcome: CartItemOutcome) -> str:
        return terms_of(outcome.order, clock.now())

    def get_chargeTerms(self, outcome: CartItemOutcome) -> str:
        return terms_of(outcome.order, clock.now(), is_brief=True)

    def get_orderUrl(self, outcome: CartItemOutcome) -> str:
        if self.context.get("is_sender") and self.context.get("is_elsewhere"):
            return guest_url(outcome.order)
        return order_url(outcome.order)

    def get_shareUrl(self, outcome: CartItemOutcome) -> str:
        return referral_url(outcome.order)

    def get_shareText(self, outcome: CartItemOutcome) -> str:
        return Special(outcome.order.offer, clock.now()).share_text

    def get_calendarUrl(self, outcome: CartItemOutcome) -> str:
        return order_url(outcome.order, then="/calendar.ics")


class CartResult(serializers.Serializer[CartOutcome]):
    """The status of the cart and each item, without personal data."""

    status = serializers.ChoiceField(CartStatus.choices, source="state")
    address = serializers.CharField(
        source="cart.restaurant.address", help_text="Of the restaurant; empty without one."
    )
    directionsUrl = serializers.SerializerMethodField(
        help_text="The address on a map; empty without one."
    )
    arrivalNotes = serializers.SerializerMethodField(
        help_text="What to know on arrival for all that is held, in sentences."
    )
    card = serializers.SerializerMethodField(
        help_text="The card that is held for all that is, in words, for the browser that started "
        "the cart; empty if it isn't known."
    )
    items = CartItemResult(many=True)

    def get_directionsUrl(self, outcome: CartOutcome) -> str:
        restaurant = outcome.cart.restaurant
        return directions_url(restaurant) if restaurant.address else ""

    def get_arrivalNotes(self, outcome: CartOutcome) -> list[str]:
        held = [item.order for item in outcome.items if item.state == CartItemStatus.HELD]
        return [str(note) for note in arrival_notes_of(held)] if held else []

    def get_card(self, outcome: CartOutcome) -> str:
        if not self.context.get("is_sender"):
            return ""
        held = [item.order for item in outcome.items if item.state == CartItemStatus.HELD]
        cards = {card_of(order) for order in held}
        return cards.pop() if len(cards) == 1 else ""


class CartRefused(ErrorSerializer, CartResult):
    """Why the cart stays, and its status."""


class RetryRequest(serializers.Serializer[Any]):
    anotherCard = serializers.BooleanField(
        default=False, help_text="Don't use the saved card, whose bank wants the guest to confirm."
    )


class RetryStarted(serializers.Serializer[Any]):
    clientSecret = serializers.CharField(source="client_secret")
    savedCard = serializers.BooleanField(
        source="saved_card",
        help_text="The card is saved: confirm without a card form; only the bank's check is left.",
    )
