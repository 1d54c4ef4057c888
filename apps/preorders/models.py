"""Pre-orders, what is to be done with their money, and the letters they cause."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Q, TextField, Value
from django.db.models.functions import Cast, Concat, Lower, Right, Upper

from apps.common.ids import order_code, share_code
from apps.common.languages import spoken
from apps.common.money import MONEY_COLUMN
from apps.common.transitions import TransitionRecord
from apps.preorders.querysets import PreOrderQuerySet
from apps.preorders.searching import ACCENTED, PLAIN
from apps.preorders.states import (
    IN_LINE,
    MailKind,
    OperationKind,
    OperationStage,
    OperationState,
    OrderSource,
    PaymentStatus,
    PreOrderStatus,
    WaitingState,
)

SETTLEMENT_KINDS = sorted({OperationKind.CAPTURE, OperationKind.RELEASE})

_LAST_EIGHT = Right(Cast("id", TextField()), 8)
# What a search looks through: name and address in small plain letters, the digits of the telephone
# number, the code; each on a line of its own.
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
    """Specials of one restaurant ordered together: how the one card for them is given.

    What is ordered are its lines, each an order with an intent and an outcome of its own
    (DECISIONS X23). A cart with one line has that line's intent to confirm and nothing else.
    """

    # Random, not guessable: it is the key to the checkout.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    # Of who orders and what, so that a button pressed twice is one cart; empty while nobody's name
    # is known.
    fingerprint = models.CharField(max_length=64, blank=True)
    setup_intent_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    payment_customer_id = models.CharField(max_length=255, blank=True)
    payment_method_id = models.CharField(max_length=255, blank=True)  # known once it was given
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
    """One diner's order of one offer: one PaymentIntent, one outcome."""

    # Random, not guessable: it is the key to the public order page (DECISIONS X33).
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.PROTECT, related_name="pre_orders"
    )
    offer = models.ForeignKey("offers.SpecialOffer", models.PROTECT, related_name="pre_orders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    cart = models.ForeignKey(Cart, models.PROTECT, null=True, blank=True, related_name="lines")
    quantity = models.PositiveIntegerField(default=1)
    unit_price = models.DecimalField(**MONEY_COLUMN)
    subtotal = models.DecimalField(**MONEY_COLUMN)
    tax_rate = models.DecimalField(max_digits=5, decimal_places=2)
    tax = models.DecimalField(**MONEY_COLUMN)
    total_amount = models.DecimalField(**MONEY_COLUMN)
    revenue_share_rate = models.DecimalField(max_digits=5, decimal_places=2)
    revenue_share = models.DecimalField(**MONEY_COLUMN)
    processing_fee = models.DecimalField(**MONEY_COLUMN)
    status = models.CharField(max_length=20, choices=PreOrderStatus, default=PreOrderStatus.PENDING)
    payment_status = models.CharField(
        max_length=20, choices=PaymentStatus, default=PaymentStatus.UNPAID
    )
    # What was given back of a charge so far; the order is `refunded` once it is all of it.
    refunded_amount = models.DecimalField(**MONEY_COLUMN, default=0)
    source = models.CharField(max_length=10, choices=OrderSource, default=OrderSource.WEB)
    customer_name = models.CharField(max_length=100)
    customer_email = models.EmailField(max_length=255, blank=True)  # a phone order may have none
    customer_phone = models.CharField(max_length=50)
    # What the page spoke when the order was made, and what its letters speak: `en-us`, `es`.
    language = models.CharField(max_length=10, default=spoken)
    note = models.CharField(max_length=500, blank=True)  # the diner's, to the kitchen
    pickup_slot = models.ForeignKey(
        "offers.PickupSlot", models.PROTECT, null=True, blank=True, related_name="pre_orders"
    )
    # What the diner agreed to pay for one portion of the alternative should the minimum be missed;
    # None: the hold is to be let go then (DECISIONS X18).
    alternative_price = models.DecimalField(**MONEY_COLUMN, null=True, blank=True)
    serves_alternative = models.BooleanField(default=False)  # decided at the deadline

    # What the diner's share link is known by, and the order whose link this diner came through.
    share_code = models.CharField(max_length=12, default=share_code)
    brought_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="brought"
    )
    link_visits = models.PositiveIntegerField(default=0)  # of this order's share link

    # What the processor knows it by.
    checkout_session_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    checkout_url = models.URLField(max_length=2048, blank=True)
    checkout_expires_at = models.DateTimeField()
    payment_intent_id = models.CharField(max_length=255, unique=True, null=True, blank=True)
    payment_customer_id = models.CharField(max_length=255, blank=True)
    payment_method_id = models.CharField(max_length=255, blank=True)
    capture_before = models.DateTimeField(null=True)  # after this the hold is gone
    authorized_at = models.DateTimeField(null=True)  # by the processor's clock
    payment_processed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    # Kept by the database, so that an index finds a code: under row-level security none may be
    # built on what a function makes of a column.
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
            # A restaurant's door and a diner who lost the letter look for it, the one within a
            # restaurant, the other perhaps without.
            models.Index(fields=["short_code", "restaurant"], name="orders_by_code"),
            models.Index(
                fields=["checkout_expires_at"],
                condition=Q(status=PreOrderStatus.PENDING),
                name="orders_in_checkout",
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
    def served_name(self) -> str:
        """What the kitchen makes for this order: the special, or its alternative (X18)."""
        alternative = self.offer.alternative_dish if self.serves_alternative else None
        return alternative.name if alternative else self.offer.name


class PreOrderTransition(TransitionRecord):
    """The audit trail of an order."""

    pre_order = models.ForeignKey(PreOrder, models.CASCADE, related_name="transitions")
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )

    class Meta(TransitionRecord.Meta):
        abstract = False
        indexes = [models.Index(fields=["restaurant", "-id"], name="latest_order_transition")]

    def __str__(self) -> str:
        return f"{self.pre_order_id}: {self.field} {self.old} → {self.new}"


