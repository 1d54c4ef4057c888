"""A restaurant's owner who subscribes, and what happens to the subscription as time passes."""

from typing import Any

import stripe as stripe_api
from django.core import mail

from apps.activity.models import LoggedEvent
from apps.billing import tasks
from apps.billing.models import Subscription
from apps.billing.services import count_publication

OFF_SESSION_DECLINED = "4000000000000341"


class Subscriber:
    """The restaurant's owner, and what happens to their subscription."""

    def __init__(self, api: Any, cast: Any, world: Any) -> None:
        self.client, self.world, self.restaurant = api(cast.owner), world, cast.restaurant

    def subscribe(self, number: str = "4242424242424242") -> "Subscriber":
        details = {"email": "bills@luigis.test", "name": "", "acceptedTerms": True}
        price = {"amount": 2900, "currency": "usd"}
        begun = self.client.post(
            "/api/create-subscription-payment-intent", {**price, **details}
        ).json()
        intent_id = begun["paymentIntentId"]
        self.world.stripe.control(pay={"intent": intent_id, "number": number})
        answer = self.client.post(
            "/api/restaurant/register", {**details, "paymentIntentId": intent_id}
        )
        assert answer.status_code == 201, answer.json()
        self.world.work()
        return self

    @property
    def row(self) -> Subscription:
        return Subscription.objects.select_related("restaurant").get(restaurant=self.restaurant)

    def later(self, **parts: float) -> None:
        """Let this much time pass, with what Stripe does in it: an invoice stays a draft for an
        hour."""
        self.world.later(**parts)
        self.world.later(hours=2)

    def hear(self) -> None:
        """Process the news of a webhook."""
        tasks.sync_subscription_task.delay(str(self.row.subscription_id))
        self.world.work()

    def look_after(self) -> None:
        tasks.look_after_subscriptions_task.delay()
        self.world.work()

    def emails(self) -> list[str]:
        return [str(each.subject) for each in mail.outbox if each.to == ["bills@luigis.test"]]

    def kinds(self) -> list[str]:
        about = LoggedEvent.objects.filter(restaurant_id=self.restaurant.pk)
        found = about.filter(kind__startswith="subscription_").order_by("pk")
        return list(found.values_list("kind", flat=True))

    def pay_bill(self) -> None:
        """Pay on Stripe's page of the open bill, with a card that works."""
        customer = self.row.sign_up.customer_id
        card = stripe_api.PaymentMethod.attach("pm_card_visa", customer=customer)
        [invoice] = stripe_api.Invoice.list(customer=customer, status="open").data
        stripe_api.Invoice.pay(invoice.id, payment_method=card.id)

    def publish(self) -> Any:
        return count_publication(restaurant_id=self.restaurant.pk, now=self.world.now)
