"""What must be true at the end of a history, here and at Stripe, to the cent."""

from collections import Counter
from typing import Any

import stripe as stripe_api
from django.db.models import Sum

from apps.billing import chain
from apps.billing.balances import read_balance
from apps.billing.figures import figures_of
from apps.billing.models import ConnectAccount, Discrepancy, MonthlyBillingCycle, PaymentHistory
from apps.common.money import Money
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import OperationStatus, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.reconciliation import reconcile
from tests.faults.history import History
from tests.preorders.world import World

Kind = PaymentHistory.Type


def cents(amount: Any) -> int:
    return Money.of(amount or 0).cents


def theirs_of(world: World, order: PreOrder) -> dict[str, dict[str, int]]:
    """What Stripe says about every charged intent of the order, in cents."""
    found = {}
    for intent in world.intents(order):
        assert intent.status in ("succeeded", "canceled", "requires_payment_method"), intent.status
        if intent.status != "succeeded":
            continue
        charge: Any = stripe_api.Charge.retrieve(
            intent.latest_charge.id,
            expand=["transfer", "application_fee", "balance_transaction"],
        )
        assert charge.balance_transaction.created < order.offer.serving_ends.timestamp(), (
            f"{order} was charged after its serve date"
        )
        refunds = stripe_api.Refund.list(payment_intent=intent.id, limit=100).data
        sums = {
            state: sum(each.amount for each in refunds if each.status == state)
            for state in ("succeeded", "failed", "pending")
        }
        assert not sums["pending"]
        disputes = stripe_api.Dispute.list(payment_intent=intent.id, limit=100).data
        moves = [move for each in disputes for move in each.balance_transactions]
        again = [
            made.amount - made.amount_reversed
            for each in disputes
            for made in stripe_api.Transfer.list(transfer_group=each.id).data
        ]
        found[intent.id] = {
            "captured": charge.amount_captured,
            "refunded": sums["succeeded"],
            "returned": sums["failed"],
            "reversed": charge.transfer.amount_reversed,
            "fee": charge.application_fee.amount - charge.application_fee.amount_refunded,
            "disputed": -sum(move.amount for move in moves),
            "dispute fees": sum(move.fee for move in moves),
            "transferred again": sum(again),
        }
    return found


def ours_of(order: PreOrder) -> dict[str, int]:
    entries = list(
        PaymentHistory.objects.filter(
            pre_order=order, payment_intent_id=order.payment_intent_id or "-"
        )
    )

    # A dispute after a won one takes back the transfer that winning returned, which was made
    # without the fees.
    taken_again = [each for each in entries if _is_taken_again(each)]
    entries = [each for each in entries if not _is_taken_again(each)]

    def total(kind: Kind) -> int:
        return sum(cents(each.amount) for each in entries if each.transaction_type == kind)

    def fees(*kinds: Kind) -> int:
        return sum(
            cents(each.platform_fee_amount + each.processing_fee_amount)
            for each in entries
            if each.transaction_type in kinds
        )

    collected = fees(Kind.CAPTURE) + total(Kind.FEE)
    assert total(Kind.TRANSFER) == total(Kind.CAPTURE) - collected
    return {
        "captured": total(Kind.CAPTURE),
        "refunded": total(Kind.REFUND) + total(Kind.REFUND_REPEATED) - total(Kind.REFUND_RETURNED),
        "returned": total(Kind.REFUND_RETURNED),
        "reversed": total(Kind.REFUND) + total(Kind.TRANSFER_REVERSAL),
        "fee": collected - fees(Kind.REFUND, Kind.TRANSFER_REVERSAL),
        "disputed": total(Kind.DISPUTE) - total(Kind.REINSTATED),
        "dispute fees": total(Kind.DISPUTE_FEE) - total(Kind.DISPUTE_FEE_RETURNED),
        "transferred again": total(Kind.TRANSFER_RETURN)
        - sum(cents(each.amount) - _fees(each) for each in taken_again),
    }


def _is_taken_again(entry: PaymentHistory) -> bool:
    is_reversal = entry.transaction_type == Kind.TRANSFER_REVERSAL
    returned = PaymentHistory.objects.filter(
        transaction_type=Kind.TRANSFER_RETURN, reference=entry.transfer_id
    )
    return is_reversal and returned.exists()


def _fees(entry: PaymentHistory) -> int:
    return cents(entry.platform_fee_amount + entry.processing_fee_amount)


def assert_true_in_the_end(history: History) -> None:
    world = history.world
    found = PreOrder.objects.filter(offer__in=history.offers)
    orders = list(found.select_related("offer__restaurant"))
    left = PaymentOperation.objects.filter(pre_order__in=orders, state=OperationStatus.PENDING)
    assert not left, [f"{row} {row.stage} {row.error}" for row in left]
    for offer in history.offers:
        assert world.fresh(offer).status in (*DECIDED, OfferStatus.DELETED)
    _assert_one_end_per_hold(world, orders)
    for order in orders:
        _assert_true(world, order)
    _assert_balances(history, orders)
    assert reconcile(now=world.later(minutes=5)) == 0
    _assert_ledger_is_sealed_and_equal(world, orders)
    open_ones = Discrepancy.objects.filter(
        pre_order__in=orders, kind=Discrepancy.Kind.DIFFERENCE, resolved_at=None
    )
    assert not open_ones, list(open_ones.values_list("description", flat=True))


