"""What must be true of the money when everything is done, whatever went wrong before."""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import stripe as stripe_api
from django.core import mail
from django.db.models import Q, Sum

from apps.billing.models import Discrepancy, MonthlyBillingCycle, PaymentHistory, PlatformFee
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.core.selectors import released_first
from apps.preorders.models import (
    Email,
    PaymentOperation,
    PreOrder,
)
from apps.preorders.models.states import EmailKind, OperationStatus, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.reconciliation import reconcile
from tests.preorders.world import World

# The one email that tells a guest how it ended; what is refunded was confirmed before, or not.
LAST_WORDS = {
    PaymentStatus.CAPTURED: {EmailKind.CONFIRMED},
    PaymentStatus.REFUNDED: {EmailKind.CONFIRMED, EmailKind.CANCELLED},
    PaymentStatus.RELEASED: {EmailKind.RELEASED, EmailKind.PAYMENT_LAPSED, EmailKind.CANCELLED},
}
FINAL_EMAILS = set().union(*LAST_WORDS.values())
FULFILLED = {PreOrderStatus.CONFIRMED, PreOrderStatus.FULFILLED, PreOrderStatus.NO_SHOW}

Entry = tuple[str, str, int]  # intent, type of movement, cents


def assert_ledger_balances(world: World, *offers: SpecialOffer, emails_sent: bool = True) -> None:
    """One outcome per hold, our ledger Stripe's to the cent, every email once, one decision.

    Call it when nothing is left to be done, with every offer that was ordered from. The reconciler
    has the last word.
    """
    orders = list(PreOrder.objects.filter(offer__in=offers).select_related("offer"))
    listed = world.intents_by_order()
    theirs = {order.pk: listed[str(order.pk)] for order in orders}
    for offer in offers:
        _assert_decided_once(offer)
    _assert_nothing_left_to_do(orders)
    _assert_one_outcome_per_hold(world, orders, theirs)
    _assert_same_ledger(orders, theirs)
    _assert_totals(orders)
    _assert_emails(orders, sent=emails_sent)
    found = reconcile(now=world.now + timedelta(minutes=2))
    assert found == 0, list(Discrepancy.objects.values_list("description", flat=True))


def _assert_decided_once(offer: SpecialOffer) -> None:
    changes = list(offer.transitions.order_by("pk").values_list("old", "new"))
    status = SpecialOffer.objects.get(pk=offer.pk).status
    if status == OfferStatus.DELETED:
        # By the restaurant, or while it was being decided, with a suspension (decision 85).
        assert changes in ([("active", status)], [("active", "closing"), ("closing", status)])
        return
    assert status in DECIDED
    assert changes == [("active", "closing"), ("closing", status)]


def _assert_nothing_left_to_do(orders: list[PreOrder]) -> None:
    left = PaymentOperation.objects.filter(pre_order__in=orders, state=OperationStatus.PENDING)
    assert not left, [f"{row} {row.stage} {row.error}" for row in left]
    assert not PreOrder.objects.filter(pk__in=[order.pk for order in orders]).in_checkout()


def _was_held(intent: Any) -> bool:
    card = intent.latest_charge.payment_method_details.card if intent.latest_charge else {}
    return "capture_before" in card


def _refunded(intent: Any) -> int:
    refunds = stripe_api.Refund.list(payment_intent=intent.id, limit=100)
    return sum(refund.amount for refund in refunds.auto_paging_iter())


def _assert_one_outcome_per_hold(
    world: World, orders: list[PreOrder], theirs: dict[Any, list[Any]]
) -> None:
    """Every hold ended once, and at most one charge per order stands."""
    happened = Counter(
        (event["type"], event["object"]) for event in world.stripe.look(5000)["events"]
    )
    for order in orders:
        statuses = 0
        for intent in theirs[order.pk]:
            taken = happened["payment_intent.succeeded", intent.id]
            released = happened["payment_intent.canceled", intent.id]
            assert taken + released <= 1, f"{intent.id}: taken {taken}×, released {released}×"
            assert intent.status != "requires_capture", f"{intent.id} is still held"
            statuses += intent.amount_received - _refunded(intent) > 0
        paid = order.payment_status == PaymentStatus.CAPTURED
        assert statuses == (1 if paid else 0), f"{order} is {order.payment_status}"


