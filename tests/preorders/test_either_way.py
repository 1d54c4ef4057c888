"""What Stripe's documentation leaves open: the program is right in either case.

Each test runs with local Stripe's own answer and with the other one that is possible; the rows of
packages/local-stripe/BEHAVIORS.md that are *unverified* name them.
"""

from typing import Any

import pytest
import stripe as stripe_api

from apps.billing.models import Discrepancy
from apps.common import rls
from apps.common.errors import Conflict
from apps.preorders import tasks
from apps.preorders.cart.confirmation import abandon_cart, retry_cart_item
from apps.preorders.guest.changes import change_quantity
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.models import Dispute, PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.disputes import (
    INQUIRY,
    answer,
    at_stripe,
    charged,
    check_ledger,
    decide,
    disputed,
    entries,
    hear,
    sweep,
)
from tests.preorders.world import ASKS_EVERY_TIME, CAPTURE_DECLINED, DECLINED, GOOD


def either(name):
    return pytest.mark.parametrize("otherwise", [[], [name]], ids=["as assumed", "otherwise"])


@pytest.fixture(autouse=True)
def way(world, otherwise):
    world.stripe.control(otherwise=otherwise)


def issues(order):
    found = Discrepancy.objects.filter(pre_order=order, resolved_at=None)
    return sorted(found.values_list("kind", flat=True))


def event_types(world, *types):
    return [each["type"] for each in world.stripe.look(500)["events"] if each["type"] in types]


@either("long_names_are_cut_at_a_word")
def test_an_order_has_the_name_that_its_charge_bears_however_it_is_cut(world, otherwise):
    restaurant = world.open_restaurant(name="Luigi's Trattoria & Pizzeria", subdomain="pizzeria")
    order = world.authorized_order(world.offer(restaurant=restaurant, min_preorders=2))
    cut = "LUIGIS TRATTORIA &" if otherwise else "LUIGIS TRATTORIA & PIZ"
    assert order.statement_name == cut


# --- holds ----------------------------------------------------------------------------------------
@either("cancellation_expires_charge")
def test_a_released_hold_ends_once_whether_or_not_its_charge_is_said_to_expire(world, otherwise):
    offer = world.offer(min_preorders=2)
    order = world.authorized_order(offer)
    world.settle(offer)
    assert event_types(world, "charge.expired") == ["charge.expired"] * len(otherwise)
    world.hear_of_intent(order)
    world.work()
    assert (world.fresh(order).payment_status, world.emails(order).count("released")) == (
        "released",
        1,
    )


@either("declined_capture_cancels")
def test_a_declined_capture_is_charged_again_whatever_becomes_of_its_hold(world, otherwise):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=CAPTURE_DECLINED)
    world.settle(offer)
    order = world.fresh(order)
    assert (order.status, order.payment_status) == ("confirmed", "captured")
    assert [each.status for each in world.intents(order)] == ["succeeded", "canceled"]
    assert sum(each.amount_received for each in world.intents(order)) == 2592
    world.later(minutes=5)
    assert reconcile(now=world.now) == 0


@either("capture_needs_no_capability")
def test_a_capture_for_a_restricted_account_is_made_or_waits(world, otherwise):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer)
    account = str(world.restaurant.connect_account.account_id)
    world.stripe.control(restrict={"account": account})
    world.settle(offer)
    assert world.fresh(order).payment_status == ("captured" if otherwise else "authorized")
    assert issues(order) == ([] if otherwise else ["refused"])
    world.stripe.control(onboard=account)
    world.later(hours=1)
    tasks.run_due_operations_task.delay()
    world.work()
    assert world.fresh(order).payment_status == "captured"
    assert [each.status for each in world.intents(order)] == ["succeeded"]


@either("room_returns_late")
def test_a_card_whose_bank_frees_a_hold_late_loses_no_order(world, otherwise):
    """The new hold is made before the old one is released; there the bank decides."""
    world.stripe.control(card_limit={"number": GOOD, "limit": 2592 * 4})
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, 1)
    change_quantity(order=order, quantity=2, now=world.now)
    world.work()
    order = world.fresh(order)
    assert (order.quantity, order.payment_status) == (2, "authorized")
    change_quantity(order=order, quantity=1, now=world.now)
    world.settle(offer)
    order = world.fresh(order)
    assert (order.quantity, order.payment_status) == (1, "captured")
    assert sum(each.amount_received for each in world.intents(order)) == 2592
    assert {each.status for each in world.intents(order)} <= {"succeeded", "canceled"}
    world.stripe.control(card_limit={"number": GOOD, "limit": None})


