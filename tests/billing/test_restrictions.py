"""An account that Stripe restricts: staff and its owner are told once, and again the next time."""

import pytest
from django.core import mail

from apps.billing import tasks
from apps.billing.account_alarms import note_restriction
from apps.billing.models import Discrepancy


@pytest.fixture
def synced(world):
    """Read the restaurant's account again, and let the schedule tell its owner."""
    account_id = world.restaurant.connect_account.account_id

    def sync():
        world.later(minutes=10)
        tasks.sync_account_task.delay(account_id)
        tasks.schedule_payouts.delay()
        world.work()

    sync()
    return sync


def emails():
    return [each for each in mail.outbox if "Stripe stopped" in each.subject]


def test_owner_of_a_restricted_account_gets_one_email_that_says_what_to_do(world, synced):
    account_id = world.restaurant.connect_account.account_id
    assert not Discrepancy.objects.exists()
    world.stripe.control(restrict={"account": account_id, "reason": "requirements.past_due"})
    synced()
    synced()
    (sent,) = emails()
    assert sent.to == [world.restaurant.email]
    assert sent.subject == "Stripe stopped payments for Luigi's"
    assert "Existing holds on guests' cards stay in place." in sent.body
    assert "/restaurant/stripe-management" in sent.body
    assert "Pre-orders: Off\n" in sent.body
    (issue,) = Discrepancy.objects.filter(kind="restricted", resolved_at=None)
    assert issue.description == "Stripe turned off charges: requirements.past_due"
    world.stripe.control(onboard=account_id)
    synced()
    issue.refresh_from_db()
    assert issue.resolved_at
    world.stripe.control(restrict={"account": account_id, "reason": "requirements.past_due"})
    synced()
    assert len(emails()) == 2


def test_owner_whose_payouts_alone_were_stopped_reads_that_guests_can_still_order(world):
    account = world.restaurant.connect_account
    account.details_submitted = account.charges_enabled = True
    account.payouts_enabled = False
    account.save()
    note_restriction(account, was_complete=True, now=world.now)
    tasks.schedule_payouts.delay()
    world.work()
    (sent,) = emails()
    assert sent.subject == "Stripe stopped your payouts"
    assert "Guests can pre-order, but Stripe won't send payouts until then." in sent.body
    assert "Pre-orders: On\nPayouts: On hold\n" in sent.body
    # Stripe asks for nothing, so the button doesn't say that it does.
    assert "See your payment setup:\n" in sent.body


def test_account_that_is_being_set_up_raises_no_alarm(world):
    restaurant = world.restaurant
    account = restaurant.connect_account
    type(account).objects.filter(pk=account.pk).update(charges_enabled=False)
    world.stripe.control(restrict={"account": account.account_id, "reason": "listed"})
    tasks.sync_account_task.delay(account.account_id)
    tasks.schedule_payouts.delay()
    world.work()
    assert emails() == []
    assert not Discrepancy.objects.exists()
