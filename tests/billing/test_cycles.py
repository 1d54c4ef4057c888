"""Monthly cycles by the restaurant's own calendar, and the invoices of what was kept in them."""

from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from apps.activity.models import LoggedEvent
from apps.billing import chain, cycles, ledger
from apps.billing.fees import Fees
from apps.billing.models import Discrepancy, FeeInvoice, MonthlyBillingCycle, PaymentHistory
from apps.common.money import Money
from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import PreOrderFactory, RestaurantFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
FEES = Fees(revenue_share=Money(78), processing=Money(157))
# Midnight in New York between March and April.
MONTHS_END = datetime(2027, 4, 1, 4, 0, tzinfo=UTC)


@pytest.fixture
def order():
    return PreOrderFactory()


def ref(order):
    return ledger.OrderRef(order.restaurant, order.pk, order.offer_id, order.payment_intent_id)


def capture(order, *, now=NOON, captured_at=None):
    record = ledger.CaptureRecord(
        ref(order), Money(2592), FEES, Decimal("3.00"), f"tr_{order.pk}", captured_at
    )
    ledger.record_captures([record], now=now)


def refund(order, *, now=NOON, cents=2592, reference="re_1"):
    ledger.record_refund(ref(order), Money(cents), FEES, reference=reference, now=now)


def months(restaurant):
    rows = MonthlyBillingCycle.objects.filter(restaurant=restaurant).order_by("year", "month")
    return [(row.month, str(row.total_revenue), row.closed_at is not None) for row in rows]


class TestOpening:
    def test_every_active_restaurant_has_its_own_present_month(self):
        complete = {"registration_status": Restaurant.RegistrationStatus.COMPLETE}
        new_york = RestaurantFactory(**complete)
        auckland = RestaurantFactory(timezone="Pacific/Auckland", **complete)
        closed = RestaurantFactory(status=Restaurant.Status.INACTIVE, **complete)
        unfinished = RestaurantFactory()
        early = datetime(2027, 3, 31, 20, tzinfo=UTC)
        assert cycles.open_cycles(now=early) == 2
        assert cycles.open_cycles(now=early) == 0
        assert months(new_york) == [(3, "0.00", False)]
        assert months(auckland) == [(4, "0.00", False)]
        assert months(closed) == months(unfinished) == []
        cycle = MonthlyBillingCycle.objects.get(restaurant=new_york)
        assert (str(cycle.cycle_start_date), str(cycle.cycle_end_date)) == (
            "2027-03-01",
            "2027-03-31",
        )


class TestWhatIsHeardOfLate:
    def test_a_charge_of_the_months_last_minute_is_in_that_month(self, order):
        last_minute = datetime(2027, 4, 1, 3, 59, tzinfo=UTC)
        capture(order, captured_at=last_minute, now=datetime(2027, 4, 1, 9, tzinfo=UTC))
        assert months(order.restaurant) == [(3, "25.92", False), (4, "0.00", False)]
        assert {row.processed_at for row in PaymentHistory.objects.all()} == {last_minute}

    def test_a_charge_that_is_heard_of_after_the_month_closed_is_in_the_next(self, order):
        last_minute = datetime(2027, 4, 1, 3, 59, tzinfo=UTC)
        much_later = datetime(2027, 4, 2, 5, tzinfo=UTC)
        capture(order, captured_at=last_minute, now=much_later)
        assert months(order.restaurant) == [(4, "25.92", False)]
        assert {row.processed_at for row in PaymentHistory.objects.all()} == {much_later}


