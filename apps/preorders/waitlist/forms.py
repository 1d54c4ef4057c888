"""The waitlist form of a sold-out special."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from apps.preorders.checkout.forms import SerializerForm, text_field
from apps.preorders.waitlist.serializers import WaitlistRequest


class WaitlistForm(SerializerForm):
    serializer_class = WaitlistRequest

    quantity = text_field(_("Portions"), "number", initial="1")
    customerName = text_field(_("Name"), "text", max_length=100, autocomplete="name")
    customerEmail = text_field(_("Email"), "email", max_length=255, autocomplete="email")
    customerPhone = text_field(_("Phone"), "tel", max_length=50, autocomplete="tel")

    def __init__(self, data: Mapping[str, str] | None = None, **options: Any) -> None:
        # Ids of their own: the page can hold the order form too.
        super().__init__(data, auto_id="waiting-%s", **options)