# --- refunds --------------------------------------------------------------------------------------
@either("fee_rounds_down")
@pytest.mark.parametrize("amount", ["8.64", "0.01", "13.37"])
def test_the_ledger_has_the_fee_that_stripe_returned_however_it_rounds(world, otherwise, amount):
    order = charged(world)
    for each in (amount, "3.33", None):
        world.refund(world.fresh(order), each)
        world.work()
        check_ledger(world.fresh(order))
    assert world.fresh(order).payment_status == "refunded"
    world.later(minutes=5)
    assert reconcile(now=world.now) == 0


@either("waiting_refund_keeps_transfer")
def test_a_refund_that_waits_for_the_balance_is_recorded_once_it_is_sent(world, otherwise):
    order = charged(world)
    world.stripe.control(platform_funds=-1_000_000)
    world.refund(order)
    world.work()
    intent: Any = stripe_api.PaymentIntent.retrieve(
        order.payment_intent_id, expand=["latest_charge.transfer"]
    )
    taken = intent.latest_charge.transfer.amount_reversed
    assert taken == (0 if otherwise else 2592)
    assert entries(order) == []
    assert issues(order) == ["refund_pending"]
    world.stripe.control(platform_funds=1_000_000)
    sweep(world, hours=2)
    order = world.fresh(order)
    assert (order.payment_status, order.status) == ("refunded", "cancelled")
    check_ledger(order)
    world.later(minutes=5)
    assert reconcile(now=world.now) == 0
    assert issues(order) == []


@either("deleted_customer_refuses_refunds")
def test_a_refund_of_an_erased_guest_is_made_or_is_a_persons(world, otherwise):
    order = charged(world)
    world.later(days=4)
    erase_guest(order=order, now=world.now)
    world.work()
    world.refund(world.fresh(order))
    world.work()
    order = world.fresh(order)
    assert order.payment_status == ("captured" if otherwise else "refunded")
    assert issues(order) == (["refund_failed"] if otherwise else [])
    check_ledger(order)


@either("deleting_again_succeeds")
def test_a_customer_whose_deletion_was_not_answered_is_forgotten(world, otherwise):
    order = charged(world)
    world.later(days=4)
    world.stripe.control(
        http_fault={
            "kind": "lost_response",
            "method": "DELETE",
            "path_prefix": "/v1/customers/",
        }
    )
    erase_guest(order=order, now=world.now)
    world.work()
    world.later(minutes=1)
    tasks.run_due_operations_task.delay()
    world.work()
    assert world.operation(order, OperationKind.FORGET).state == "done"
    assert world.fresh(order).payment_customer_id == ""


# --- disputes -------------------------------------------------------------------------------------
@either("late_win_keeps_status")
def test_funds_that_a_bank_gives_back_later_are_the_restaurants_again(world, otherwise):
    order = charged(world)
    dispute = disputed(world, order)
    decide(world, dispute, "lost")
    decide(world, dispute, "won")
    assert dispute.status == ("lost" if otherwise else "won")
    assert world.fresh(order).disputed_amount == 0
    assert [kind for kind, _ in entries(order)][-2:] == ["reinstated", "transfer_return"]
    with pytest.raises(Conflict, match="in your favor"):
        world.refund(world.fresh(order))
    check_ledger(order)


@either("late_win_keeps_status")
def test_a_refund_that_a_dispute_overtook_is_repeated_or_a_persons(world, otherwise):
    order = charged(world)
    world.refund(order)
    world.work()
    dispute = disputed(world, order)
    tasks.apply_refunds_task.delay(order.payment_intent_id)
    world.work()
    decide(world, dispute, "lost")
    assert world.fresh(order).refunded_amount == 0
    decide(world, dispute, "won")
    world.work()
    order = world.fresh(order)
    # Stripe refuses refunds of a charge whose dispute is lost; then a person pays the guest.
    assert (int(order.refunded_amount * 100), order.disputed_amount) == (
        0 if otherwise else 2592,
        0,
    )
    assert issues(order) == (["refund_failed"] if otherwise else [])
    check_ledger(order)


@either("escalation_opens_another")
def test_an_inquiry_that_escalates_takes_the_restaurants_part_once(world, otherwise):
    order = charged(world, INQUIRY)
    (found,) = at_stripe(order)
    hear(world, ("charge.dispute.created", found.id))
    world.stripe.control(decide_dispute={"dispute": found.id, "outcome": "escalated"})
    hear(
        world,
        *(("charge.dispute.closed", found.id), ("charge.dispute.updated", found.id)),
        *(("charge.dispute.created", each.id) for each in at_stripe(order)),
    )
    assert Dispute.objects.filter(pre_order=order).count() == (2 if otherwise else 1)
    assert sorted(kind for kind, _ in entries(order)) == [
        "dispute",
        "dispute_fee",
        "transfer_reversal",
    ]
    assert int(world.fresh(order).disputed_amount * 100) == 2592
    check_ledger(order)


