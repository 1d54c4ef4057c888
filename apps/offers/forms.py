"""Forms of the owner's pages."""

from decimal import Decimal
from typing import Any

from django import forms

from apps.common.edit_forms import EditForm
from apps.common.emails import one_line
from apps.offers.series.schedule import WEEKDAYS
from apps.offers.validation import MAXIMUM_BELOW_MINIMUM, NOT_BELOW_REGULAR
from apps.restaurants.branding import MenuLayout
from apps.restaurants.colors import LIGHT, Color, is_readable, nearest_readable

MAX_PORTIONS = 100_000
NOT_A_COLOR = "Enter a color as # and six digits or letters a to f, such as #1d5b8f."
HARD_TO_READ = "This color is hard to read on your pages."
WHOLE = "Enter a whole number of portions, at least 1."
AMOUNT = "Enter an amount above zero, with at most two decimals."
DAYS_BEFORE = [
    (0, "the same day"),
    (1, "1 day before"),
    *((days, f"{days} days before") for days in range(2, 8)),
]
OPENS_BEFORE = [(1, "1 day"), *((days, f"{days} days") for days in range(2, 8))]


def _amount(label: str) -> forms.DecimalField:
    errors = dict.fromkeys(
        (
            *("required", "invalid", "min_value"),
            *("max_digits", "max_decimal_places", "max_whole_digits"),
        ),
        AMOUNT,
    )
    return forms.DecimalField(
        label=label,
        min_value=Decimal("0.01"),
        max_digits=10,
        decimal_places=2,
        error_messages=errors,
    )


def _portions(label: str, *, required: bool = True) -> forms.IntegerField:
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), WHOLE)
    return forms.IntegerField(
        label=label, min_value=1, max_value=MAX_PORTIONS, required=required, error_messages=errors
    )


def _choice(label: str, choices: list[tuple[int, str]]) -> forms.TypedChoiceField:
    errors = dict.fromkeys(("required", "invalid_choice"), "Choose one from the list.")
    return forms.TypedChoiceField(label=label, choices=choices, coerce=int, error_messages=errors)


class SeriesForm(EditForm):
    """The days, hours, and numbers of a weekly special."""

    weekday = _choice("Served every", list(enumerate(WEEKDAYS)))
    deadline_days_before = _choice("Orders close", DAYS_BEFORE)
    deadline_time = forms.TimeField(
        label="At",
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages=dict.fromkeys(("required", "invalid"), "Enter a time, such as 6:00 PM."),
    )
    opens_days_before = _choice("Takes orders for", OPENS_BEFORE)
    regular_price = _amount("Regular price")
    special_price = _amount("Special price")
    min_preorders = _portions("Minimum")
    max_preorders = _portions("Sold out at", required=False)

    def clean(self) -> dict[str, Any]:
        terms = super().clean() or {}
        regular, special = terms.get("regular_price"), terms.get("special_price")
        if regular is not None and special is not None and special >= regular:
            self.add_error("special_price", f"{NOT_BELOW_REGULAR}.")
        least, most = terms.get("min_preorders"), terms.get("max_preorders")
        if least is not None and most is not None and most < least:
            self.add_error("max_preorders", f"{MAXIMUM_BELOW_MINIMUM}.")
        return terms


class BrandingForm(EditForm):
    """The look of a restaurant's pages. A color that can't be read names the nearest that can."""

    accent = forms.CharField(label="Color", required=False)
    logo = forms.FileField(label="Logo", required=False)
    remove_logo = forms.BooleanField(label="Remove the logo", required=False)
    cover = forms.FileField(label="Cover photo", required=False)
    remove_cover = forms.BooleanField(label="Remove the cover photo", required=False)
    footer = forms.CharField(
        label="Footer",
        required=False,
        max_length=300,
        error_messages={"max_length": "Use at most 300 characters."},
    )
    menu_layout = forms.ChoiceField(
        label="Regular menu",
        choices=MenuLayout.choices,
        required=False,
        error_messages={"invalid_choice": "Choose one from the list."},
    )
    hides_platform = forms.BooleanField(label="Leave our name off your pages", required=False)

    def clean_accent(self) -> str:
        text: str = self.cleaned_data["accent"]
        if not text:
            return ""
        color = Color.parse(text)
        if color is None:
            raise forms.ValidationError(NOT_A_COLOR)
        if not is_readable(color, LIGHT):
            nearest = nearest_readable(color, LIGHT)
            raise forms.ValidationError(f"{HARD_TO_READ} The nearest that works is {nearest}.")
        return str(color)

    def clean_menu_layout(self) -> str:
        return self.cleaned_data["menu_layout"] or MenuLayout.LIST

    def clean_footer(self) -> str:
        return one_line(self.cleaned_data["footer"])
