"""A worker dies around any call about a payout, or Stripe's answer is lost: the bank pays once."""

from datetime import timedelta

import pytest
import stripe as stripe_api

from apps.billing import payouts, tasks
from apps.billing.models import ConnectAccount, PaymentHistory, Payout, ProcessedEvent
from apps.restaurants.models import Membership
from tests.factories import MembershipFactory, UserFactory
from tests.faults.test_killed_workers import around
from tests.pages import text_of
from tests.preorders.disputes import charged

REQUEST = around("account_balance", "create_payout")
FAULTS = ["500", "lost_response", "429", "lock_timeout", "timeout"]


@pytest.fixture
def due(world):
    """A payout that is recorded and due; nobody has requested it from Stripe."""
    serve_date = (world.now + timedelta(days=3)).date()
    offer = world.offer(min_preorders=1, serve_date=serve_date)
    world.authorized_order(offer)
    world.settle(offer)
    day = payouts.payout_day(serve_date)
    world.at(world.now.replace(year=day.year, month=day.month, day=day.day, hour=16))
    payouts.schedule_payouts(now=world.now)
    return Payout.objects.get()


def sweep(world, times=3):
    for _ in range(times):
        world.later(minutes=20)
        tasks.schedule_payouts()
        world.work()


def at_stripe(world):
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    return list(stripe_api.Payout.list(stripe_account=account).auto_paging_iter())


def assert_paid_once(world, due, *, failed=0):
    """One payout of the amount stands at Stripe and here, and it holds each entry once."""
    made = at_stripe(world)
    unfailed = [each for each in made if each.status != "failed"]
    assert len(made) - len(unfailed) == failed
    assert [each.amount for each in unfailed] == [int(due.amount * 100)]
    row = Payout.objects.get()
    assert (row.payout_id, row.amount) == (unfailed[0].id, due.amount)
    assert row.status in ("sent", "paid")
    transfer = PaymentHistory.objects.get(transaction_type="transfer")
    assert transfer.payout_entry.payout_id == row.pk
    account = ConnectAccount.objects.get(restaurant=world.restaurant)
    balance = stripe_api.Balance.retrieve(stripe_account=account.account_id).available
    assert [each.amount for each in balance] == [0]
    assert account.available_balance == 0


@pytest.mark.parametrize("moment", range(len(REQUEST)))
def test_a_worker_killed_while_requesting_a_payout_pays_out_once(world, mortals, due, moment):
    world.tasks.waiting.clear()  # messages die with the workers that had them
    death = mortals.run("run_payout", due.pk, now=world.now, moment=moment)
    assert death.where == REQUEST[moment]
    sweep(world)
    assert_paid_once(world, due)


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.usefixtures("impatient")
def test_a_payout_survives_failing_answers(world, due, kind, times):
    fault = {"kind": kind, "method": "POST", "path_prefix": "/v1/payouts", "times": times}
    world.stripe.control(http_fault=fault)
    sweep(world, times=5)
    assert_paid_once(world, due)


@pytest.mark.parametrize("moment", [0, 1])
def test_a_worker_killed_while_hearing_of_a_failed_payout_leaves_it_to_the_next(
    world, mortals, due, moment
):
    sweep(world, times=1)
    row = Payout.objects.get()
    world.stripe.control(fail_payout={"payout": row.payout_id, "code": "account_closed"})
    assert row.payout_id
    death = mortals.run("sync_payout", row.payout_id, now=world.now, moment=moment)
    assert death.where == around("retrieve_payout")[moment]
    for _ in range(2):
        payouts.sync_payout(payout_id=row.payout_id, name="", now=world.now)
    row = Payout.objects.get()
    assert (row.status, row.failure_code) == ("failed", "account_closed")
    account = ConnectAccount.objects.get(restaurant=world.restaurant)
    assert account.available_balance == due.amount
    payouts.retry_payout(restaurant=world.restaurant, payout_id=row.pk, now=world.now)
    sweep(world)
    assert_paid_once(world, due, failed=1)


@pytest.mark.usefixtures("webhooks")
def test_payout_that_arrives_or_comes_back_is_on_the_owners_page_by_webhook_alone(world, api):
    """Signed by Stripe, delivered over HTTP, stored, read again, and shown."""
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
