"""Restaurants are paid out after the serve date, once, and told when it fails (decision 46)."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
import stripe as stripe_api
from django.core import mail

from apps.billing import payouts, stripe_gateway, tasks
from apps.billing.gateway import Unreachable
from apps.billing.models import ConnectAccount, Discrepancy, PaymentHistory, Payout, PayoutEntry
from apps.billing.selectors import payout_overview
from apps.common import rls
from apps.common.errors import Conflict, NotFound
from apps.preorders import tasks as order_tasks

PAID = Decimal("47.44")  # of two portions for 51.84, after 1.56 and 2.84 of fees


@pytest.fixture
def offer(world):
    return world.offer(
        min_preorders=2,
        revenue_share_rate=Decimal("3.00"),
        serve_date=(world.now + timedelta(days=3)).date(),
    )


@pytest.fixture
def order(world, offer):
    """Charged at the deadline, served two days later."""
    order = world.authorized_order(offer, 2)
    world.settle(offer)
    return world.fresh(order)


def on_day(world, day):
    """Noon in New York."""
    return world.at(world.now.replace(year=day.year, month=day.month, day=day.day, hour=16))


def sweep(world):
    tasks.schedule_payouts()
    world.work()


def at_stripe(restaurant):
    account = ConnectAccount.objects.get(restaurant=restaurant).account_id
    return list(stripe_api.Payout.list(stripe_account=account).auto_paging_iter())


def paid_out(world, order):
    """The payout of the order's money, requested but not there yet."""
    on_day(world, payouts.payout_day(order.offer.serve_date))
    sweep(world)
    return Payout.objects.get()


def alarms(kind):
    return list(
        Discrepancy.objects.filter(kind=kind, resolved_at=None).values_list(
            "description", flat=True
        )
    )


# --- when -----------------------------------------------------------------------------------------
def test_nothing_is_paid_out_before_the_day_after_the_serve_date_that_was_promised(world, order):
    assert order.payment_status == "captured"
    last = payouts.payout_day(order.offer.serve_date) - timedelta(days=1)
    on_day(world, last)
    sweep(world)
    assert not Payout.objects.exists()
    assert at_stripe(world.restaurant) == []


def test_an_order_s_money_is_paid_out_once_two_days_after_its_serve_date(world, order):
    payout = paid_out(world, order)
    [sent] = at_stripe(world.restaurant)
    assert (sent.amount, sent.currency, sent.automatic) == (4744, "usd", False)
    assert (payout.status, payout.amount, payout.payout_id) == ("sent", PAID, sent.id)
    assert [each.entry.pre_order_id for each in payout.entries.all()] == [order.pk]
    for _ in range(3):
        world.later(minutes=10)
        sweep(world)
    assert len(at_stripe(world.restaurant)) == 1
    assert Payout.objects.count() == 1


def test_the_day_is_the_restaurant_s_own(world, order):
    day = payouts.payout_day(order.offer.serve_date)
    # 11 PM the day before in New York is the day itself in UTC.
    world.at(world.now.replace(month=day.month, day=day.day, hour=3))
    sweep(world)
    assert not Payout.objects.exists()
    world.later(hours=2)
    sweep(world)
    assert Payout.objects.count() == 1


def test_a_payout_waits_until_the_money_is_available(world):
    offer = world.offer(min_preorders=1, serve_date=world.now.date() + timedelta(days=1))
    world.authorized_order(offer)
    world.settle(offer)  # charged on the serve date, available two days later
    day = payouts.payout_day(offer.serve_date)
    world.at(world.now.replace(day=day.day, hour=12))
    sweep(world)
    payout = Payout.objects.get()
    assert (payout.status, payout.payout_id, payout.requested_at) == ("pending", None, None)
    world.later(hours=6)
    sweep(world)
    assert world.fresh(payout).status == "sent"
    assert alarms("payout_failed") == []


# --- what -----------------------------------------------------------------------------------------
def test_what_was_refunded_before_is_taken_off(world, order):
    world.refund(order, "10.00")
    world.work()
    payout = paid_out(world, order)
    assert payout.entries.count() == 2
    # A tenth and a bit of the fees came back with the refund: 47.44 − (10.00 − 0.85).
    assert payout.amount == Decimal("38.29")
    assert at_stripe(world.restaurant)[0].amount == 3829


def test_an_order_that_was_fully_refunded_is_not_paid_out(world, order):
    world.refund(order)
    world.work()
    on_day(world, payouts.payout_day(order.offer.serve_date))
    sweep(world)
    assert not Payout.objects.exists()
    assert at_stripe(world.restaurant) == []


