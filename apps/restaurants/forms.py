"""Forms of the security page and of the own domain."""

from django import forms

INVALID_EMAIL = "Please enter a valid email address"


class ContactForm(forms.Form):
    email = forms.EmailField(
        max_length=255,
        label="Contact email",
        error_messages=dict.fromkeys(("required", "invalid", "max_length"), INVALID_EMAIL),
    )


class DomainForm(forms.Form):
    """Takes any text: `own_domains.add_domain` decides whether it is a domain."""

    domain = forms.CharField(required=False, label="Domain")
