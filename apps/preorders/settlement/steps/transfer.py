"""The restaurant's part of a disputed charge: taken back, and returned when the dispute is won.

It can be in several transfers: the charge's own, which includes our fee, and one for each dispute
that was won before, which doesn't. Another dispute takes the first of them first.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.fees import Fees, refunded_fees, split_fees
from apps.billing.gateway import Refused, Transfer
from apps.billing.models import Discrepancy, PaymentHistory
from apps.common import formats
from apps.common.money import Money
from apps.preorders.core import jobs
from apps.preorders.core.locks import lock_order
from apps.preorders.core.pricing import price_of
from apps.preorders.models import Dispute, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus
from apps.preorders.settlement.alarms import raise_alarm
from apps.preorders.settlement.operations import claimed_by, finish, key_of
from apps.restaurants.regions import transfers_reach

# A refusal, such as for a closed account or an insufficient balance, is waited out for this long;
# the alarm about it stays open meanwhile.
PATIENCE = timedelta(days=30)
NOTHING_TO_REVERSE = "nothing to reverse"
WON_BEFORE = "won before the transfer was reversed"


@dataclass(frozen=True, slots=True)
class _Reversal:
    """One reversal in the restaurant's terms: `amount` was taken, and `fees` of it returned."""

    reversal_id: str
    amount: Money
    fees: Fees


@dataclass(frozen=True, slots=True)
class _Source:
    """A transfer to the restaurant: `charged` is the guests' money it stands for, before `fees`.

    A reversal of the charge's own transfer takes `charged` and returns `fees` beside it; one of a
    transfer that was made without the fees takes what is left after them. Both are in the charge's
    currency; the transfer and its reversals are in the one that the restaurant's account settles
    in: https://docs.stripe.com/connect/destination-charges#settlement-merchant
    """

    transfer: Transfer
    charged: Money
    fees: Fees
    has_fee: bool

    def reversals_for(self, dispute: Dispute) -> list[_Reversal]:
        """What was already taken because of this dispute."""
        found = []
        before = Money(0)
        for each in reversed(self.transfer.reversals):
            after = before + each.amount
            if each.dispute_id == dispute.dispute_id:
                amount = self.charged_of(after) - self.charged_of(before)
                fees = self._fees_of(after) - self._fees_of(before)
                found.append(_Reversal(each.reversal_id, amount, fees))
            before = after
        return found

    def to_reverse(self, wanted: Money) -> Money:
        """What to reverse at Stripe so that `wanted` of the guests' money is taken, at most all."""
        reversed_before = self.transfer.amount - self.transfer.left
        target = min(self.charged_of(reversed_before) + wanted, self.charged)
        amount = self.transfer.amount.share(of=target, in_all=self.charged)
        return min(amount - reversed_before, self.transfer.left)

    def charged_of(self, reversed_in_all: Money) -> Money:
        """The guests' money that so much of the transfer stands for."""
        return self.charged.share(of=reversed_in_all, in_all=self.transfer.amount)

    def _fees_of(self, reversed_in_all: Money) -> Fees:
        """The fees returned in total; refunds before a reversal returned their own."""
        if self.has_fee:
            refunded = self.charged_of(reversed_in_all)
            return refunded_fees(self.fees, charged=self.charged, refunded=refunded)
        received = self.charged - self.fees.application_fee
        net = received.share(of=reversed_in_all, in_all=self.transfer.amount)
        return split_fees(self.fees, self.charged_of(reversed_in_all) - net)


def reverse_transfer(operation: PaymentOperation, now: datetime) -> None:
    """Reverse transfers by the disputed amount, or by what is left of them after refunds.

    While the money of an earlier dispute is being returned this waits for it.
    """
    dispute = _dispute_of(operation)
    returns = _of_same_charge(dispute, OperationKind.RETURN_TRANSFER)
    if returns.filter(state=OperationStatus.PENDING).exists():
        return  # the lease ends, and the next worker looks again
    missing = Money.of(operation.amount or 0)
    first = ""
    for source in _sources(operation.pre_order, dispute):
        try:
            done = _reversals(operation, dispute, source, missing)
        except Refused as error:
            if now < operation.created_at + PATIENCE:
                raise
            finish(operation, OperationStatus.FAILED, now, error.code)
            return
        _record_reversals(operation, dispute, source, done, now)
        first = first or (done[0].reversal_id if done else "")
        missing = missing - Money(sum(each.amount.cents for each in done))
    if first:
        claimed_by(operation).update(reference=first)
        finish(operation, OperationStatus.DONE, now, "")
    elif dispute.withdrawn:
        finish(operation, OperationStatus.DONE, now, NOTHING_TO_REVERSE)
    else:
        finish(operation, OperationStatus.FAILED, now, WON_BEFORE)


def _reversals(
    operation: PaymentOperation, dispute: Dispute, source: _Source, missing: Money
) -> list[_Reversal]:
    """Take what is missing from this transfer, once, while the bank has the money.

    Raises Refused: a transfer without a charge is only reversed if the restaurant's balance covers
    it: https://docs.stripe.com/api/transfer_reversals
    """
    done = source.reversals_for(dispute)
    amount = source.to_reverse(missing)
    if done or not dispute.withdrawn or amount.cents <= 0:
        return done
    transfer_id = source.transfer.transfer_id
    gateway.reverse_transfer(
        transfer_id,
        amount=amount,
        with_fee=source.has_fee and bool(source.fees.application_fee.cents),
        dispute_id=dispute.dispute_id,
        key=key_of(operation, f"reverse-{transfer_id}"),
    )
    transfer = gateway.retrieve_transfer(transfer_id)
    return replace(source, transfer=transfer).reversals_for(dispute)


