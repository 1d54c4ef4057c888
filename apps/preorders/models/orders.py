"""Orders, carts, audit rows, and notes."""

import uuid
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Q, TextField, Value
from django.db.models.functions import Cast, Concat, Lower, Right, Upper
from django.utils.translation import gettext as _

from apps.common.ids import order_code, order_id, share_code
from apps.common.languages import spoken
from apps.common.money import MONEY_COLUMN
from apps.common.transitions import TransitionRecord
from apps.offers.seats import is_on
from apps.offers.serving import ServiceChoice, ServiceMode, Serving, mode_of, serving_of
from apps.preorders.models.querysets import PreOrderQuerySet
from apps.preorders.models.search import ACCENTED, PLAIN
from apps.preorders.models.states import (
    CHECKOUT_STATUSES,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
    ReservationStatus,
)

_LAST_EIGHT = Right(Cast("id", TextField()), 8)
# The searchable text, one line each: name and email in lower case without accents, the digits of
# the phone number, and the code.
_SEARCHED = Func(
    Concat(
        Lower("customer_name"),
        Value("\n"),
        Lower("customer_email"),
        Value("\n"),
        Func(
            F("customer_phone"),
            Value(r"\D"),
            Value(""),
            Value("g"),
            function="REGEXP_REPLACE",
            output_field=TextField(),
        ),
        Value("\n"),
        _LAST_EIGHT,
        output_field=TextField(),
    ),
    Value(ACCENTED),
    Value(PLAIN),
    function="TRANSLATE",
    output_field=TextField(),
)


class Cart(models.Model):
    """Specials of one restaurant ordered together with one card.

    Each item is an order with its own intent and outcome (DECISIONS X23). A cart with one item uses
    that item's intent; only larger ones need a setup intent.
    """

    # Random, because it is the key to the checkout.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    # A hash of the guest and the items, so that a double click creates one cart; empty until the
    # guest's name is known.
    fingerprint = models.CharField(max_length=64, blank=True)
    setup_intent_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    payment_customer_id = models.CharField(max_length=255, blank=True)
    payment_method_id = models.CharField(
        max_length=255, blank=True
    )  # set once the guest entered a card
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(
                fields=["restaurant", "fingerprint"],
                condition=~Q(fingerprint=""),
                name="carts_by_content",
            ),
        ]

    def __str__(self) -> str:
        return f"cart {self.pk}"


