"""The waitlist form of a sold-out special."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from apps.preorders.checkout.forms import (
    SerializerForm,
    email_field,
    name_field,
    phone_field,
    text_field,
)
from apps.preorders.waitlist.serializers import WaitlistRequest


class WaitlistForm(SerializerForm):
    serializer_class = WaitlistRequest

    quantity = text_field(_("Portions"), "number", initial="1")
    customerName = name_field()
    customerEmail = email_field()
    customerPhone = phone_field()

    def __init__(self, data: Mapping[str, str] | None = None, **options: Any) -> None:
        # Ids of their own: the page can hold the order form too.
        super().__init__(data, auto_id="waiting-%s", **options)
