"""The form that puts a diner in line for a full special: what was typed, and what is wrong."""

from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from rest_framework import serializers

from apps.common.errors import DomainError
from apps.preorders.checkout.forms import FormField
from apps.preorders.checkout.services import GuestDetails

HOW_MANY = _lazy("Say how many portions you would like, as a whole number.")
NAME_MISSING = _lazy("Name is required")
EMAIL_MISSING = _lazy("Valid email is required")


class WaitlistRequest(serializers.Serializer[Any]):
    quantity = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), HOW_MANY),
    )
    customerName = serializers.CharField(
        max_length=100, error_messages=dict.fromkeys(("required", "blank"), NAME_MISSING)
    )
    customerEmail = serializers.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(("required", "blank", "invalid"), EMAIL_MISSING),
    )
    customerPhone = serializers.CharField(max_length=50, required=False, allow_blank=True)


def _fields() -> list[FormField]:
    return [
        FormField("quantity", _("Portions"), "number", value="1"),
        FormField("customerName", _("Name"), "text", "name", 100),
        FormField("customerEmail", _("Email"), "email", "email", 255),
        FormField("customerPhone", _("Phone"), "tel", "tel", 50),
    ]


@dataclass(slots=True)
class WaitlistForm:
    """The form as it stands on the page; `problems` are (field name or "", message)."""

    fields: list[FormField] = field(default_factory=_fields)
    problems: list[tuple[str, str]] = field(default_factory=list)
    portions: int = 1
    customer: GuestDetails | None = None

    def refuse(self, error: DomainError) -> None:
        """Show the refusal: at its fields where it names some, else above the form."""
        self.show([(fault.field, fault.message) for fault in error.fields] or [("", error.message)])

    def show(self, faults: list[tuple[str, str]]) -> None:
        by_name = {one.name: one for one in self.fields}
        for name, message in faults:
            if name in by_name:
                by_name[name].message = message
            self.problems.append((name if name in by_name else "", message))


def read_waitlist_form(posted: QueryDict) -> WaitlistForm:
    """The posted form with its faults; valid when it has no `problems`."""
    form = WaitlistForm()
    for one in form.fields:
        # One character too many is kept, so that the fault is told and nothing is cut off.
        one.value = posted.get(one.name, "").strip()[: one.longest + 1]
    request = WaitlistRequest(data={one.name: one.value for one in form.fields})
    if request.is_valid():
        found = request.validated_data
        form.portions = found["quantity"]
        form.customer = GuestDetails(
            found["customerName"], found["customerEmail"], found.get("customerPhone", "")
        )
    else:
        form.show([(name, str(messages[0])) for name, messages in request.errors.items()])
    return form
