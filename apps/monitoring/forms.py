"""The form of the Status page."""

from django import forms


class AcknowledgementForm(forms.Form):
    """Which alarm somebody looks after, and what they're doing; the service checks the note."""

    alarm = forms.IntegerField(min_value=1)
    note = forms.CharField(required=False, max_length=1000)