def _their_entries(intent: Any, share: Money) -> set[Entry]:
    """The movements of one intent as Stripe lists them."""
    entries = set()
    if _was_held(intent):
        entries.add((intent.id, "authorization", intent.amount))
        if intent.status == "canceled":
            entries.add((intent.id, "release", intent.amount))
    if intent.status == "succeeded":
        charge: Any = stripe_api.Charge.retrieve(
            intent.latest_charge.id, expand=["transfer", "application_fee"]
        )
        fee = charge.application_fee.amount
        entries.add((intent.id, "capture", intent.amount_received))
        entries.add((intent.id, "fee", fee - share.cents))
        # The transfer itself is in the currency that the account settles in.
        entries.add((intent.id, "transfer", charge.amount_captured - fee))
    return entries


def _all_refunded(order: PreOrder, intent: Any) -> None:
    """What Stripe refunded of this intent, to the guest, from our fee, and from the restaurant's
    transfer, is what our ledger says; it may say so in fewer entries."""
    lines = PaymentHistory.objects.filter(
        pre_order=order, payment_intent_id=intent.id, transaction_type="refund"
    )
    ours = lines.aggregate(
        amount=Sum("amount"), share=Sum("platform_fee_amount"), card=Sum("processing_fee_amount")
    )
    cents = {name: Money.of(amount or 0).cents for name, amount in ours.items()}
    charge: Any = stripe_api.Charge.retrieve(
        intent.latest_charge.id, expand=["transfer", "application_fee"]
    )
    assert cents["amount"] == _refunded(intent) == Money.of(order.refunded_amount).cents
    assert cents["amount"] == charge.transfer.amount_reversed
    assert cents["share"] + cents["card"] == charge.application_fee.amount_refunded
    if order.payment_status == PaymentStatus.REFUNDED:
        assert cents["share"] == Money.of(order.revenue_share).cents
        assert cents["card"] == Money.of(order.processing_fee).cents


def _is_stray(intent: Any, ours: set[Entry]) -> bool:
    """Whether an intent was never the order's own and was refunded in full: it has no ledger
    entry."""
    nothing_left = intent.amount_received == _refunded(intent)
    return nothing_left and not any(entry[0] == intent.id for entry in ours)


def _assert_same_ledger(orders: list[PreOrder], theirs: dict[Any, list[Any]]) -> None:
    for order in orders:
        lines = PaymentHistory.objects.filter(pre_order=order).exclude(transaction_type="refund")
        rows = lines.values_list("payment_intent_id", "transaction_type", "amount")
        listed = [(intent, kind, Money.of(amount).cents) for intent, kind, amount in rows]
        ours = set(listed)
        assert len(listed) == len(ours), f"recorded twice: {sorted(listed)}"
        expected: set[Entry] = set()
        for intent in theirs[order.pk]:
            if not _is_stray(intent, ours):
                expected |= _their_entries(intent, Money.of(order.revenue_share))
                if intent.status == "succeeded":
                    _all_refunded(order, intent)
        assert ours == expected, f"{order}: {sorted(ours ^ expected)} is on one side only"
        _assert_same_transfers(order, theirs[order.pk])
        if order.payment_status == PaymentStatus.CAPTURED:
            total = Money.of(order.total_amount).cents
            assert (order.payment_intent_id, "capture", total) in ours


def _assert_same_transfers(order: PreOrder, intents: list[Any]) -> None:
    """Every payout in the ledger names Stripe's own transfer."""
    theirs = {
        intent.id: intent.latest_charge.transfer
        for intent in intents
        if intent.status == "succeeded"
    }
    recorded = PaymentHistory.objects.filter(pre_order=order, transaction_type="transfer")
    for intent_id, transfer_id in recorded.values_list("payment_intent_id", "transfer_id"):
        assert transfer_id == theirs[intent_id]


