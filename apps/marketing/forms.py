"""Forms of the owner's audience pages."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from apps.marketing.models import MAX_MESSAGE_LENGTH, Campaign

SUBJECT_LENGTH = 120
WHEN_REQUIRED = "Choose a day and a time, or send it now."


class CampaignForm(forms.Form):
    """An email to followers. `send_at` is a local time of the restaurant; empty is now."""

    special = forms.UUIDField(
        required=False, error_messages={"invalid": "Choose one of your specials."}
    )
    segment = forms.ChoiceField(
        choices=Campaign.Segment.choices,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose who gets this email."),
    )
    subject = forms.CharField(
        required=False,
        max_length=SUBJECT_LENGTH,
        error_messages={"max_length": f"Use at most {SUBJECT_LENGTH} characters."},
    )
    note = forms.CharField(
        required=False,
        max_length=MAX_MESSAGE_LENGTH,
        error_messages={"max_length": f"Use at most {MAX_MESSAGE_LENGTH:,} characters."},
    )
    send_at = forms.DateTimeField(
        required=False,
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        error_messages={"invalid": WHEN_REQUIRED},
    )

    def __init__(self, *args: Any, zone: ZoneInfo, **named: Any) -> None:
        super().__init__(*args, **named)
        self._zone = zone

    def clean_send_at(self) -> datetime | None:
        typed: datetime | None = self.cleaned_data["send_at"]
        # Django read it as a time in UTC; it is the restaurant's.
        return typed.replace(tzinfo=self._zone) if typed else None