class TestClosing:
    def test_a_month_closes_two_days_after_its_end_where_the_restaurant_is(self, order):
        capture(order)
        assert cycles.close_cycles(now=datetime(2027, 4, 3, 3, 59, tzinfo=UTC)) == 0
        assert cycles.close_cycles(now=datetime(2027, 4, 3, 4, 0, tzinfo=UTC)) == 1
        assert cycles.close_cycles(now=datetime(2027, 4, 3, 4, 1, tzinfo=UTC)) == 0
        assert months(order.restaurant) == [(3, "25.92", True)]

    def test_a_closed_month_never_changes(self, order):
        capture(order)
        cycles.close_cycles(now=datetime(2027, 4, 4, tzinfo=UTC))
        for statement in (
            "UPDATE billing_monthlybillingcycle SET total_revenue = 0",
            "DELETE FROM billing_monthlybillingcycle",
            "UPDATE billing_feeinvoice SET total = 0",
        ):
            with (
                pytest.raises(DatabaseError, match="append-only"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(statement)
        refund(order, now=datetime(2027, 4, 4, 1, tzinfo=UTC))
        assert months(order.restaurant) == [(3, "25.92", True), (4, "-25.92", False)]

    def test_it_notes_the_chain_in_the_month_and_in_the_activity_log(self, order):
        capture(order)
        chain.seal_entries(now=NOON)
        cycles.close_cycles(now=datetime(2027, 4, 4, tzinfo=UTC))
        cycle = MonthlyBillingCycle.objects.get()
        assert (cycle.chain_length, len(cycle.chain_head)) == (3, 64)
        event = LoggedEvent.objects.get(kind="month_closed")
        assert event.details == {"month": "2027-03", "invoice": 1, "chain": cycle.chain_head}

    def test_a_month_whose_totals_are_not_its_entries_stays_open_with_an_alarm(self, order):
        capture(order)
        MonthlyBillingCycle.objects.update(total_revenue="25.91")
        assert cycles.close_cycles(now=datetime(2027, 4, 4, tzinfo=UTC)) == 0
        assert months(order.restaurant) == [(3, "25.91", False)]
        [alarm] = Discrepancy.objects.filter(kind="ledger", resolved_at=None)
        assert "25.92" in alarm.description
        assert not FeeInvoice.objects.exists()
        MonthlyBillingCycle.objects.update(total_revenue="25.92")
        assert cycles.close_cycles(now=datetime(2027, 4, 4, 1, tzinfo=UTC)) == 1
        assert not Discrepancy.objects.filter(resolved_at=None).exists()

    def test_the_command_opens_and_closes_and_is_safe_to_repeat(self, order, clock):
        capture(order)
        order.restaurant.registration_status = Restaurant.RegistrationStatus.COMPLETE
        order.restaurant.save(update_fields=["registration_status"])
        clock.set(datetime(2027, 4, 4, tzinfo=UTC))
        said = []
        for _ in range(2):
            out = StringIO()
            call_command("close_cycles", stdout=out)
            said.append(out.getvalue())
        assert said == ["Months opened: 1, closed: 1.\n", "Months opened: 0, closed: 0.\n"]
        assert FeeInvoice.objects.count() == 1


class TestInvoices:
    LATER = datetime(2027, 4, 4, tzinfo=UTC)

    def test_a_month_with_fees_has_one(self, order):
        capture(order)
        cycles.close_cycles(now=self.LATER)
        invoice = FeeInvoice.objects.get()
        assert (invoice.number, invoice.currency) == (1, "usd")
        assert (invoice.revenue_share, invoice.processing, invoice.total) == (
            Decimal("0.78"),
            Decimal("1.57"),
            Decimal("2.35"),
        )
        assert [invoice.tax_rate, invoice.tax, invoice.jurisdiction] == [0, 0, ""]
        assert invoice.billed_to.splitlines()[0] == order.restaurant.name

    def test_a_month_without_fees_has_none_and_leaves_no_event(self):
        RestaurantFactory(registration_status=Restaurant.RegistrationStatus.COMPLETE)
        cycles.open_cycles(now=NOON)
        assert cycles.close_cycles(now=self.LATER) == 1
        assert not FeeInvoice.objects.exists()
        assert not LoggedEvent.objects.filter(kind="month_closed").exists()

    def test_a_month_in_which_more_was_returned_than_taken_has_a_credit_note(self, order):
        capture(order, now=datetime(2027, 2, 10, tzinfo=UTC))
        refund(order)
        cycles.close_cycles(now=self.LATER)
        numbers = FeeInvoice.objects.order_by("number").values_list("number", "total")
        assert list(numbers) == [(1, Decimal("2.35")), (2, Decimal("-2.35"))]

    def test_the_tax_that_the_platform_owes_is_part_of_the_fees(self, settings):
        settings.FEE_TAX_RATES = {"DE": Decimal(19), "CA-QC": Decimal("14.975")}
        berlin = PreOrderFactory(offer__restaurant__country="DE", offer__restaurant__state="")
        quebec = PreOrderFactory(offer__restaurant__country="Canada", offer__restaurant__state="qc")
        toronto = PreOrderFactory(offer__restaurant__country="CA", offer__restaurant__state="ON")
        for order in (berlin, quebec, toronto):
            capture(order)
        cycles.close_cycles(now=self.LATER)
        taxes = {
            invoice.restaurant_id: (invoice.jurisdiction, invoice.tax_rate, invoice.tax)
            for invoice in FeeInvoice.objects.all()
        }
        assert taxes == {
            berlin.restaurant_id: ("DE", Decimal(19), Decimal("0.38")),
            quebec.restaurant_id: ("CA-QC", Decimal("14.975"), Decimal("0.31")),
            toronto.restaurant_id: ("", Decimal(0), Decimal("0.00")),
        }

    def test_numbers_have_no_gap_when_a_closing_fails(self, order, monkeypatch):
        other = PreOrderFactory()
        capture(order)
        capture(other)

        def fail(*args, **kwargs):
            raise RuntimeError

        with monkeypatch.context() as broken:
            broken.setattr(cycles, "record", fail)
            with pytest.raises(RuntimeError):
                cycles.close_cycles(now=self.LATER)
        assert not FeeInvoice.objects.exists()
        cycles.close_cycles(now=self.LATER)
        assert list(FeeInvoice.objects.order_by("number").values_list("number", flat=True)) == [
            1,
            2,
        ]
