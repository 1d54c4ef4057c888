"""The sign-in form."""

from django import forms

from apps.accounts.services import INVALID_LOGIN, LONGEST_PASSWORD

INVALID_EMAIL = "Please enter a valid email address"  # V40
NO_PASSWORD = "Please enter your password"


class LoginForm(forms.Form):
    email = forms.EmailField(
        max_length=255,
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), INVALID_EMAIL),
    )
    password = forms.CharField(
        strip=False,
        max_length=LONGEST_PASSWORD,
        error_messages={"required": NO_PASSWORD, "max_length": INVALID_LOGIN},
    )