def _record_reversals(
    operation: PaymentOperation,
    dispute: Dispute,
    source: _Source,
    reversals: list[_Reversal],
    now: datetime,
) -> None:
    if not reversals:
        return
    with transaction.atomic():
        ref = _ref(lock_order(operation.pre_order_id), dispute)
        for each in reversals:
            ledger.record_transfer_reversal(
                ref,
                each.amount,
                each.fees,
                reference=each.reversal_id,
                transfer_id=source.transfer.transfer_id,
                now=now,
            )


def return_transfer(operation: PaymentOperation, now: datetime) -> None:
    """Transfer what the reversals took, less the fees they returned.

    While a reversal is still being carried out this waits for its outcome. Waiting doesn't help for
    an account that Stripe makes no transfers to, so staff hear of a refusal at once.
    """
    dispute = _dispute_of(operation)
    reversals = dispute.operations.filter(kind=OperationKind.REVERSE_TRANSFER)
    if reversals.filter(state=OperationStatus.PENDING).exists():
        return  # the lease ends, and the next worker looks again
    sources = _sources(operation.pre_order, dispute)
    taken = [each for source in sources for each in source.reversals_for(dispute)]
    if not taken:
        finish(operation, OperationStatus.DONE, now, "nothing to return")
        return
    fees = Fees(
        Money(sum(each.fees.revenue_share.cents for each in taken)),
        Money(sum(each.fees.processing.cents for each in taken)),
    )
    made = gateway.transfer_for_dispute(dispute.dispute_id)
    first = sources[0].transfer
    returned = Money(sum(each.amount.cents for each in taken)) - fees.application_fee
    amount = first.amount.share(of=returned, in_all=sources[0].charged)
    if made is None:
        try:
            made = gateway.return_transfer(
                amount=amount,
                currency=first.currency,
                destination=first.destination,
                dispute_id=dispute.dispute_id,
                key=key_of(operation, "return"),
            )
        except Refused as error:
            account = operation.pre_order.offer.restaurant.connect_account
            if transfers_reach(account.country) and now < operation.created_at + PATIENCE:
                raise
            shown = formats.money(amount, first.currency)
            _pay_another_way(operation, f"{shown} for a won dispute ({error.code})", now)
            finish(operation, OperationStatus.FAILED, now, error.code)
            return
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        ref = _ref(order, dispute)
        if made.amount != amount:
            returned = sources[0].charged_of(made.amount)
        ledger.record_transfer_return(ref, returned, fees, reference=made.transfer_id, now=now)
        claimed_by(operation).update(reference=made.transfer_id)
        finish(operation, OperationStatus.DONE, now, "")
        _look_again(dispute, now)


def _pay_another_way(operation: PaymentOperation, what: str, now: datetime) -> None:
    """Tell staff, until one of them closes the issue, that no transfer reaches the restaurant."""
    description = f"No transfer reaches the restaurant's account. Pay it another way: {what}"
    raise_alarm(operation.pre_order, Discrepancy.Kind.TRANSFER_FAILED, description, now=now)


def _look_again(dispute: Dispute, now: datetime) -> None:
    """Another dispute that is open at the same time may have found nothing left to reverse."""
    short = _of_same_charge(dispute, OperationKind.REVERSE_TRANSFER).filter(
        state=OperationStatus.DONE, dispute__withdrawn__gt=0
    )
    ids = list(short.values_list("pk", flat=True))
    PaymentOperation.objects.filter(pk__in=ids).update(
        state=OperationStatus.PENDING, due_at=now, finished_at=None, error="", epoch=F("epoch") + 1
    )
    jobs.enqueue_operations(ids)


def _sources(order: PreOrder, dispute: Dispute) -> list[_Source]:
    """The transfers that the disputed charge's money went to, the charge's own first."""
    hold = gateway.retrieve_intent(dispute.payment_intent_id)
    if not hold.transfer_id:
        return []
    own = gateway.retrieve_transfer(hold.transfer_id)
    sources = [_Source(own, hold.captured, price_of(order).fees, has_fee=True)]
    returned = PaymentHistory.objects.filter(
        payment_intent_id=dispute.payment_intent_id,
        transaction_type=PaymentHistory.Type.TRANSFER_RETURN,
    )
    for entry in returned.exclude(reference="").order_by("pk"):
        fees = Fees(Money.of(entry.platform_fee_amount), Money.of(entry.processing_fee_amount))
        transfer = gateway.retrieve_transfer(entry.reference)
        charged = Money.of(entry.amount) + fees.application_fee
        sources.append(_Source(transfer, charged, fees, has_fee=False))
    return sources


def _of_same_charge(dispute: Dispute, kind: OperationKind) -> QuerySet[PaymentOperation]:
    """The operations of this kind of the charge's other disputes."""
    return PaymentOperation.objects.filter(
        kind=kind,
        pre_order_id=dispute.pre_order_id,
        dispute__payment_intent_id=dispute.payment_intent_id,
    ).exclude(dispute=dispute)


def _dispute_of(operation: PaymentOperation) -> Dispute:
    assert operation.dispute_id is not None
    return Dispute.objects.get(pk=operation.dispute_id)


def _ref(order: PreOrder, dispute: Dispute) -> ledger.OrderRef:
    return ledger.OrderRef(
        restaurant=order.offer.restaurant,
        pre_order_id=order.pk,
        offer_id=order.offer_id,
        payment_intent_id=dispute.payment_intent_id,
    )
