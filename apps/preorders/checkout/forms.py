"""The order form on a special's page.

The serializer of the API decides what is valid, so the page and the API refuse the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _
from rest_framework.serializers import Serializer

from apps.common.error_codes import ErrorCode
from apps.common.errors import Conflict, DomainError, Invalid, Unavailable
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import SLOT_REQUIRED, SlotChoice, SlotState
from apps.offers.presentation import Special
from apps.offers.serving import ServiceMode
from apps.preorders.checkout.acceptance import (
    EMAIL_REQUIRED,
    NAME_REQUIRED,
    OFFER_CLOSED,
    PHONE_REQUIRED,
    PRICE_CHANGED,
    SOLD_OUT,
    too_few_left,
    too_many_portions,
)
from apps.preorders.checkout.limits import BotCheckNeeded
from apps.preorders.checkout.payment_page import StillTrying
from apps.preorders.checkout.serializers import MAX_NOTE_LENGTH, MAX_PORTIONS, PreOrderRequest
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.models import PreOrder

CHECK_AGAIN = _("Check the new total below, then press Pre-Order Now again.")
NOT_HELD = _("Your card wasn't held or charged.")
# Refusals after which nothing in the form can be corrected: their title says all of it. Of portions
# that somebody is ordering and may give up, the page says that (`form_errors.html`).
ENDED = ((SOLD_OUT, _("Just sold out")), (OFFER_CLOSED, _("Orders have closed")))
PAYMENT_ERROR = _("Payment Error: Failed to process payment. Please try again.")
UNREADABLE_PRICE = -Money(1).amount  # a price nobody was shown, so the check refuses it
MAX_TYPED = MAX_NOTE_LENGTH + 1  # characters: the length check still sees one too many


def text_field(
    label: Any,
    input_type: str,
    *,
    initial: str = "",
    max_length: int | None = None,
    autocomplete: str = "off",
    missing: Any = "",
) -> forms.Field:
    """A field of one line. It checks nothing, because the form's serializer does; the page's script
    says `missing` of an empty one before it sends the form."""
    widget = forms.TextInput({"maxlength": max_length, "autocomplete": autocomplete})
    widget.input_type = input_type
    messages = {"required": missing}
    return forms.Field(
        required=False, label=label, initial=initial, widget=widget, error_messages=messages
    )


def name_field() -> forms.Field:
    return text_field(_("Name"), "text", max_length=100, autocomplete="name", missing=NAME_REQUIRED)


def email_field() -> forms.Field:
    return text_field(
        _("Email"), "email", max_length=255, autocomplete="email", missing=EMAIL_REQUIRED
    )


def phone_field(*, missing: Any = "") -> forms.Field:
    return text_field(_("Phone"), "tel", max_length=50, autocomplete="tel", missing=missing)


class SerializerForm(forms.Form):
    """A form that a serializer validates; `cleaned_data` is the serializer's validated data."""

    serializer_class: ClassVar[type[Serializer[Any]]]

    def __init__(self, data: Mapping[str, str] | None = None, **options: Any) -> None:
        typed = data
        if data is not None:
            typed = {name: data.get(name, "").strip()[:MAX_TYPED] for name in self.base_fields}
        super().__init__(typed, **options)

    def request_data(self) -> dict[str, str]:
        """The serializer's input."""
        return dict(self.data)

    def clean(self) -> dict[str, Any]:
        request = self.serializer_class(data=self.request_data())
        if request.is_valid():
            return dict(request.validated_data)
        self._add_errors((name, str(messages[0])) for name, messages in request.errors.items())
        return self.cleaned_data

    def refuse(self, error: DomainError) -> None:
        """Show the error at the fields it names, else above the form."""
        self.is_valid()  # Django adds errors only to a form that has been validated
        named = [(each.field, each.message) for each in error.fields]
        self._add_errors(named or [("", error.message)])

    def _add_errors(self, errors: Iterable[tuple[str, str]]) -> None:
        for name, message in errors:
            self.add_error(name if name in self.fields else None, message)