class PaymentOperation(models.Model):
    """One thing to be done with an order's money: an outbox row (design §3).

    Decided in a transaction, carried out by a worker that holds a lease and no lock. An order has
    one capture or one release, never both: the database says so.
    """

    restaurant = models.ForeignKey("restaurants.Restaurant", models.PROTECT, related_name="+")
    pre_order = models.ForeignKey(PreOrder, models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=20, choices=OperationKind)
    stage = models.CharField(max_length=20, choices=OperationStage, default=OperationStage.HOLD)
    state = models.CharField(max_length=20, choices=OperationState, default=OperationState.PENDING)
    key = models.UUIDField(default=uuid.uuid4, unique=True)  # what idempotency keys derive from
    # A definite server error is replayed for its key; the next try needs another one.
    epoch = models.PositiveIntegerField(default=0)
    # A refund: the part asked for, None is all that is left; and what is to have gone back in all
    # when it is done, None is all of the charge. In dollars.
    amount = models.DecimalField(**MONEY_COLUMN, null=True)
    refund_up_to = models.DecimalField(**MONEY_COLUMN, null=True)
    # A new hold that the diner asked for: the order is for so many portions then. None where the
    # old hold would have ended too early.
    quantity = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=200, blank=True)  # why, and who asked for it
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField()  # not before this; a worker's lease moves it ahead
    # The payment intent or checkout session that the present stage created at the processor.
    reference = models.CharField(max_length=255, blank=True)
    error = models.CharField(max_length=255, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind__in=SETTLEMENT_KINDS),
                name="capture_or_release_once",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.REFUND, state=OperationState.PENDING),
                name="one_refund_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.RENEW, state=OperationState.PENDING),
                name="one_renewal_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["pre_order"],
                condition=Q(kind=OperationKind.AUTHORIZE),
                name="authorize_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(state=OperationState.PENDING),
                name="operations_due",
            ),
            # Few at any time: what is asked for beyond an offer's orders is read with every order.
            models.Index(
                fields=["pre_order"],
                condition=Q(state=OperationState.PENDING, quantity__isnull=False),
                name="changes_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.pre_order_id}: {self.state}"


class OrderMail(models.Model):
    """A letter to a diner: written down with the decision that causes it, sent by a worker."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    pre_order = models.ForeignKey(PreOrder, models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=20, choices=MailKind)
    # The first is 1; one that is sent again by hand, or a second part refunded, has the next.
    number = models.PositiveSmallIntegerField(default=1)
    action_url = models.URLField(max_length=2048, blank=True)
    amount = models.DecimalField(**MONEY_COLUMN, null=True)  # the part refunded that it is about
    # The special it is about, where that is not the order's own.
    about = models.ForeignKey(
        "offers.SpecialOffer", models.CASCADE, null=True, blank=True, related_name="+"
    )
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)
    dropped_at = models.DateTimeField(null=True)  # found to be of no more use: it is never sent

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pre_order", "kind", "number"], name="each_letter_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(sent_at=None, dropped_at=None),
                name="mail_waiting",
            ),
            models.Index(fields=["restaurant", "-sent_at"], name="latest_letter"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.pre_order_id}"


class MailChoice(models.Model):
    """Which letters an address wants from a restaurant besides those about its orders' money; where
    there is no row, what `subscriptions` says by default."""

    # Random, not guessable: it is the key to the page where the choice is changed.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    email = models.EmailField(max_length=255)  # in lower case
    news = models.BooleanField(default=False)
    reminders = models.BooleanField(default=True)
    # When the address's owner last turned the news off, by a link that only our letters hold.
    stopped_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["restaurant", "email"], name="one_mail_choice_each"),
        ]

    def __str__(self) -> str:
        return f"{self.email} of {self.restaurant_id}"


class OrderNote(models.Model):
    """What the restaurant's people wrote beside an order; the diner never sees it."""

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


class OfferLetter(models.Model):
    """A letter to the restaurant about an offer: written down with the decision that causes it,
    sent by a worker."""

    class Kind(models.TextChoices):
        KITCHEN_SHEET = "kitchen_sheet", "Kitchen sheet"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey("restaurants.Restaurant", models.CASCADE, related_name="+")
    offer = models.ForeignKey("offers.SpecialOffer", models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=20, choices=Kind)
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["offer", "kind"], name="each_offer_letter_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at=None), name="offer_mail_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.offer_id}"