def test_a_refund_after_the_payout_is_taken_off_the_next_one(world, order):
    paid_out(world, order)
    world.later(days=2, hours=1)
    sweep(world)
    world.refund(order, "10.00")
    world.work()
    on_day(world, world.now.date() + timedelta(days=1))
    sweep(world)
    assert Payout.objects.count() == 1  # nothing to pay: the balance is 9.15 below zero
    tasks.read_balances()
    assert alarms("negative") == ["The account's balance is -$9.15"]
    second = world.offer(
        min_preorders=1,
        revenue_share_rate=Decimal("3.00"),
        deadline=world.now + timedelta(days=1),
        serve_date=world.now.date() + timedelta(days=3),
    )
    later = world.authorized_order(second, 2)
    world.settle(second)
    on_day(world, payouts.payout_day(later.offer.serve_date))
    sweep(world)
    assert Payout.objects.latest("created_at").amount == PAID - Decimal("9.15")
    tasks.read_balances()
    assert alarms("negative") == []


def test_no_ledger_entry_is_in_two_payouts(world, order):
    payout = paid_out(world, order)
    entry = payout.entries.get().entry
    kinds = ("transfer", "refund")
    rows = PaymentHistory.objects.filter(pre_order=order, transaction_type__in=kinds)
    assert list(rows) == [entry]
    assert not payouts.unpaid_entries(world.restaurant).exists()


# --- dying and answering twice --------------------------------------------------------------------
def test_a_payout_whose_answer_was_lost_is_found_again(world, order, stripe):
    on_day(world, payouts.payout_day(order.offer.serve_date))
    stripe.control(http_fault={"kind": "lost_response", "path_prefix": "/v1/payouts"})
    sweep(world)
    payout = Payout.objects.get()
    assert (payout.status, payout.payout_id) == ("pending", None)
    assert payout.requested_at
    assert len(at_stripe(world.restaurant)) == 1
    # Long after Stripe forgot the key.
    world.later(days=2, hours=1)
    sweep(world)
    [sent] = at_stripe(world.restaurant)
    assert world.fresh(payout).payout_id == sent.id


def test_a_server_error_is_followed_by_a_new_key_and_one_payout(world, order, stripe):
    on_day(world, payouts.payout_day(order.offer.serve_date))
    stripe.control(http_fault={"kind": "500", "method": "POST", "path_prefix": "/v1/payouts"})
    sweep(world)
    assert at_stripe(world.restaurant) == []
    assert Payout.objects.get().attempt == 2
    world.later(minutes=20)
    sweep(world)
    assert len(at_stripe(world.restaurant)) == 1


def test_two_workers_request_one_payout(world, order):
    payout = paid_out(world, order)
    payouts.run_payout(payout_id=payout.pk, now=world.now)
    Payout.objects.filter(pk=payout.pk).update(
        payout_id=None, status="pending", due_at=world.now
    )  # a worker that died before it recorded the answer
    payouts.run_payout(payout_id=payout.pk, now=world.now)
    payouts.run_payout(payout_id=payout.pk, now=world.now)
    [sent] = at_stripe(world.restaurant)
    assert world.fresh(payout).payout_id == sent.id


def test_nothing_is_requested_while_stripe_does_not_answer(world, order, monkeypatch):
    def silent(*args, **named):
        raise Unreachable("no answer")

    monkeypatch.setattr(stripe_gateway, "account_balance", silent)
    payout = paid_out(world, order)
    assert (payout.status, payout.requested_at) == ("pending", None)
    assert payout.due_at == world.now + payouts.RETRY_AFTER


# --- how it went ----------------------------------------------------------------------------------
def test_a_payout_that_arrived_is_paid(world, order):
    payout = paid_out(world, order)
    world.later(days=2, hours=1)
    payouts.sync_payout(payout_id=payout.payout_id, name=str(payout.pk), now=world.now)
    payout = world.fresh(payout)
    assert (payout.status, payout.finished_at) == ("paid", world.now)


def test_the_sweep_hears_of_it_too_when_every_webhook_is_lost(world, order):
    payout = paid_out(world, order)
    world.later(days=3)
    sweep(world)
    assert world.fresh(payout).status == "paid"


def test_a_paid_payout_that_the_bank_sends_back_is_told_to_the_owner_once(world, order, stripe):
    payout = paid_out(world, order)
    world.later(days=2, hours=1)
    sweep(world)
    stripe.control(fail_payout={"payout": payout.payout_id, "code": "account_closed"})
    payouts.sync_payout(payout_id=payout.payout_id, name=str(payout.pk), now=world.now)
    sweep(world)
    sweep(world)
    payout = world.fresh(payout)
    assert (payout.status, payout.failure_code) == ("failed", "account_closed")
    [email] = [each for each in mail.outbox if "payout" in each.subject]
    assert email.to == [world.restaurant.email]
    assert email.subject == "Your payout of $47.44 didn't arrive"
    assert "The bank account is closed." in email.body
    assert "Check your bank account:\n" in email.body
    assert "Where it is: Your Stripe balance\n" in email.body
    assert alarms("payout_failed") == ["The bank sent back a payout of 47.44 usd: account_closed"]