class OrderForm(SerializerForm):
    """An order of one special. `referral_code` is the code of the share link that led here,
    `friends_link` the end of a friend's link (decision 88)."""

    serializer_class = PreOrderRequest
    retry_after: int | None = None  # seconds until the page sends the form again by itself
    title = ""  # of the refusal, where it has one of its own
    is_sold_out = False
    has_ended = False  # orders have closed, or somebody else ordered the last portions

    quantity = text_field(_("Portions"), "number", initial="1")
    customerName = name_field()
    customerEmail = email_field()
    customerPhone = phone_field(missing=PHONE_REQUIRED)
    slotId = forms.Field(required=False, label=_("Pickup time"), initial="")
    serviceMode = forms.Field(required=False, label=ServiceMode.BOTH.label, initial="")
    note = forms.Field(
        required=False,
        label=_("Allergies or requests"),
        initial="",
        widget=forms.Textarea({"maxlength": MAX_NOTE_LENGTH}),
    )
    # Whether the guest wants the alternative if the minimum is missed (DECISIONS X18).
    alternativeConsent = forms.Field(required=False, initial="false")
    # Asked for with a friend's link: whether the friend sees the guest's first name.
    showFirstName = forms.Field(required=False, initial="")

    def __init__(
        self,
        data: Mapping[str, str] | None = None,
        *,
        offer_id: UUID | None = None,
        referral_code: str = "",
        friends_link: str = "",
        known: GuestDetails | None = None,
        asks_for_phone: bool = False,
        **options: Any,
    ) -> None:
        """`known`: the guest's details on file, which the form neither shows nor asks for;
        `asks_for_phone`: whether the restaurant wants a phone number."""
        self.asks_for_phone = asks_for_phone
        self.known = {
            "customerName": known.name if known else "",
            "customerEmail": known.email if known else "",
            "customerPhone": known.phone if known else "",
        }
        super().__init__(data, auto_id="%s", **options)
        self.offer_id = offer_id
        self.referral_code, self.friends_link = referral_code, friends_link
        self.shown_dish = "" if data is None else data.get("shown", "")
        # Said by the page's script, which the page with the card fields needs, too (decision 177).
        self.pays_here = data is not None and data.get("card") == "here"
        self.claimed_unit = None if data is None else _amount(data.get("unitPrice"))

    def request_data(self) -> dict[str, str]:
        # Not every special asks for them.
        is_optional = ("slotId", "serviceMode", "alternativeConsent", "showFirstName")
        typed = {
            name: value for name, value in self.data.items() if value or name not in is_optional
        }
        on_file = {name: value for name, value in self.known.items() if value}
        led_here = {"dishId": str(self.offer_id), "friendsLink": self.friends_link}
        return {**led_here, **typed, **on_file}

    def with_values_alone(self) -> "OrderForm":
        """The form as typed, not validated: to show the total before everything is filled in."""
        form = OrderForm(
            initial=dict(self.data),
            offer_id=self.offer_id,
            referral_code=self.referral_code,
            friends_link=self.friends_link,
        )
        form.known, form.asks_for_phone = self.known, self.asks_for_phone
        return form

    @property
    def contact_fields(self) -> list[BoundField]:
        asked = [name for name, on_file in self.known.items() if not on_file]
        if not self.asks_for_phone:
            asked = [name for name in asked if name != "customerPhone"]
        return [self[name] for name in asked]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        phone = self.data["customerPhone"] or self.known["customerPhone"]
        if self.asks_for_phone and not phone:
            self.add_error("customerPhone", PHONE_REQUIRED)
        return cleaned

    def add_what_is_missing(
        self, offer: SpecialOffer, *, left: int | None, slots: Sequence[SlotState]
    ) -> None:
        """To a form with errors, add what `begin_order` would refuse next, as far as it is known: a
        guest corrects everything in one round. `left`: the portions the special still has. Of the
        limits on their number, the smallest is named."""
        if "quantity" not in self.errors:
            choice = SlotChoice(slots, self.portions)
            most = offer.max_per_order if left is None else min(offer.max_per_order, left)
            if choice.at_one_time and choice.at_one_time < min(most, self.portions):
                self.add_error("quantity", choice.most_words)
            elif left is not None and left < min(offer.max_per_order, self.portions):
                self.refuse(too_few_left(left))
            elif self.portions > offer.max_per_order:
                self.refuse(too_many_portions(offer))
        if slots and not self.data["slotId"] and "slotId" not in self.errors:
            self.add_error("slotId", SLOT_REQUIRED)

    @property
    def portions(self) -> int:
        """How many portions to show the price of: the number typed if it is one, else 1."""
        try:
            return min(max(1, int(self["quantity"].value())), MAX_PORTIONS)
        except ValueError:
            return 1

    @property
    def guest(self) -> GuestDetails:
        return guest_details(self)

    @property
    def claimed_total(self) -> Decimal | None:
        """The subtotal the guest was shown: the price of one portion times their number.

        The form sends the price of one portion rather than the total, which without JavaScript
        would still be that of the number the page was rendered with.
        """
        return self.claimed_unit and self.claimed_unit * self.cleaned_data["quantity"]

    def refuse(self, error: DomainError) -> None:
        sends_itself = isinstance(error, StillTrying | BotCheckNeeded)
        self.retry_after = error.retry_after if sends_itself else None
        if self.retry_after is None and isinstance(error, Unavailable):
            error = Invalid(str(PAYMENT_ERROR))
        if error.code == ErrorCode.PRICE_CHANGED:
            self.title = str(PRICE_CHANGED)
        for message, title in ENDED:
            if error.message == str(message):
                self.title, self.has_ended = str(title), True
                self.is_sold_out = message is SOLD_OUT
                error = Conflict(str(NOT_HELD))
        super().refuse(error)

    @property
    def says_not_held(self) -> bool:
        """Whether the message above the form already says that no card was held."""
        sentence = str(NOT_HELD).rstrip(".")
        return any(sentence in message for message in self.non_field_errors())

    def _add_errors(self, errors: Iterable[tuple[str, str]]) -> None:
        super()._add_errors(
            ("", str(CHECK_AGAIN)) if name == "totalAmount" else (name, message)
            for name, message in errors
        )


def guest_details(form: SerializerForm) -> GuestDetails:
    """Who filled in the valid form."""
    return GuestDetails(
        name=form.cleaned_data["customerName"],
        email=form.cleaned_data["customerEmail"],
        phone=form.cleaned_data.get("customerPhone", ""),
    )


def form_like(order: PreOrder, special: Special, *, with_details: bool) -> OrderForm:
    """The form as filled in for `order`, for the same special or a similar one; `with_details`:
    with the guest's name, email address, phone number, and note."""
    initial = {
        "quantity": str(max(1, min(order.quantity, special.per_order_limit))),
        "slotId": str(order.pickup_slot_id or ""),
        "serviceMode": order.service_mode,
        "alternativeConsent": "false" if order.alternative_price is None else "true",
    }
    if with_details:
        initial |= {
            "customerName": order.customer_name,
            "customerEmail": order.customer_email,
            "customerPhone": order.customer_phone,
            "note": order.note,
        }
    return OrderForm(initial=initial)


def _amount(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        return Money.of(text).amount
    except (ValueError, InvalidOperation):
        return UNREADABLE_PRICE
