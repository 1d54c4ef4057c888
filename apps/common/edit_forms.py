"""Forms for what several people edit: decision 132 for server-rendered pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from django import forms
from django.http import QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is stored as something else than the form was opened with; `mine` is None
    where only they changed it."""

    label: str
    theirs: str
    mine: str | None


class EditForm(forms.Form):
    """A form that says which version it edits, and what its fields were when it was opened."""

    version = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    # What somebody else saved meanwhile; None unless the form is shown again because of it.
    differences: list[Difference] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self._compared:
            self.fields[name].show_hidden_initial = True

    @property
    def _compared(self) -> list[str]:
        """The fields with a value to compare. A chosen file has none."""
        return [
            name
            for name, field in self.fields.items()
            if name != "version" and not isinstance(field, forms.FileField)
        ]

    @property
    def opened_with(self) -> SafeString:
        """Hidden inputs for the template: the version, and each field as it was."""
        hidden = [self[name].as_hidden(only_initial=True) for name in self._compared]
        return format_html_join("", "{}", [(each,) for each in (self["version"], *hidden)])

    def over(self, stored: Mapping[str, Any], version: str) -> Self:
        """This form, based on what somebody else has stored meanwhile.

        A field that only they changed has their value; one that both changed stays as typed. The
        next save is a change of `version`.
        """
        data = QueryDict(mutable=True)
        data.update(self.data)
        data[self.add_prefix("version")] = version
        fresh = type(self)(initial=stored)
        differences = []
        for name in self._compared:
            field, label = self.fields[name], str(fresh[name].label)
            hidden = field.hidden_widget()
            opened_as = self.add_initial_prefix(name)
            opened = hidden.value_from_datadict(self.data, self.files, opened_as)
            typed = self[name].data
            theirs = fresh[name].value()
            _put(data, opened_as, field, theirs)
            if _is_same(field, opened, theirs) or _is_same(field, theirs, typed):
                continue
            if _is_same(field, opened, typed):
                _put(data, self.add_prefix(name), field, theirs)
                differences.append(Difference(label, _in_words(field, theirs), None))
            else:
                mine = _in_words(field, typed)
                differences.append(Difference(label, _in_words(field, theirs), mine))
        merged = type(self)(data)
        merged.differences = differences
        return merged


def _is_same(field: forms.Field, one: Any, other: Any) -> bool:
    try:
        return bool(field.to_python(one) == field.to_python(other))
    except forms.ValidationError:
        return bool(one == other)


def _put(data: QueryDict, name: str, field: forms.Field, value: Any) -> None:
    """Set a value as a browser sends it."""
    if isinstance(field, forms.BooleanField):
        data[name] = str(bool(value))
    elif isinstance(field, forms.MultipleChoiceField):
        data.setlist(name, [str(each) for each in value or ()])
    else:
        data[name] = "" if value is None else str(value)


def _in_words(field: forms.Field, value: Any) -> str:
    """A value for a person."""
    if isinstance(field, forms.BooleanField):
        return "on" if field.to_python(value) else "off"
    if isinstance(field, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in field.widget.choices}
        chosen = value if isinstance(value, (list, tuple)) else [value]
        return ", ".join(labels.get(str(each), "") for each in chosen) or "none"
    return str(value) if value not in (None, "") else "empty"
