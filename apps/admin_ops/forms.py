"""Forms of the staff's pages and of the activity log."""

from django import forms

from apps.activity.kinds import Group
from apps.activity.selectors import EventFilter

RESOLVE, CONTINUE, GIVE_UP = "resolve", "continue", "give_up"


class IssueForm(forms.Form):
    """What staff do about one payment issue."""

    issue = forms.IntegerField(min_value=1)
    action = forms.ChoiceField(
        choices=[(each, each) for each in (RESOLVE, CONTINUE, GIVE_UP)],
    )
    resolution = forms.CharField(required=False, max_length=1000)


class ActivityFilterForm(forms.Form):
    """Filters of the activity log; an unknown value filters nothing."""

    group = forms.ChoiceField(
        label="Kind", required=False, choices=[("", "All kinds"), *Group.choices]
    )
    person = forms.UUIDField(label="Person", required=False)
    restaurant = forms.UUIDField(label="Restaurant", required=False)

    @property
    def filters(self) -> EventFilter:
        """What was asked for, without what isn't valid."""
        self.is_valid()
        asked = self.cleaned_data
        return EventFilter(
            group=asked.get("group") or "",
            actor_id=asked.get("person"),
            restaurant_id=asked.get("restaurant"),
        )
