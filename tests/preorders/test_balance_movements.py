"""Stripe's balance transactions and balances compared with the ledger: what isn't in both is
found."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
import stripe
from django.core.management import CommandError, call_command

from apps.billing import stripe_gateway as gateway
from apps.billing.balances import read_balance
from apps.billing.models import ConnectAccount, Discrepancy, PaymentHistory, ReconciliationProgress
from apps.common.commands import Found
from apps.preorders.settlement import reconciliation
from apps.preorders.settlement.balance_movements import unmatched_intents
from apps.preorders.settlement.reconciliation import reconcile
from apps.preorders.settlement.reconciliation_status import reconciliation_status
from tests.database import unlocked
from tests.preorders.world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("platform")]


@pytest.fixture
def charged(world: World):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    world.settle(offer)
    world.later(minutes=5)
    return world.fresh(order)


def movements(world):
    return gateway.balance_page(world.now - timedelta(days=30)).movements


def unmatched(world):
    return unmatched_intents(movements(world), now=world.now)


def alarms(kind="balance"):
    return list(
        Discrepancy.objects.filter(kind=kind, resolved_at=None).values_list(
            "description", flat=True
        )
    )


def change(statement_filter, **columns):
    with unlocked("billing_paymenthistory"):
        PaymentHistory.objects.filter(**statement_filter).update(**columns)


def account_of(order):
    return ConnectAccount.objects.select_related("restaurant").get(restaurant=order.restaurant)


class TestTransactions:
    def test_a_charge_its_transfer_and_a_refund_are_found_in_the_ledger(self, world, charged):
        world.refund(charged)
        world.work()
        kinds = {each.kind for each in movements(world)}
        assert kinds >= {"charge", "transfer", "application_fee", "refund"}
        assert unmatched(world) == []

    def test_a_page_is_compared_in_two_statements(self, world, charged, django_assert_num_queries):
        page = movements(world)
        with django_assert_num_queries(1):
            assert unmatched_intents(page, now=world.now) == []

    @pytest.mark.parametrize(
        ("which", "columns"),
        [
            ("capture", {"amount": "25.91"}),
            ("fee", {"amount": "1.00"}),
            ("transfer", {"transfer_id": "tr_other"}),
            ("capture", {"payment_intent_id": "pi_other"}),
        ],
    )
    def test_what_the_ledger_has_otherwise_is_compared_in_full(
        self, world, charged, which, columns
    ):
        change({"transaction_type": which}, **columns)
        assert unmatched(world) == [charged.payment_intent_id]

    def test_a_refund_in_the_dashboard_is_found_and_recorded(self, world, charged):
        stripe.Refund.create(
            payment_intent=charged.payment_intent_id,
            amount=500,
            reverse_transfer=True,
            refund_application_fee=True,
        )
        assert unmatched(world) == [charged.payment_intent_id]
        world.later(minutes=5)
        reconcile(now=world.now)
        assert unmatched(world) == []
        entry = PaymentHistory.objects.get(transaction_type="refund")
        assert entry.amount == Decimal("5.00")

    def test_a_transfer_by_hand_is_an_alarm(self, world, charged):
        world.stripe.control(platform_funds=100_000)
        account = account_of(charged).account_id
        made = stripe.Transfer.create(amount=700, currency="usd", destination=account)
        assert unmatched(world) == []
        assert alarms() == []  # one of a dispute could be under way
        world.later(minutes=20)
        assert unmatched(world) == []
        assert alarms() == [f"Stripe transferred $7.00 ({made.id}), which no ledger entry names"]

    def test_the_reconciler_reads_them_and_counts(self, world, charged):
        assert reconcile(now=world.now) == 0
        progress = ReconciliationProgress.objects.get(name="balance")
        assert progress.finished_at == world.now
        assert progress.last_read_count == 3

    def test_a_pass_that_runs_out_of_time_continues_with_the_next_page(
        self, world, charged, monkeypatch
    ):
        """A page has one transaction, and a pass has time for one page: each is read once."""
        listed = [each.movement_id for each in movements(world)]
        monkeypatch.setattr("apps.billing.stripe_gateway.intents.PAGE_SIZE", 1)
        pages, read_page = [], gateway.balance_page

        def count_pages(since, *, after=""):
            page = read_page(since, after=after)
            pages.append(page.last)
            return page

        balance = next(each for each in reconciliation._LISTS if each.name == "balance")
        counted = replace(balance, read_page=count_pages)
        monkeypatch.setattr(reconciliation, "_LISTS", (counted,))
        monkeypatch.setattr(reconciliation, "_unsettled_intents", lambda now: [])
        for read in range(1, len(listed)):
            reconcile(now=world.now, has_time=iter([True, False]).__next__)
            progress = ReconciliationProgress.objects.get(name="balance")
            assert (progress.read_count, progress.cursor) == (read, listed[read - 1])
            assert progress.finished_at is None
        reconcile(now=world.now)
        done = ReconciliationProgress.objects.get(name="balance")
        assert (done.finished_at, done.cursor) == (world.now, "")
        assert (pages, done.last_read_count) == (listed, len(listed))


class TestBalances:
    def test_a_balance_that_is_the_ledgers_raises_nothing(self, world, charged):
        for _ in range(2):
            read_balance(account_of(charged), now=world.now)
        assert account_of(charged).balance_difference == 0
        assert alarms() == []

    def test_money_by_hand_is_an_alarm_when_it_is_seen_twice(self, world, charged):
        world.stripe.control(platform_funds=100_000)
        account = account_of(charged)
        stripe.Transfer.create(amount=700, currency="usd", destination=account.account_id)
        read_balance(account, now=world.now)
        assert alarms() == []
        assert account_of(charged).balance_read_at is None  # read again by the next pass
        read_balance(account_of(charged), now=world.later(minutes=30))
        [found] = alarms()
        ours = PaymentHistory.objects.get(transaction_type="transfer").amount
        assert found == f"Stripe's balance is ${ours + 7}, the ledger says ${ours}"

    def test_the_alarm_ends_when_they_agree_again(self, world, charged):
        world.stripe.control(platform_funds=100_000)
        account = account_of(charged)
        made = stripe.Transfer.create(amount=700, currency="usd", destination=account.account_id)
        for _ in range(2):
            read_balance(account_of(charged), now=world.now)
        assert len(alarms()) == 1
        world.later(days=3)
        stripe.Transfer.create_reversal(made.id)
        read_balance(account_of(charged), now=world.now)
        assert alarms() == []

    def test_a_payout_that_was_sent_back_is_in_the_balance_again(self, world, charged):
        world.later(days=6)
        account = account_of(charged)
        stripe.Payout.create(amount=500, currency="usd", stripe_account=account.account_id)
        for _ in range(2):
            read_balance(account_of(charged), now=world.now)
        [found] = alarms()  # a payout by hand
        assert "the ledger says" in found


class TestOnDemand:
    def run(self):
        out, code = StringIO(), 0
        try:
            call_command("reconcile", stdout=out, stderr=StringIO())
        except Found as end:
            code = end.returncode
        return code, out.getvalue()

    def test_the_command_reads_every_list_and_finds_nothing(self, world, charged):
        code, out = self.run()
        assert code == 0
        assert "balance: 3 read" in out
        assert "Balances that differ: 0\nDifferences found: 0, still open: 0\n" in out

    def test_the_command_fails_while_a_difference_is_open(self, world, charged):
        change({"transaction_type": "transfer"}, transfer_id="tr_other")
        code, out = self.run()
        assert code == 3
        assert "Differences found: 1, still open: 1\n" in out
        assert reconciliation_status().open_issues == {"difference": 1}
        assert reconciliation_status().open_differences == 1

    def test_the_command_says_when_stripe_does_not_answer(self, world, charged):
        world.stripe.control(
            http_fault={"kind": "500", "path_prefix": "/v1/balance_transactions", "times": 5}
        )
        with pytest.raises(CommandError, match="Couldn't read from Stripe"):
            self.run()

    def test_the_status_says_when_a_list_was_not_read_for_long(self, world, charged):
        assert not reconciliation_status().is_late(now=world.now)
        reconcile(now=world.now)
        status = reconciliation_status()
        assert {each.name for each in status.lists} >= {"refunds", "intents", "balance"}
        assert (status.last_finished_at, status.open_differences) == (world.now, 0)
        assert status.read == 3  # all of them balance transactions
        assert not status.is_late(now=world.now + timedelta(minutes=29))
        assert status.is_late(now=world.now + timedelta(minutes=31))
