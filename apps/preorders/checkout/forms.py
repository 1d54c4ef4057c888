"""The order form of a special's page: what was typed, what is wrong with it, what it costs."""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common.errors import DomainError, Unavailable
from apps.common.money import Money
from apps.offers.presentation import Special
from apps.preorders.checkout.serializers import MAX_NOTE_LENGTH, PreOrderRequest
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.models import PreOrder

CHECK_AGAIN = _lazy("Price has changed. Check the new total below, then press Pre-Order Now again.")
PAYMENT_ERROR = _lazy("Payment Error: Failed to process payment. Please try again.")  # T56
NOT_READ = -Money(1).amount  # a price nobody was shown: the check refuses it


@dataclass(slots=True)
class FormField:
    """One control; `message` says what is wrong with its value, or nothing."""

    name: str
    label: str
    type: str = "text"  # of the input; "select" and "textarea" are what they say
    autocomplete: str = "off"
    longest: int = 10
    value: str = ""
    message: str = ""


def _fields() -> list[FormField]:
    return [
        FormField("quantity", _("Portions"), "number", value="1"),
        FormField("customerName", _("Name"), "text", "name", 100),
        FormField("customerEmail", _("Email"), "email", "email", 255),
        FormField("customerPhone", _("Phone"), "tel", "tel", 50),
        FormField("slotId", _("Pick-up time"), "select"),
        FormField(
            "note", _("Allergies or a wish for the kitchen?"), "textarea", "off", MAX_NOTE_LENGTH
        ),
        FormField("alternativeConsent", "", "radio", value="false"),
    ]


@dataclass(slots=True)
class OrderForm:
    """The form as it stands on the page; `problems` are (field name or "", message)."""

    fields: list[FormField] = field(default_factory=_fields)
    problems: list[tuple[str, str]] = field(default_factory=list)
    wanted: dict[str, Any] = field(default_factory=dict)
    claimed_unit: Decimal | None = None
    via: str = ""  # the code of the share link that led here

    @property
    def quantity(self) -> FormField:
        return self.fields[0]

    @property
    def texts(self) -> list[FormField]:
        return self.fields[1:4]

    @property
    def slot(self) -> FormField:
        return self.fields[4]

    @property
    def note(self) -> FormField:
        return self.fields[5]

    @property
    def consent(self) -> FormField:
        """Whether the alternative will do should the minimum be missed (DECISIONS X18)."""
        return self.fields[6]

    @property
    def portions(self) -> int:
        """What to show the price of: the portions asked for when they can be read, else one."""
        try:
            return min(max(1, int(self.quantity.value)), 1000)
        except ValueError:
            return 1

    @property
    def customer(self) -> GuestDetails:
        return GuestDetails(
            name=self.wanted["customerName"],
            email=self.wanted["customerEmail"],
            phone=self.wanted["customerPhone"],
        )

    @property
    def claimed_total(self) -> Decimal | None:
        """What the diner was shown for the portions alone: the price of one, times their number.

        The page sends the price of one portion and not the total, which without JavaScript would
        still be that of the number it was rendered with.
        """
        return self.claimed_unit and self.claimed_unit * self.wanted["quantity"]

    def refuse(self, error: DomainError) -> None:
        """Show the refusal: at its fields where it names some, else above the form."""
        if isinstance(error, Unavailable):
            self.problems.append(("", str(PAYMENT_ERROR)))
            return
        faults = [(fault.field, fault.message) for fault in error.fields]
        self._show(faults or [("", error.message)])

    def forget_problems(self) -> None:
        """For a look at the total, before the form is filled in."""
        self.problems.clear()
        for one in self.fields:
            one.message = ""

    def _show(self, faults: list[tuple[str, str]]) -> None:
        by_name = {one.name: one for one in self.fields}
        for name, message in faults:
            if name == "totalAmount":
                name, message = "", str(CHECK_AGAIN)
            elif name in by_name:
                by_name[name].message = by_name[name].message or message
            else:
                name = ""
            self.problems.append((name, message))


def form_like(order: PreOrder, special: Special) -> OrderForm:
    """The form as this order's diner filled it in, for the same special or one like it."""
    form = OrderForm()
    form.quantity.value = str(max(1, min(order.quantity, special.per_order_limit)))
    typed = (order.customer_name, order.customer_email, order.customer_phone)
    for one, value in zip(form.texts, typed, strict=True):
        one.value = value
    form.note.value = order.note
    form.slot.value = str(order.pickup_slot_id or "")
    form.consent.value = "false" if order.alternative_price is None else "true"
    return form


def read_order_form(posted: QueryDict, *, offer_id: object) -> OrderForm:
    """The posted form with its faults (V46); valid when it has no `problems`."""
    form = OrderForm()
    for one in form.fields:
        # One character too many is kept, so that the fault is told and nothing is cut off.
        one.value = posted.get(one.name, "").strip()[: max(300, one.longest + 1)]
    form.claimed_unit = _amount(posted.get("unitPrice"))
    is_optional = (form.slot.name, form.consent.name)  # a special without them asks for neither
    typed = {one.name: one.value for one in form.fields if one.value or one.name not in is_optional}
    request = PreOrderRequest(data={"dishId": str(offer_id), **typed})
    if request.is_valid():
        form.wanted = request.validated_data
    else:
        form._show([(name, str(messages[0])) for name, messages in request.errors.items()])
    return form


def _amount(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        return Money.of(text).amount
    except (ValueError, InvalidOperation):
        return NOT_READ
