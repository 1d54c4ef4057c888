"""Forms of the staff's pages and of the activity log."""

from django import forms

from apps.activity.kinds import Group
from apps.activity.selectors import EventFilter
from apps.preorders.models.states import PauseScope

RESOLVE, CONTINUE, GIVE_UP, PAUSE, RETRY = "resolve", "continue", "give_up", "pause", "retry"


class IssueForm(forms.Form):
    """What staff do about one payment issue."""

    issue = forms.IntegerField(min_value=1)
    action = forms.ChoiceField(
        choices=[(each, each) for each in (RESOLVE, CONTINUE, GIVE_UP)],
    )
    resolution = forms.CharField(required=False, max_length=1000)


class SettlementForm(forms.Form):
    """What staff do about settlement: pause and continue it, try again, give up."""

    action = forms.ChoiceField(choices=[(each, each) for each in (PAUSE, CONTINUE, RETRY, GIVE_UP)])
    scope = forms.ChoiceField(
        choices=[each for each in PauseScope.choices if each[0] != PauseScope.SCHEDULER]
    )
    target = forms.CharField(required=False, max_length=100)
    reason = forms.CharField(required=False, max_length=1000)
    confirmed = forms.BooleanField(required=False)


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
