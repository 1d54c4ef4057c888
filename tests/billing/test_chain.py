"""The ledger never changes, and its hash chain shows when it did (decision 113)."""

import hashlib
import json
from datetime import timedelta
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.billing import chain, ledger
from apps.billing.fees import Fees
from apps.billing.models import Discrepancy, LedgerChain, LedgerSeal, PaymentHistory
from apps.common.money import Money
from tests.conftest import NOON
from tests.database import unlocked
from tests.factories import PreOrderFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
FEES = Fees(revenue_share=Money(78), processing=Money(157))


@pytest.fixture
def order():
    return PreOrderFactory()


def ref(order):
    return ledger.OrderRef(order.restaurant, order.pk, order.offer_id, order.payment_intent_id)


def charge(*orders):
    records = [
        ledger.CaptureRecord(ref(each), Money(2592), FEES, Decimal("3.00"), f"tr_{each.pk}")
        for each in orders
    ]
    ledger.record_captures(records, now=NOON)


def refund(order, cents, reference):
    ledger.record_refund(ref(order), Money(cents), FEES, reference=reference, now=NOON)


def seals_of(restaurant):
    rows = LedgerSeal.objects.filter(restaurant=restaurant).order_by("position")
    return list(rows.values_list("position", "entry__transaction_type"))


def tamper(statement):
    with (
        unlocked("billing_paymenthistory", "billing_ledgerseal"),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def verify_command(*arguments):
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_ledger", *arguments, stdout=out, stderr=err)
    except CommandError as end:
        return end.returncode, out.getvalue(), f"{err.getvalue()}{end}"
    return 0, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE billing_paymenthistory SET amount = 1",
        "UPDATE billing_paymenthistory SET settled_amount = 1",
        "DELETE FROM billing_paymenthistory",
        "UPDATE billing_platformfee SET platform_fee_amount = 0",
        "DELETE FROM billing_platformfee",
        "UPDATE billing_ledgerseal SET hash = ''",
        "DELETE FROM billing_ledgerseal",
    ],
)
def test_the_database_refuses_to_change_or_delete_what_was_recorded(order, statement):
    charge(order)
    chain.seal_entries(now=NOON)
    before = list(PaymentHistory.objects.order_by("pk").values())
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert list(PaymentHistory.objects.order_by("pk").values()) == before


def test_entries_are_sealed_in_the_order_they_were_written(order):
    charge(order)
    assert seals_of(order.restaurant) == []
    assert chain.seal_entries(now=NOON) == 3
    refund(order, 500, "re_1")
    assert chain.seal_entries(now=NOON) == 1
    assert chain.seal_entries(now=NOON) == 0
    assert seals_of(order.restaurant) == [
        (1, "capture"),
        (2, "fee"),
        (3, "transfer"),
        (4, "refund"),
    ]


def test_each_restaurant_has_a_chain_of_its_own(order):
    other = PreOrderFactory()
    charge(order)
    refund(other, 100, "re_1")
    chain.seal_entries(now=NOON)
    assert [position for position, _ in seals_of(order.restaurant)] == [1, 2, 3]
    assert [position for position, _ in seals_of(other.restaurant)] == [1]
    result = chain.verify(now=NOON)
    assert (result.chains, result.entries, result.broken) == (2, 4, {})


def test_a_seal_is_made_of_the_one_before_it_and_the_entrys_canonical_form(order):
    """Computed here from the description in decision 113 alone."""
    refund(order, 500, "re_1")
    refund(order, 600, "re_2")
    chain.seal_entries(now=NOON)
    head = bytes(32)
    for seal in LedgerSeal.objects.order_by("position").select_related("entry"):
        entry = seal.entry
        described = {
            "amount": str(entry.amount),
            "currency": "usd",
            "cycle_id": entry.cycle_id,
            "fee_rate": "0.00",
            "id": entry.pk,
            "offer_id": str(order.offer_id),
            "payment_intent_id": order.payment_intent_id,
            "platform_fee_amount": "0.78",
            "pre_order_id": str(order.pk),
            "processed_at": "2027-03-22T16:00:00.000000+00:00",
            "processing_fee_amount": "1.57",
            "reference": entry.reference,
            "restaurant_id": str(order.restaurant_id),
            "settled_amount": str(entry.settled_amount),
            "settled_currency": "usd",
            "status": "succeeded",
            "transaction_type": "refund",
            "transfer_id": "",
        }
        text = json.dumps(described, sort_keys=True, separators=(",", ":"))
        head = hashlib.sha256(head + hashlib.sha256(text.encode()).digest()).digest()
        assert seal.hash == head.hex()
    assert LedgerChain.objects.get(pk=order.restaurant_id).head == head.hex()


def test_a_batch_of_entries_is_sealed_in_a_few_statements(
    order, django_assert_max_num_queries, monkeypatch
):
    charge(*(PreOrderFactory(offer=order.offer) for _ in range(40)))
    with django_assert_max_num_queries(14):
        assert chain.seal_entries(now=NOON) == 120
    monkeypatch.setattr(chain, "BATCH_SIZE", 50)
    charge(*(PreOrderFactory(offer=order.offer) for _ in range(40)))
    assert chain.seal_entries(now=NOON) == 120
    assert chain.verify(now=NOON).broken == {}