class PreOrder(models.Model):
    """One guest's order of one offer: one PaymentIntent, one outcome."""

    # Random, because it is the key to the public confirmation page (DECISIONS X33).
    id = models.UUIDField(primary_key=True, default=order_id, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="pre_orders"
    )
    offer = models.ForeignKey("offers.SpecialOffer", models.PROTECT, related_name="pre_orders")
    # What was sold: the special and its alternative as the guest was shown them (decision 49).
    sold = models.ForeignKey("offers.OfferVersion", models.PROTECT, related_name="pre_orders")
    # The team member who took an order by phone; guests have no account.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    cart = models.ForeignKey(Cart, models.PROTECT, null=True, blank=True, related_name="items")
    quantity = models.PositiveIntegerField(default=1)
    unit_price = models.DecimalField(**MONEY_COLUMN)
    subtotal = models.DecimalField(**MONEY_COLUMN)
    tax_rate = models.DecimalField(max_digits=6, decimal_places=4)  # percent
    tax = models.DecimalField(**MONEY_COLUMN)
    total_amount = models.DecimalField(**MONEY_COLUMN)
    revenue_share_rate = models.DecimalField(max_digits=5, decimal_places=2)
    revenue_share = models.DecimalField(**MONEY_COLUMN)
    processing_fee = models.DecimalField(**MONEY_COLUMN)
    status = models.CharField(max_length=20, choices=PreOrderStatus, default=PreOrderStatus.PENDING)
    payment_status = models.CharField(
        max_length=20, choices=PaymentStatus, default=PaymentStatus.UNPAID
    )
    # What the guest got back so far; the payment status becomes `refunded` once it is everything.
    refunded_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    # Also refunded, but returned by the guest's bank: neither the guest nor the restaurant has it.
    returned_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    # The part of the returned amount that failed because the guest had disputed the charge
    # (decision 74).
    overtaken_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    # What the guest's bank took back and hasn't returned; an inquiry takes nothing.
    disputed_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    source = models.CharField(max_length=10, choices=OrderSource, default=OrderSource.WEB)
    customer_name = models.CharField(max_length=100)
    customer_email = models.EmailField(max_length=255, blank=True)  # optional for phone orders
    customer_phone = models.CharField(max_length=50)
    # The language of the page when ordering, used for the order's emails: `en-us`, `es`.
    language = models.CharField(max_length=10, default=spoken)
    note = models.CharField(max_length=500, blank=True)  # the guest's special requests
    pickup_slot = models.ForeignKey(
        "offers.PickupSlot", models.PROTECT, null=True, blank=True, related_name="pre_orders"
    )
    # What the guest chose of a special that is served both ways; empty if it is served one way, or
    # if nobody said (decision 166).
    service_mode = models.CharField(max_length=10, choices=ServiceChoice, blank=True)
    # The agreed price per portion of the alternative if the minimum isn't met; None if the hold
    # should be released instead (DECISIONS X18).
    alternative_price = models.DecimalField(**MONEY_COLUMN, null=True, blank=True)
    serves_alternative = models.BooleanField(default=False)  # decided at the deadline

    # The sentences about the card that the guest agreed to, in `language`; the version of the terms
    # for guests; and when they agreed: with the order, or by entering a card (cart, phone).
    consent_text = models.TextField(blank=True)
    terms_version = models.CharField(max_length=10, blank=True)
    consented_at = models.DateTimeField(null=True)

    # The code of the guest's share link, and the order whose share link led this guest here.
    share_code = models.CharField(max_length=12, default=share_code)
    referred_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="referrals"
    )
    link_visits = models.PositiveIntegerField(default=0)  # of this order's share link

    # Portions this guest reserves for friends, who order and pay themselves: how many in all (0
    # once they are open to everyone), and until when; None if there never were any (decision 88).
    friend_portions = models.PositiveSmallIntegerField(default=0)
    friends_until = models.DateTimeField(null=True)
    # The order of the friend whose link this guest followed, and whether that friend sees this
    # guest's first name.
    friend_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="friends"
    )
    shows_first_name = models.BooleanField(default=False)

    # During checkout: whether the portions are reserved, and until when; without a time, for as
    # long as the checkout is open (decision 51).
    reservation = models.CharField(
        max_length=10, choices=ReservationStatus, default=ReservationStatus.RESERVED
    )
    reserved_until = models.DateTimeField(null=True)
    # Keyed hashes of the network and the browser that started the checkout, to limit how many one
    # of them can start; emptied a day after the checkout.
    origin_network = models.CharField(max_length=32, blank=True)
    origin_device = models.CharField(max_length=32, blank=True)

    # Stripe's ids.
    checkout_session_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    checkout_url = models.URLField(max_length=2048, blank=True)
    checkout_expires_at = models.DateTimeField()
    payment_intent_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    payment_customer_id = models.CharField(max_length=255, blank=True)
    payment_method_id = models.CharField(max_length=255, blank=True)
    statement_name = models.CharField(max_length=40, blank=True)  # on the guest's bank statement
    # The card that is held or charged: Stripe's brand, such as `visa`, and the last four digits.
    card_brand = models.CharField(max_length=20, blank=True, default="", db_default="")
    card_digits = models.CharField(max_length=4, blank=True, default="", db_default="")
    capture_before = models.DateTimeField(null=True)  # the hold expires then
    authorized_at = models.DateTimeField(null=True)  # by Stripe's clock
    payment_processed_at = models.DateTimeField(null=True)
    # After the meal: whether the guest would order it again; None until they answer.
    would_order_again = models.BooleanField(null=True)
    rated_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    # Part of the order's signed links: increasing it revokes them (`core.links`).
    link_revision = models.PositiveSmallIntegerField(default=0)

    # Generated columns, because under row-level security PostgreSQL can't use an index on an
    # expression with these functions.
    short_code = models.GeneratedField(
        expression=Upper(_LAST_EIGHT), output_field=models.CharField(max_length=8), db_persist=True
    )
    search_text = models.GeneratedField(
        expression=_SEARCHED, output_field=models.TextField(), db_persist=True
    )

    objects = PreOrderQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gte=1), name="at_least_one_portion"),
            models.UniqueConstraint(fields=["restaurant", "share_code"], name="one_share_link"),
            models.CheckConstraint(condition=Q(total_amount__gt=0), name="order_costs_something"),
        ]
        indexes = [
            models.Index(fields=["restaurant", "-created_at"], name="orders_of_a_restaurant"),
            models.Index(fields=["offer", "payment_status"], name="orders_by_payment"),
            models.Index(fields=["offer", "-created_at"], name="orders_of_an_offer"),
            # Code first: staff search within a restaurant, guests perhaps without one.
            models.Index(fields=["short_code", "restaurant"], name="orders_by_code"),
            models.Index(
                fields=["checkout_expires_at"],
                condition=Q(status=PreOrderStatus.PENDING),
                name="orders_in_checkout",
            ),
            models.Index(
                fields=["reserved_until"],
                condition=Q(
                    status=PreOrderStatus.PENDING,
                    payment_status__in=sorted(CHECKOUT_STATUSES),
                    reservation=ReservationStatus.RESERVED,
                ),
                name="reservations_by_end",
            ),
            models.Index(
                fields=["friends_until"],
                condition=Q(friend_portions__gt=0),
                name="friend_portions_by_end",
            ),
            models.Index(
                fields=["offer", "-created_at"],
                condition=Q(payment_status__in=sorted(CHECKOUT_STATUSES)),
                name="orders_without_card",
            ),
            models.Index(
                fields=["created_at"],
                condition=~Q(origin_network=""),
                name="orders_with_origin",
            ),
            models.Index(
                fields=["capture_before"],
                condition=Q(payment_status=PaymentStatus.AUTHORIZED),
                name="holds_by_expiry",
            ),
        ]

    def __str__(self) -> str:
        return f"order {self.code}"

    @property
    def code(self) -> str:
        return order_code(self.pk)

    @property
    def amount_paid(self) -> Decimal:
        """What is left of a charged total after refunds."""
        return self.total_amount - self.refunded_amount

    @property
    def serving(self) -> Serving:
        """When and how the guest gets it: at the pickup time and in the mode they chose, if any."""
        return serving_of(self.offer, self.pickup_slot, self.service_mode)

    @property
    def served_mode(self) -> ServiceMode:
        """How it is eaten; `both` if nobody said."""
        has_slot = self.pickup_slot_id is not None
        return mode_of(self.offer, self.service_mode, has_slot=has_slot)

    @property
    def has_what_it_needs(self) -> bool:
        """Whether it goes ahead, as far as is known: until the deadline, cancellations can undo
        that."""
        is_held = self.payment_status == PaymentStatus.AUTHORIZED
        return self.status == PreOrderStatus.CONFIRMED or (is_held and is_on(self.offer))

    @property
    def in_short(self) -> str:
        """What a browser that remembers the order says of its state; empty for what can change at
        any moment."""
        if self.has_what_it_needs:
            return _("It's on")
        return _("Card held") if self.payment_status == PaymentStatus.AUTHORIZED else ""

    @property
    def in_short_until(self) -> datetime | None:
        """Until when `in_short` can be said; None without an end."""
        is_held = self.in_short and self.status != PreOrderStatus.CONFIRMED
        return self.offer.deadline if is_held else None

    @property
    def is_eaten_there(self) -> bool:
        """Whether nobody picks it up: it is eaten at the restaurant."""
        return self.served_mode == ServiceMode.DINE_IN

    @property
    def served_name(self) -> str:
        """The dish served for this order, as it was sold: the special or its alternative
        (DECISIONS X18). In the active language: the guest's on their pages and in their emails."""
        alternative = self.serves_alternative and self.sold.spoken_alternative_name
        return alternative or self.sold.spoken_name


