"""Payouts when workers die around any call, and told of by Stripe's own webhooks alone."""

import pytest
import stripe as stripe_api

from apps.billing import payouts, tasks
from apps.billing.models import ConnectAccount, Payout, ProcessedEvent
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory, UserFactory
from tests.faults.test_killed_workers import around
from tests.pages import text_of
from tests.preorders.disputes import charged


def test_a_worker_killed_while_requesting_a_payout_requests_one(world, mortals):
    charged(world)
    world.later(days=10)
    payouts.schedule_payouts(now=world.now)
    payout = Payout.objects.get()
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    deaths: list[str] = []
    for moment in range(20):
        death = mortals.run("run_payout", str(payout.pk), now=world.now, moment=moment)
        if not death.killed:
            break
        deaths.append(death.where)
        world.later(minutes=10)  # the lease of the dead is over
    assert set(around("account_balance", "create_payout")) <= set(deaths)
    tasks.schedule_payouts.delay()
    world.work()
    (sent,) = stripe_api.Payout.list(stripe_account=account).data
    assert world.fresh(payout).payout_id == sent.id


@pytest.mark.usefixtures("webhooks")
def test_payout_that_arrives_or_comes_back_is_on_the_owners_page_by_webhook_alone(world, api):
    """Signed by Stripe, delivered over HTTP, stored, read again and shown."""
    charged(world)
    owner = UserFactory()
    MembershipFactory(user=owner, restaurant=world.restaurant, role=Membership.Role.OWNER)
    world.later(days=10)
    tasks.schedule_payouts.delay()
    world.work()
    payout = Payout.objects.get()
    assert payout.status == "sent"
    world.later(days=3)  # it arrives, and Stripe says so
    world.stripe.wait_delivered()
    world.work()
    assert world.fresh(payout).status == "paid"
    assert ProcessedEvent.objects.filter(event_type="payout.paid").count() == 1
    page = api(owner).get("/restaurant/payouts", {"restaurant": str(world.restaurant.pk)})
    assert "Paid" in text_of(page)
    world.stripe.control(fail_payout={"payout": payout.payout_id, "code": "account_closed"})
    world.stripe.wait_delivered()
    world.work()
    payout = world.fresh(payout)
    assert (payout.status, payout.failure_code) == ("failed", "account_closed")
    assert ProcessedEvent.objects.filter(event_type="payout.failed").count() == 1
    page = api(owner).get("/restaurant/payouts", {"restaurant": str(world.restaurant.pk)})
    assert "The bank account is closed." in text_of(page)