def test_an_entry_with_a_lower_number_that_was_committed_later_is_sealed(order):
    refund(order, 100, "re_1")
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('billing_paymenthistory_id_seq')")
        [late] = cursor.fetchone()
    refund(order, 200, "re_2")
    assert chain.seal_entries(now=NOON) == 2
    entry = PaymentHistory.objects.get(reference="re_1")
    entry.pk, entry.reference = late, "re_late"
    entry.save(force_insert=True)
    assert chain.seal_entries(now=NOON) == 1
    assert LedgerSeal.objects.get(entry_id=late).position == 3
    assert chain.verify(now=NOON).broken == {}


class TestVerifying:
    def test_a_ledger_that_holds_exits_with_0(self, order):
        charge(order)
        chain.seal_entries(now=NOON)
        assert verify_command() == (0, "Verified 3 entries of 1 restaurants.\n", "")

    @pytest.mark.parametrize(
        ("statement", "found"),
        [
            (
                "UPDATE billing_paymenthistory SET amount = 0.01 WHERE transaction_type = 'fee'",
                "at position 2 was changed",
            ),
            (
                "UPDATE billing_paymenthistory SET processed_at = processed_at + interval '1 day'"
                " WHERE transaction_type = 'capture'",
                "at position 1 was changed",
            ),
            ("UPDATE billing_ledgerseal SET hash = repeat('0', 64)", "position 1 was changed"),
            (
                "DELETE FROM billing_ledgerseal WHERE position = 2; DELETE FROM "
                "billing_paymenthistory WHERE transaction_type = 'fee'",
                "Position 2 is missing",
            ),
            (
                "DELETE FROM billing_ledgerseal WHERE position = 3; DELETE FROM "
                "billing_paymenthistory WHERE transaction_type = 'transfer'",
                "ends at position 2, and 3 entries were sealed",
            ),
            ("DELETE FROM billing_ledgerseal", "All 3 sealed entries are missing"),
        ],
    )
    def test_what_somebody_changed_around_the_triggers_is_found(self, order, statement, found):
        charge(order)
        chain.seal_entries(now=NOON)
        tamper(statement)
        code, out, err = verify_command()
        assert (code, out) == (3, "")
        assert found in err
        assert str(order.restaurant_id) in err
        chain.check_ledger(now=NOON)
        [alarm] = Discrepancy.objects.filter(kind="chain", resolved_at=None)
        assert found in alarm.description

    def test_other_restaurants_are_verified_though_one_does_not_hold(self, order):
        other = PreOrderFactory()
        charge(order)
        charge(other)
        chain.seal_entries(now=NOON)
        tamper(
            "UPDATE billing_paymenthistory SET amount = 1 "
            f"WHERE restaurant_id = '{order.restaurant_id}'"
        )
        result = chain.verify(now=NOON)
        assert list(result.broken) == [order.restaurant_id]
        assert (result.chains, result.entries) == (2, 6)
        subdomain = other.restaurant.subdomain
        assert verify_command("--restaurant", subdomain)[0] == 0

    def test_entries_that_wait_too_long_for_their_seal_exit_with_3(self, order, clock):
        charge(order)
        assert verify_command()[0] == 0
        clock.advance(minutes=11)
        code, _, err = verify_command()
        assert (code, err) == (3, "3 entries are waiting for their seal.")

    def test_an_alarm_ends_when_the_chain_holds_again(self, order):
        charge(order)
        chain.seal_entries(now=NOON)
        tamper("UPDATE billing_paymenthistory SET fee_rate = 9 WHERE transaction_type = 'capture'")
        chain.check_ledger(now=NOON)
        tamper("UPDATE billing_paymenthistory SET fee_rate = 3 WHERE transaction_type = 'capture'")
        chain.check_ledger(now=NOON + timedelta(days=1))
        assert not Discrepancy.objects.filter(resolved_at=None).exists()


amounts = st.integers(1, 99_999)


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    rounds=st.lists(st.lists(amounts, min_size=1, max_size=5), min_size=1, max_size=4),
    pick=st.integers(0, 10_000),
)
def test_any_history_verifies_and_any_changed_amount_is_found(rounds, pick):
    with transaction.atomic():
        order = PreOrderFactory()
        number = 0
        for amounts_of_round in rounds:
            for cents in amounts_of_round:
                number += 1
                refund(order, cents, f"re_{number}")
            chain.seal_entries(now=NOON)
        result = chain.verify(now=NOON, restaurant_id=order.restaurant_id)
        assert (result.entries, result.broken, result.unsealed) == (number, {}, 0)
        position = pick % number + 1
        entry = LedgerSeal.objects.get(restaurant=order.restaurant, position=position).entry_id
        tamper(f"UPDATE billing_paymenthistory SET amount = amount + 0.01 WHERE id = {entry}")
        [found] = chain.verify(now=NOON).broken.values()
        assert f"at position {position} was changed" in found
        transaction.set_rollback(True)