class PreOrderTransition(TransitionRecord):
    """An audit row: one state change of an order."""

    pre_order = models.ForeignKey(PreOrder, models.CASCADE, related_name="transitions")
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )

    class Meta(TransitionRecord.Meta):
        abstract = False
        indexes = [models.Index(fields=["restaurant", "-id"], name="latest_order_transition")]

    def __str__(self) -> str:
        return f"{self.pre_order_id}: {self.field} {self.old} → {self.new}"


class OrderNote(models.Model):
    """A note by the restaurant's team about an order; guests never see it."""

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    pre_order = models.ForeignKey(PreOrder, models.CASCADE, related_name="notes")
    text = models.CharField(max_length=1000)
    by = models.CharField(max_length=100)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["restaurant", "-id"], name="latest_note")]

    def __str__(self) -> str:
        return f"{self.by}: {self.text[:40]}"


class PickupCheckIn(models.Model):
    """A check-in that counted. If the device sends it again, its key brings the same answer."""

    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    pre_order = models.ForeignKey(PreOrder, models.CASCADE, related_name="check_ins")
    key = models.UUIDField()  # named by the device
    made_at = models.DateTimeField()  # by the device's clock
    at = models.DateTimeField()  # when it arrived

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["restaurant", "key"], name="check_in_once"),
        ]

    def __str__(self) -> str:
        return f"check-in {self.key}"
