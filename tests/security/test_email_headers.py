"""A name with line breaks adds no header, recipient, or text of its own to an email (ASVS 1.3.11):
serializers put names on one line, and so does the code that builds addresses."""

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any

import pytest
from rest_framework import serializers

from apps.accounts.api.serializers import TokenInput
from apps.accounts.forms import NameForm
from apps.admin_ops.api.users import UserInput
from apps.common.api.fields import NameField
from apps.offers.api.serializers.menu import DishInput
from apps.offers.api.serializers.specials import OfferInput
from apps.offers.models import OfferVersion, SpecialOffer
from apps.preorders.cart.serializers import CartGuest
from apps.preorders.checkout.serializers import PreOrderRequest
from apps.preorders.emails import rendering
from apps.preorders.manage.serializers.requests import PhoneOrderInput
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import ABOUT_AN_ORDER
from apps.preorders.waitlist.serializers import WaitlistRequest
from apps.restaurants.api.serializers.profile_changes import ProfileInput
from apps.restaurants.api.serializers.registration import RegistrationInput
from apps.restaurants.api.serializers.team import AcceptanceInput
from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import PreOrderFactory

HOSTILE = "Dana 7\r\nBcc: thief@example.test\r\n\r\nPay at thief.example"
NAMES = [
    (AcceptanceInput, "name"),
    (CartGuest, "name"),
    (CartGuest, "phone"),
    (DishInput, "name"),
    (OfferInput, "name"),
    (PhoneOrderInput, "customerName"),
    (PreOrderRequest, "customerName"),
    (PreOrderRequest, "customerPhone"),
    (ProfileInput, "name"),
    (RegistrationInput, "name"),
    (TokenInput, "name"),
    (UserInput, "name"),
    (WaitlistRequest, "customerName"),
]


@pytest.mark.parametrize(
    ("serializer", "field"), NAMES, ids=[f"{each.__name__}.{name}" for each, name in NAMES]
)
def test_a_name_is_stored_on_one_line(
    serializer: type[serializers.Serializer[Any]], field: str
) -> None:
    line = serializer().fields[field]
    assert isinstance(line, NameField)
    assert line.to_internal_value(HOSTILE) == (
        "Dana 7 Bcc: thief@example.test Pay at thief.example"
    )


def test_the_name_on_the_account_page_is_stored_on_one_line() -> None:
    form = NameForm({"name": HOSTILE})
    assert form.is_valid()
    assert form.cleaned_data["name"] == "Dana 7 Bcc: thief@example.test Pay at thief.example"


@pytest.mark.usefixtures("clock", "platform")
@pytest.mark.parametrize("kind", ABOUT_AN_ORDER)
def test_an_email_has_no_header_from_a_name_that_was_stored_otherwise(
    special: Any, kind: str
) -> None:
    order = PreOrderFactory(offer=special)
    PreOrder.objects.update(customer_name=HOSTILE)
    for model in (SpecialOffer, OfferVersion, Restaurant):
        model.objects.update(name=HOSTILE)
    row = Email.objects.create(restaurant=order.restaurant, pre_order=order, kind=kind, due_at=NOON)
    message = rendering.render_order_email(Email.objects.get(pk=row.pk)).message()
    sent = BytesParser(policy=policy.default).parsebytes(message.as_bytes())
    assert isinstance(sent, EmailMessage)
    assert [each.addr_spec for each in sent["To"].addresses] == ["dana@example.test"]
    assert [each.addr_spec for each in sent["From"].addresses] == ["hello@localhost"]
    assert sent["Bcc"] is None
    assert sent["Cc"] is None