def _assert_ledger_is_sealed_and_equal(world: World, orders: list[PreOrder]) -> None:
    """The chain verifies, the month's statement is the balance, and Stripe lists nothing else."""
    restaurant = orders[0].restaurant if orders else None
    chain.seal_entries(now=world.now)
    assert chain.verify(now=world.now).broken == {}
    if restaurant is None:
        return
    figures = figures_of(PaymentHistory.objects.filter(restaurant=restaurant))
    settled = PaymentHistory.objects.filter(restaurant=restaurant).aggregate(
        total=Sum("settled_amount", default=0)
    )
    assert figures.net == settled["total"], "a cent is lost between the fees and the balance"
    account = ConnectAccount.objects.select_related("restaurant").get(restaurant=restaurant)
    for _ in range(2):
        account.refresh_from_db()
        read_balance(account, now=world.now)
    differing = Discrepancy.objects.filter(
        restaurant=restaurant, kind=Discrepancy.Kind.BALANCE, resolved_at=None
    )
    assert not differing, list(differing.values_list("description", flat=True))


def _assert_one_end_per_hold(world: World, orders: list[PreOrder]) -> None:
    """Every hold was captured or released, and once."""
    happened = Counter(
        (event["type"], event["object"]) for event in world.stripe.look(5000)["events"]
    )
    for order in orders:
        for intent in world.intents(order):
            assert intent.status != "requires_capture", f"{intent.id} is still held"
            captured = happened["payment_intent.succeeded", intent.id]
            released = happened["payment_intent.canceled", intent.id]
            assert captured + released <= 1, f"{intent.id} ended {captured} and {released} times"


def _assert_true(world: World, order: PreOrder) -> None:
    theirs = theirs_of(world, order)
    own = theirs.pop(str(order.payment_intent_id), None)
    ours = ours_of(order)
    at_stripe = own or dict.fromkeys(ours, 0)
    apart = {name: (ours[name], at_stripe[name]) for name in ours if ours[name] != at_stripe[name]}
    assert not apart, f"{order} is {order.payment_status}; ours and Stripe's: {apart}"
    assert cents(order.refunded_amount) == ours["refunded"]
    assert cents(order.returned_amount) == ours["returned"]
    assert cents(order.disputed_amount) == ours["disputed"]
    for stray in theirs.values():
        back = stray["refunded"] + stray["returned"] + stray["disputed"]
        assert stray["captured"] <= back, "a second charge"
    sent_back = ours["captured"] - ours["refunded"] - ours["returned"] <= 0
    if order.status in (PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED):
        assert order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)
    if order.status == PreOrderStatus.CONFIRMED:
        assert ours["captured"]
        assert not sent_back, f"{order}: the money and the meal"
        if world.now < order.offer.serving_ends:
            remaining = ours["captured"] - ours["refunded"] - ours["disputed"]
            assert remaining > 0, f"{order}: the bank's money and the meal"
    if order.payment_status == PaymentStatus.CAPTURED and sent_back:
        assert ours["returned"], f"{order}: charged, but nothing is left of the charge"
    issues = Discrepancy.objects.filter(
        pre_order=order, kind__in=("refund_returned", "refund_failed"), resolved_at=None
    )
    bank_paid = ours["disputed"] >= ours["captured"] - ours["refunded"]
    repeats = PaymentHistory.objects.filter(pre_order=order, transaction_type=Kind.REFUND_REPEATED)
    repeated = sum(cents(each.amount) for each in repeats)
    if ours["returned"] > repeated and not bank_paid:
        assert issues.exists(), f"{order}: nobody was told of a returned refund"
    elif ours["returned"]:
        assert not issues.exists(), f"{order}: the bank paid a refund that staff are asked to pay"


def _assert_balances(history: History, orders: list[PreOrder]) -> None:
    """The restaurant's balance at Stripe, apart from payouts, is what its ledger adds up to."""
    ours = [ours_of(order) for order in orders]
    for order, sums in zip(orders, ours, strict=True):
        entries = PaymentHistory.objects.filter(pre_order=order)
        settled = sum(cents(each.settled) for each in entries)
        effect = sums["captured"] - sums["reversed"] - sums["fee"] + sums["transferred again"]
        assert settled == effect, f"{order}: {settled} settled, {effect} in the ledger"
    strays = [
        stray
        for order in orders
        for intent, stray in theirs_of(history.world, order).items()
        if intent != str(order.payment_intent_id)
    ]
    expected = sum(
        sums["captured"] - sums["reversed"] - sums["fee"] + sums["transferred again"]
        for sums in [*ours, *strays]
    )
    transactions = stripe_api.BalanceTransaction.list(limit=100, stripe_account=history.account)
    paid_out = ("payout", "payout_failure", "payout_cancel")
    balance = sum(each.net for each in transactions.auto_paging_iter() if each.type not in paid_out)
    assert balance == expected, "the restaurant's balance at Stripe"
    months = MonthlyBillingCycle.objects.filter(restaurant=history.offer.restaurant)
    moved = PaymentHistory.objects.filter(
        pre_order__in=orders, transaction_type__in=(Kind.TRANSFER_RETURN, Kind.TRANSFER_REVERSAL)
    )
    fees_again = 0
    for each in moved:
        if each.transaction_type == Kind.TRANSFER_RETURN:
            fees_again += _fees(each)
        elif _is_taken_again(each):
            fees_again -= _fees(each)
    left_over = fees_again + sum(
        sums["captured"] - sums["reversed"] + sums["transferred again"] for sums in ours
    )
    assert sum(cents(month.total_revenue) for month in months) == left_over