def _assert_totals(orders: list[PreOrder]) -> None:
    """The sums kept per month and per fee are those of the lines."""
    charged = [o for o in orders if o.payment_status in (PaymentStatus.CAPTURED, "refunded")]
    captured = [o for o in orders if o.payment_status == PaymentStatus.CAPTURED]
    fees = PlatformFee.objects.filter(pre_order__in=orders)
    assert fees.count() == len(charged)
    assert sum((f.platform_fee_amount for f in fees), Decimal(0)) == sum(
        (o.revenue_share for o in charged), Decimal(0)
    )
    months = MonthlyBillingCycle.objects.aggregate(
        revenue=Sum("total_revenue"), fees=Sum("platform_fees")
    )
    left = sum((o.total_amount - o.refunded_amount for o in captured), Decimal(0))
    assert (months["revenue"] or 0) == left
    refunds = PaymentHistory.objects.filter(pre_order__in=captured, transaction_type="refund")
    refunded_shares = refunds.aggregate(total=Sum("platform_fee_amount"))["total"] or 0
    shares = sum((o.revenue_share for o in captured), Decimal(0))
    assert (months["fees"] or 0) == shares - refunded_shares


def _assert_emails(orders: list[PreOrder], *, sent: bool) -> None:
    for order in orders:
        kinds = {EmailKind(row.kind) for row in Email.objects.filter(pre_order=order)}
        if order.payment_status == PaymentStatus.CAPTURED:
            assert order.status in FULFILLED
            assert order.serves_alternative == (order.offer.status == OfferStatus.FAILED)
        elif order.status not in FULFILLED:
            assert order.status == PreOrderStatus.CANCELLED
        if not order.customer_email:
            assert kinds == set()
            continue
        status = PaymentStatus(order.payment_status)
        allowed = LAST_WORDS.get(status, {EmailKind.CANCELLED})
        if released_first(order):  # its hold made room for another one, which never came
            allowed = allowed | {EmailKind.RELEASED}
        last = kinds & FINAL_EMAILS
        assert last <= allowed, f"{order}, {status}: {last}"
        if status in (PaymentStatus.CAPTURED, PaymentStatus.RELEASED):
            assert len(last) == 1, f"{order}, {status}: {last}"
        if status == PaymentStatus.CAPTURED:
            assert EmailKind.RECEIVED in kinds
        refund_emails = Email.objects.filter(pre_order=order, kind=EmailKind.REFUNDED)
        parts = PaymentHistory.objects.filter(pre_order=order, transaction_type="refund")
        emailed_amounts: list[Any] = list(refund_emails.values_list("amount", flat=True))
        assert sorted(emailed_amounts) == sorted(parts.values_list("amount", flat=True))
    if sent:
        # An email about a declined item waits a while, and is dropped once the item is fixed. One
        # about an early charge is dropped if its guest cancels before a worker sends it.
        waiting = Q(kind=EmailKind.DECLINED, sent_at=None)
        outdated = Q(kind=EmailKind.CHARGED_EARLY, dropped_at__isnull=False)
        emails = Email.objects.filter(~waiting, ~outdated, pre_order__in=orders)
        assert not emails.filter(sent_at=None)
        names = Counter(message.extra_headers["Message-ID"] for message in mail.outbox)
        assert all(times == 1 for times in names.values()), names
        sheets = Email.objects.filter(
            offer__in={order.offer_id for order in orders}, kind=EmailKind.KITCHEN_SHEET
        )
        assert not sheets.filter(sent_at=None)
        on_waitlist = Email.objects.filter(
            waitlist_entry__offer__in={order.offer_id for order in orders}
        )
        assert not on_waitlist.filter(sent_at=None)
        taken_along = [email for email in emails if _was_taken_along(email, names)]
        alone = emails.count() - len(taken_along)
        assert len(names) == alone + sheets.count() + on_waitlist.count()


def _was_taken_along(email: Email, names: Iterable[str]) -> bool:
    """Whether another email of the same cart, in one message, said it as well (decision 148)."""
    if email.kind != EmailKind.RECEIVED or any(str(email.pk) in name for name in names):
        return False
    same = Email.objects.filter(
        pre_order__cart=email.order.cart_id, kind=EmailKind.RECEIVED, sent_at=email.sent_at
    ).exclude(pk=email.pk)
    told = [each for each in same if any(str(each.pk) in name for name in names)]
    assert told, f"{email} was in no message"
    return True
