"""The email service's webhooks, through django-anymail's own view, as Postmark documents them:
https://postmarkapp.com/developer/webhooks/webhooks-overview."""

import base64
import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import clear_url_caches

from apps.common import rls
from apps.marketing.models import Campaign, EmailInvitation
from apps.preorders.models import Subscriber
from config import urls_platform
from tests.conftest import NOON, Cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
SECRET = "postmark:a-long-random-text"
ADDRESS = "/anymail/postmark/tracking/"
MESSAGE_ID = "883953f4-6105-42a2-a16a-77a8eac79483"


@pytest.fixture
def _taking_webhooks(settings: Any) -> Iterator[None]:
    """The platform's URLs as they are with `ANYMAIL_WEBHOOK_SECRET` set."""
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    importlib.reload(urls_platform)
    clear_url_caches()
    yield
    settings.ANYMAIL = {}
    importlib.reload(urls_platform)
    clear_url_caches()


@pytest.fixture
def sent(cast: Cast) -> EmailInvitation:
    with rls.acting_as(rls.PLATFORM):
        subscriber = Subscriber.objects.create(
            restaurant=cast.restaurant,
            email="john@example.test",
            status=Subscriber.Status.CONFIRMED,
            consent_at=NOON,
            changed_at=NOON,
        )
        campaign = Campaign.objects.create(
            restaurant=cast.restaurant, send_at=NOON, created_at=NOON
        )
        return EmailInvitation.objects.create(
            restaurant=cast.restaurant,
            campaign=campaign,
            subscriber=subscriber,
            customer_email=subscriber.email,
            provider_id=MESSAGE_ID,
            due_at=NOON,
            sent_at=NOON,
            created_at=NOON,
        )


def tell(api: Any, invitation: EmailInvitation, *, secret: str = SECRET, **event: Any) -> Any:
    credentials = base64.b64encode(secret.encode()).decode()
    body = {
        "MessageID": MESSAGE_ID,
        "MessageStream": "broadcast",
        "ServerID": 23,
        "Tag": "",
        "Metadata": {"invitation": str(invitation.pk)},
        **event,
    }
    return api().post(ADDRESS, body, headers={"Authorization": f"Basic {credentials}"})


def bounce(**facts: Any) -> dict[str, Any]:
    return {
        "RecordType": "Bounce",
        "ID": 42,
        "Type": "HardBounce",
        "TypeCode": 1,
        "Name": "Hard bounce",
        "Description": "The server was unable to deliver your message (ex: unknown user).",
        "Details": "smtp;550 5.1.1 The email account does not exist.",
        "Email": "john@example.test",
        "From": "hello@platform.test",
        "BouncedAt": "2027-03-22T13:28:10Z",
        "DumpAvailable": True,
        "Inactive": True,
        "CanActivate": True,
        "Subject": "Osso buco",
        **facts,
    }


def rows() -> tuple[EmailInvitation, Subscriber]:
    with rls.acting_as(rls.PLATFORM):
        return EmailInvitation.objects.get(), Subscriber.objects.get()


@pytest.mark.usefixtures("_taking_webhooks")
class TestPostmark:
    def test_a_delivery_is_noted(self, api: Any, sent: EmailInvitation) -> None:
        answer = tell(
            api,
            sent,
            RecordType="Delivery",
            Recipient="john@example.test",
            DeliveredAt="2027-03-22T16:00:05Z",
            Details="Test delivery webhook details",
        )
        assert answer.status_code == 200
        invitation, _ = rows()
        assert (invitation.status, invitation.delivered_at) == ("delivered", NOON)

    def test_an_address_that_does_not_exist_is_suppressed(
        self, api: Any, sent: EmailInvitation
    ) -> None:
        assert tell(api, sent, **bounce()).status_code == 200
        invitation, subscriber = rows()
        assert (invitation.status, invitation.error) == (
            "failed",
            "smtp;550 5.1.1 The email account does not exist.",
        )
        assert (subscriber.status, subscriber.suppressed_for) == ("suppressed", "bounce")

    def test_a_full_mailbox_is_not(self, api: Any, sent: EmailInvitation) -> None:
        soft = bounce(
            Type="SoftBounce",
            TypeCode=4096,
            Name="Soft bounce",
            Details="smtp;452 4.2.2 The email account is over quota.",
            Inactive=False,
        )
        assert tell(api, sent, **soft).status_code == 200
        invitation, subscriber = rows()
        assert (invitation.status, subscriber.status) == ("failed", "confirmed")

    def test_a_complaint_ends_this_restaurants_emails(
        self, api: Any, sent: EmailInvitation
    ) -> None:
        complaint = bounce(RecordType="SpamComplaint", Type="SpamComplaint", TypeCode=100001)
        assert tell(api, sent, **complaint).status_code == 200
        _, subscriber = rows()
        assert (subscriber.status, subscriber.suppressed_for) == ("suppressed", "complaint")

    def test_an_unsubscribe_at_the_service_counts(self, api: Any, sent: EmailInvitation) -> None:
        answer = tell(
            api,
            sent,
            RecordType="SubscriptionChange",
            Recipient="john@example.test",
            Origin="Recipient",
            SuppressSending=True,
            SuppressionReason="ManualSuppression",
            ChangedAt="2027-03-22T16:00:05Z",
        )
        assert answer.status_code == 200
        assert rows()[1].status == "unsubscribed"

    def test_without_the_secret_nothing_is_believed(self, api: Any, sent: EmailInvitation) -> None:
        assert tell(api, sent, secret="postmark:guess", **bounce()).status_code == 400
        assert [each.status for each in rows()] == ["sent", "confirmed"]


def test_without_a_secret_in_the_settings_there_is_no_such_address(
    api: Any, sent: EmailInvitation
) -> None:
    assert tell(api, sent, **bounce()).status_code == 404
