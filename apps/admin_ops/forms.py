"""Forms of the staff's pages and of the activity log."""

from typing import Any

from django import forms

from apps.activity.kinds import Group
from apps.activity.selectors import EventFilter
from apps.admin_ops.suspension import FOR_GUESTS, FOR_GUESTS_NEEDED, REASON_NEEDED, OpenSpecials
from apps.common.transitions import REASON_LENGTH
from apps.preorders.models.states import PauseScope
from apps.restaurants.models import Restaurant

RESOLVE, CONTINUE, GIVE_UP, PAUSE, RETRY = "resolve", "continue", "give_up", "pause", "retry"
SUSPEND, RESTORE = "suspend", "restore"


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


class SuspensionForm(forms.Form):
    """Suspends a restaurant, cancels the rest of a suspended one's specials, or restores it."""

    action = forms.ChoiceField(choices=[(each, each) for each in (SUSPEND, RESTORE)])
    reason = forms.CharField(
        label="Reason",
        help_text="The owners read it in their email.",
        required=False,
        max_length=REASON_LENGTH,
    )
    specials = forms.ChoiceField(
        label="Its open specials",
        required=False,
        choices=[
            (
                OpenSpecials.RUN.value,
                "Let them run to their deadlines. Guests keep their orders, and pay if the minimum "
                "is met.",
            ),
            (
                OpenSpecials.CANCEL.value,
                "Cancel them. We release every hold and tell every guest. This can't be undone.",
            ),
        ],
    )
    guests_reason = forms.CharField(
        label="What guests read if you cancel",
        required=False,
        max_length=REASON_LENGTH,
    )

    def __init__(self, *args: Any, restaurant: Restaurant, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["guests_reason"].initial = FOR_GUESTS.format(restaurant=restaurant.name)

    def clean(self) -> dict[str, Any]:
        """The fields of a suspension are needed only for one."""
        wanted = self.cleaned_data
        if wanted.get("action") != SUSPEND:
            return wanted
        if not wanted.get("reason") and "reason" not in self.errors:
            self.add_error("reason", REASON_NEEDED)
        if not wanted.get("specials") and "specials" not in self.errors:
            self.add_error("specials", "Choose what happens to the open specials.")
        is_cancel = wanted.get("specials") == OpenSpecials.CANCEL
        if is_cancel and not wanted.get("guests_reason") and "guests_reason" not in self.errors:
            self.add_error("guests_reason", FOR_GUESTS_NEEDED)
        return wanted
