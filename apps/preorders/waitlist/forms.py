"""The waitlist form of a sold-out special, and those of an entry's portions and address."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from apps.preorders.checkout.acceptance import PHONE_REQUIRED
from apps.preorders.checkout.forms import (
    SerializerForm,
    email_field,
    name_field,
    phone_field,
    text_field,
)
from apps.preorders.waitlist.serializers import AddressRequest, PortionsRequest, WaitlistRequest


class PortionsForm(SerializerForm):
    """How many portions a guest waits for."""

    serializer_class = PortionsRequest

    quantity = text_field(_("Portions"), "number")


class AddressForm(SerializerForm):
    """The address of a guest who waits."""

    serializer_class = AddressRequest

    customerEmail = email_field()


class WaitlistForm(SerializerForm):
    serializer_class = WaitlistRequest

    quantity = text_field(_("Portions"), "number", initial="1")
    customerName = name_field()
    customerEmail = email_field()
    customerPhone = phone_field(missing=PHONE_REQUIRED)

    def __init__(
        self, data: Mapping[str, str] | None = None, *, asks_for_phone: bool, **options: Any
    ) -> None:
        # Ids of their own: the page can hold the order form too.
        super().__init__(data, auto_id="waiting-%s", **options)
        if not asks_for_phone:  # decision 144
            del self.fields["customerPhone"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "customerPhone" in self.fields and not self.data["customerPhone"]:
            self.add_error("customerPhone", PHONE_REQUIRED)
        return cleaned
