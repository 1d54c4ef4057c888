"""The form of a webhook endpoint."""

from django import forms

from apps.common.outbound import MAX_URL_LENGTH
from apps.integrations.event_types import EventType

URL_REQUIRED = "Enter the address of your program."
TYPES_REQUIRED = "Choose at least one event."


class EndpointForm(forms.Form):
    url = forms.CharField(
        max_length=MAX_URL_LENGTH,
        label="Address",
        error_messages={
            "required": URL_REQUIRED,
            "max_length": f"Use at most {MAX_URL_LENGTH} characters for the address.",
        },
    )
    description = forms.CharField(
        max_length=100,
        required=False,
        label="Description",
        error_messages={"max_length": "Use at most 100 characters for the description."},
    )
    event_types = forms.MultipleChoiceField(
        choices=EventType.choices,
        label="Events",
        error_messages={"required": TYPES_REQUIRED, "invalid_choice": TYPES_REQUIRED},
    )