class WaitingPlace(models.Model):
    """A diner in line for portions of an offer that is full; no card is involved (decision 29)."""

    # Signed, it is the diner's key to the place (`waiting_links`).
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    offer = models.ForeignKey("offers.SpecialOffer", models.CASCADE, related_name="waiting_places")
    name = models.CharField(max_length=100)
    email = models.EmailField(max_length=255)  # in small letters
    phone = models.CharField(max_length=50, blank=True)
    portions = models.PositiveIntegerField()
    language = models.CharField(max_length=10, default=spoken)  # of the letters
    state = models.CharField(max_length=20, choices=WaitingState, default=WaitingState.WAITING)
    joined_at = models.DateTimeField()
    held_until = models.DateTimeField(null=True)  # invited: until then the portions are theirs
    pre_order = models.ForeignKey(
        PreOrder, models.SET_NULL, null=True, blank=True, related_name="waiting_places"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(portions__gte=1), name="waiting_for_something"),
            models.UniqueConstraint(
                fields=["offer", "email"],
                condition=Q(state__in=sorted(IN_LINE)),
                name="one_place_in_line",
            ),
        ]
        indexes = [
            models.Index(
                fields=["offer", "joined_at"],
                condition=Q(state__in=sorted(IN_LINE)),
                name="the_line",
            ),
            models.Index(fields=["restaurant", "-joined_at"], name="latest_in_line"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.portions} of {self.offer_id}"


class WaitingLetter(models.Model):
    """A letter to a diner in line: written down with the decision that causes it, sent by a
    worker."""

    class Kind(models.TextChoices):
        JOINED = "waiting_joined", "On the list"
        INVITED = "waiting_invited", "Portions kept"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    place = models.ForeignKey(WaitingPlace, models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=20, choices=Kind)
    due_at = models.DateTimeField()  # a worker's lease moves it ahead
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=255, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["place", "kind"], name="each_waiting_letter_once"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at=None), name="waiting_mail_waiting"),
            models.Index(fields=["restaurant", "-sent_at"], name="latest_waiting_letter"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.place_id}"
