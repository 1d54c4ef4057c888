"""The form that answers a dispute."""

from django import forms

from apps.preorders.models.disputes import REMARKS_LENGTH


class AnswerForm(forms.Form):
    """The restaurant's own remarks; the evidence pack is added to them."""

    remarks = forms.CharField(
        max_length=REMARKS_LENGTH,
        required=False,
        error_messages={"max_length": f"Use at most {REMARKS_LENGTH:,} characters."},
    )
