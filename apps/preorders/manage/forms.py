"""The forms of the restaurant's own pages."""

from datetime import time

from django import forms

from apps.common.edit_forms import EditForm
from apps.preorders.models.states import NoticeKind

_HOURS = [
    (f"{hour:02}:00", f"{hour % 12 or 12} {'AM' if hour < 12 else 'PM'}") for hour in range(24)
]


def _hour(value: str) -> time:
    return time.fromisoformat(value)


class NoticesForm(EditForm):
    """Which notices an owner wants, and when they want none."""

    wanted = forms.MultipleChoiceField(
        label="Email me about",
        choices=NoticeKind.choices,
        required=False,
        error_messages={"invalid_choice": "Choose from the notices listed here."},
    )
    quiet_from = forms.TypedChoiceField(
        label="From",
        choices=_HOURS,
        coerce=_hour,
        error_messages={"invalid_choice": "Choose a full hour.", "required": "Choose an hour."},
    )
    quiet_until = forms.TypedChoiceField(
        label="Until",
        choices=_HOURS,
        coerce=_hour,
        error_messages={"invalid_choice": "Choose a full hour.", "required": "Choose an hour."},
    )