def test_a_failed_payout_is_not_sent_again_by_itself(world, order, stripe):
    payout = paid_out(world, order)
    stripe.control(fail_payout={"payout": payout.payout_id})
    world.later(days=1)
    sweep(world)
    world.later(days=20)
    sweep(world)
    assert len(at_stripe(world.restaurant)) == 1
    assert world.fresh(payout).status == "failed"


def test_the_owner_retries_a_failed_payout(world, order, stripe):
    payout = paid_out(world, order)
    first = payout.payout_id
    stripe.control(fail_payout={"payout": first})
    world.later(days=1)
    sweep(world)
    payouts.retry_payout(restaurant=world.restaurant, payout_id=payout.pk, now=world.now)
    sweep(world)
    payout = world.fresh(payout)
    assert (payout.status, payout.attempt) == ("sent", 2)
    assert payout.payout_id != first
    # Events of the first attempt, late and twice, change nothing.
    for _ in range(2):
        payouts.sync_payout(payout_id=first, name=str(payout.pk), now=world.now)
    assert world.fresh(payout).status == "sent"
    assert alarms("payout_failed") == []
    assert [each.status for each in at_stripe(world.restaurant)] == ["pending", "failed"]


def test_only_a_failed_payout_can_be_retried(world, order):
    payout = paid_out(world, order)
    with pytest.raises(Conflict):
        payouts.retry_payout(restaurant=world.restaurant, payout_id=payout.pk, now=world.now)
    stranger = world.open_restaurant()
    with pytest.raises(NotFound):
        payouts.retry_payout(restaurant=stranger, payout_id=payout.pk, now=world.now)


def test_a_restricted_account_s_payout_waits_and_goes_out_when_it_is_well_again(
    world, order, stripe
):
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    stripe.control(restrict={"account": account, "reason": "under_review"})
    payout = paid_out(world, order)
    assert (payout.status, payout.failure_code) == ("pending", "payouts_not_allowed")
    assert at_stripe(world.restaurant) == []
    assert alarms("payout_failed") == ["Stripe refuses a payout of 47.44 usd: payouts_not_allowed"]
    stripe.control(onboard=account)
    world.later(hours=4)
    sweep(world)
    assert world.fresh(payout).status == "sent"
    assert alarms("payout_failed") == []


def test_an_account_restricted_at_the_deadline_keeps_every_hold(world, offer, stripe):
    order = world.authorized_order(offer, 2)
    account = ConnectAccount.objects.get(restaurant=world.restaurant).account_id
    stripe.control(restrict={"account": account})
    world.settle(offer)
    assert world.intents(order)[0].status == "requires_capture"
    assert world.fresh(order).payment_status == "authorized"
    stripe.control(onboard=account)
    world.later(hours=1)
    order_tasks.run_due_operations_task()
    world.work()
    assert world.fresh(order).payment_status == "captured"


# --- other currencies -----------------------------------------------------------------------------
def test_what_arrives_in_another_currency_is_read_from_stripe(world):
    lisbon = world.open_restaurant(country="PL", currency="eur")
    offer = world.offer(
        restaurant=lisbon, min_preorders=1, serve_date=world.now.date() + timedelta(days=3)
    )
    order = world.authorized_order(offer, 2)
    world.settle(offer)
    [entry] = PaymentHistory.objects.filter(pre_order=order, transaction_type="transfer")
    assert (entry.currency, entry.settled_currency, entry.settled_amount) == ("eur", "pln", None)
    charged = entry.amount
    paid_out(world, world.fresh(order))
    entry = world.fresh(entry)
    # 4.4 zloty for a euro at local Stripe.
    assert entry.settled is not None
    assert abs(entry.settled - charged * Decimal("4.4")) <= Decimal("0.02")
    [sent] = at_stripe(lisbon)
    assert (sent.currency, Decimal(sent.amount).scaleb(-2)) == ("pln", entry.settled)


# --- tenants --------------------------------------------------------------------------------------
def test_a_restaurant_sees_its_own_payouts_only(world, order):
    paid_out(world, order)
    stranger = world.open_restaurant()
    with rls.acting_as(stranger):
        assert not Payout.objects.exists()
        assert not PayoutEntry.objects.exists()
    assert payout_overview(stranger, now=world.now).past == []
    [past] = payout_overview(world.restaurant, now=world.now).past
    assert [(each.name, each.orders, each.amount) for each in past.specials] == [
        (order.offer.name, 1, PAID)
    ]


def test_the_owner_sees_what_comes_next_with_its_day(world, order):
    overview = payout_overview(world.restaurant, now=world.now)
    assert [(each.day, each.amount) for each in overview.coming] == [
        (date(2027, 3, 27), PAID),
    ]
