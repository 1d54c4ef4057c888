"""Forms of the account pages, with the same error messages as the API."""

from typing import Any

from django import forms

from apps.accounts.models import BearerToken
from apps.accounts.services.passwords import LONGEST_PASSWORD, password_error
from apps.accounts.services.sign_in import INVALID_LOGIN
from apps.accounts.services.tokens import LIFETIMES_DAYS

INVALID_EMAIL = "Please enter a valid email address"
EMAIL_FIRST = "Please enter your email address first"
NO_PASSWORD = "Please enter your password"
NO_NAME = "Enter your name."
LONG_NAME = "Use at most 100 characters."
DIFFERENT = "Passwords do not match"


def _email(**words: str) -> forms.EmailField:
    messages = dict.fromkeys(("required", "invalid", "max_length"), INVALID_EMAIL) | words
    return forms.EmailField(max_length=255, error_messages=messages)


class LoginForm(forms.Form):
    email = _email()
    password = forms.CharField(
        strip=False,
        max_length=LONGEST_PASSWORD,
        error_messages={"required": NO_PASSWORD, "max_length": INVALID_LOGIN},
    )


class ForgotPasswordForm(forms.Form):
    email = _email(required=EMAIL_FIRST)


class NewPasswordForm(forms.Form):
    """A new password, typed twice."""

    password = forms.CharField(strip=False, required=False)
    confirmation = forms.CharField(strip=False, required=False)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        sentence = password_error(password)
        if sentence:
            raise forms.ValidationError(sentence)
        return password

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.data.get("password", "") != self.data.get("confirmation", ""):
            self.add_error("confirmation", DIFFERENT)
        return cleaned


class LineField(forms.CharField):
    """Text on one line: line breaks and repeated spaces become a single space."""

    def to_python(self, value: Any) -> str:
        return " ".join((super().to_python(value) or "").split())


class NameForm(forms.Form):
    name = LineField(max_length=100, error_messages={"required": NO_NAME, "max_length": LONG_NAME})


class TokenForm(forms.Form):
    """A new API token."""

    name = LineField(
        max_length=50,
        label="Name",
        error_messages={"required": NO_NAME, "max_length": "Use at most 50 characters."},
    )
    scope = forms.ChoiceField(
        choices=BearerToken.Scope.choices,
        label="What it can do",
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose what the token can do."
        ),
    )
    days = forms.TypedChoiceField(
        choices=[(days, f"{days} days") for days in LIFETIMES_DAYS],
        coerce=int,
        label="Expires after",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose how long it works."),
    )