@either("evidence_again")
def test_an_answer_is_submitted_once_whether_or_not_stripe_would_take_another(world, otherwise):
    order = charged(world)
    dispute = answer(world, disputed(world, order))
    with pytest.raises(Conflict):
        answer(world, dispute, "And again.")
    (found,) = at_stripe(order)
    assert found.evidence_details.submission_count == 1
    assert world.calls("POST /v1/disputes/{id}") == 1


@pytest.mark.parametrize("otherwise", [[]])
@pytest.mark.parametrize("parts", [(1296, 1296), (100, 2492), (2592, 2592)])
def test_several_disputes_take_no_more_than_was_transferred(world, otherwise, parts):
    order = charged(world)
    for part in parts:
        disputed(world, order, amount=part)
    taken = sum(cents for kind, cents in entries(order) if kind == "transfer_reversal")
    assert taken == min(sum(parts), 2592)
    check_ledger(order)


# --- balances -------------------------------------------------------------------------------------
@either("fee_return_apart")
def test_the_balance_agrees_however_the_returned_fee_is_listed(world, otherwise):
    from apps.billing.balances import read_balance
    from apps.billing.models import ConnectAccount

    order = charged(world)
    world.refund(order, "10.00")
    world.work()
    world.later(hours=7)
    with rls.acting_as(rls.PLATFORM):
        account = ConnectAccount.objects.select_related("restaurant").get(
            restaurant=world.restaurant
        )
        for _ in range(2):
            account.refresh_from_db()
            read_balance(account, now=world.now)
    assert not Discrepancy.objects.filter(resolved_at=None).exists()


# --- cards ----------------------------------------------------------------------------------------
@either("detached_card_unnamed")
def test_a_detached_card_ends_in_a_payment_link_sooner_or_later(world, otherwise):
    offer = world.offer(min_preorders=1)
    order = world.authorized_order(offer, card=CAPTURE_DECLINED)
    stripe_api.PaymentMethod.detach(order.payment_method_id)
    world.settle(offer)
    for _ in range(30):
        world.later(minutes=16)
        tasks.run_due_operations_task.delay()
        world.work()
    assert "payment_needed" in world.emails(order)
    assert PaymentOperation.objects.get(pre_order=order).stage == "pay_link"
    assert all(each.status != "succeeded" for each in world.intents(order))


@either("open_check_stays")
def test_a_check_that_was_left_open_ends_with_one_hold_or_none(world, otherwise):
    """Another card ends the check; or it is refused, and the check can still be passed."""
    offer = world.offer(min_preorders=1)
    begun = world.begin_cart(offer)
    [order] = begun.items
    world.give_card(begun, ASKS_EVERY_TIME, authenticate="leave")
    assert world.confirm_cart(begun) == {offer.name: "requires_action"}
    retry = retry_cart_item(
        cart_id=begun.cart.pk, order_id=order.pk, another_card=True, now=world.now
    )
    assert retry.client_secret == begun.client_secret
    answer = world.stripe.confirm(retry.client_secret, GOOD)
    assert answer["status"] == ("requires_action" if otherwise else "requires_capture")
    if otherwise:
        assert world.confirm_cart(begun) == {offer.name: "requires_action"}
        world.authenticate(order)
    assert world.confirm_cart(begun) == {offer.name: "held"}
    world.settle(offer)
    [intent] = world.intents(order)
    assert (intent.status, intent.amount_received) == ("succeeded", 2592)


@either("open_check_stays")
def test_a_check_that_nobody_passes_holds_and_reserves_nothing(world, otherwise):
    offer = world.offer(min_preorders=1)
    begun = world.begin_cart(offer)
    [order] = begun.items
    world.give_card(begun, ASKS_EVERY_TIME, authenticate="leave")
    answer = world.give_card(begun, DECLINED)
    assert answer["status"] == ("requires_action" if otherwise else "requires_payment_method")
    abandon_cart(cart_id=begun.cart.pk, now=world.now)
    assert [each.status for each in world.intents(order)] == ["canceled"]
    assert (world.fresh(order).status, world.fresh(order).payment_status) == ("cancelled", "unpaid")
    assert world.fresh(offer).reserved_portions == 0
