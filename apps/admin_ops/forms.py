"""Form of the payment issues page."""

from django import forms

RESOLVE, CONTINUE, GIVE_UP = "resolve", "continue", "give_up"


class IssueForm(forms.Form):
    """What staff do about one payment issue."""

    issue = forms.IntegerField(min_value=1)
    action = forms.ChoiceField(
        choices=[(each, each) for each in (RESOLVE, CONTINUE, GIVE_UP)],
    )
    resolution = forms.CharField(required=False, max_length=1000)
