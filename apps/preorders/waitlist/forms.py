"""The waitlist form of a sold-out special: what was typed, and its errors."""

from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.common.errors import DomainError
from apps.preorders.checkout.forms import FormField
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.waitlist.serializers import WaitlistRequest


def _fields() -> list[FormField]:
    return [
        FormField("quantity", _("Portions"), "number", value="1"),
        FormField("customerName", _("Name"), "text", "name", 100),
        FormField("customerEmail", _("Email"), "email", "email", 255),
        FormField("customerPhone", _("Phone"), "tel", "tel", 50),
    ]


@dataclass(slots=True)
class WaitlistForm:
    """The form with its values; `problems` are (field name or "", message)."""

    fields: list[FormField] = field(default_factory=_fields)
    problems: list[tuple[str, str]] = field(default_factory=list)
    portions: int = 1
    customer: GuestDetails | None = None

    def refuse(self, error: DomainError) -> None:
        """Show the error at the fields it names, else above the form."""
        self.show([(fault.field, fault.message) for fault in error.fields] or [("", error.message)])

    def show(self, faults: list[tuple[str, str]]) -> None:
        by_name = {one.name: one for one in self.fields}
        for name, message in faults:
            if name in by_name:
                by_name[name].message = message
            self.problems.append((name if name in by_name else "", message))


def read_waitlist_form(posted: QueryDict) -> WaitlistForm:
    """The posted form with its errors; valid when it has no `problems`."""
    form = WaitlistForm()
    for one in form.fields:
        # One extra character is kept, so the length check reports it and nothing is cut off.
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
