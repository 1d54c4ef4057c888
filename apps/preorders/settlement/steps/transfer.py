"""The restaurant's part of a disputed charge: taken back, and returned when the dispute is won."""

from datetime import datetime, timedelta

from django.db import transaction

from apps.billing import ledger
from apps.billing import stripe_gateway as gateway
from apps.billing.fees import Fees, refunded_fees
from apps.billing.gateway import Refused, Transfer, TransferReversal
from apps.billing.models import PaymentHistory
from apps.common.money import Money
from apps.preorders.core.locks import lock_order
from apps.preorders.core.pricing import price_of
from apps.preorders.models import Dispute, PaymentOperation, PreOrder
from apps.preorders.models.states import OperationKind, OperationStatus
from apps.preorders.settlement.operations import claimed_by, finish, key_of

# A refusal, such as for a closed account or an insufficient balance, is waited out for so long; the
# alarm about it stays open meanwhile.
PATIENCE = timedelta(days=30)
NOTHING_TO_REVERSE = "nothing to reverse"
WON_BEFORE = "won before the transfer was reversed"


def reverse_transfer(operation: PaymentOperation, now: datetime) -> None:
    """Reverse the transfer by the disputed amount, or by what is left of it after refunds."""
    dispute = _dispute_of(operation)
    hold = gateway.retrieve_intent(dispute.payment_intent_id)
    if not hold.transfer_id:
        finish(operation, OperationStatus.DONE, now, NOTHING_TO_REVERSE)
        return
    transfer = gateway.retrieve_transfer(hold.transfer_id)
    if not _is_reversed(transfer, dispute):
        if not dispute.withdrawn:
            finish(operation, OperationStatus.FAILED, now, WON_BEFORE)
            return
        amount = min(Money.of(operation.amount or 0), transfer.left)
        if not amount.cents:
            finish(operation, OperationStatus.DONE, now, NOTHING_TO_REVERSE)
            return
        try:
            gateway.reverse_transfer(
                transfer.transfer_id,
                amount=amount,
                with_fee=bool(hold.fee.cents),
                dispute_id=dispute.dispute_id,
                key=key_of(operation, "reverse"),
            )
        except Refused as error:
            _give_up_or_raise(operation, error, now)
            return
        transfer = gateway.retrieve_transfer(hold.transfer_id)
    _record_reversal(operation, dispute, transfer, now)


def _is_reversed(transfer: Transfer, dispute: Dispute) -> bool:
    return any(each.dispute_id == dispute.dispute_id for each in transfer.reversals)


def _record_reversal(
    operation: PaymentOperation, dispute: Dispute, transfer: Transfer, now: datetime
) -> None:
    position = [each.dispute_id for each in transfer.reversals].index(dispute.dispute_id)
    reversal, *earlier = transfer.reversals[position:]
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        ledger.record_transfer_reversal(
            _ref(order, dispute),
            reversal.amount,
            _fees_returned(order, transfer, reversal, earlier),
            reference=reversal.reversal_id,
            now=now,
        )
        claimed_by(operation).update(reference=reversal.reversal_id)
        finish(operation, OperationStatus.DONE, now, "")


def _fees_returned(
    order: PreOrder, transfer: Transfer, reversal: TransferReversal, earlier: list[TransferReversal]
) -> Fees:
    """The fees returned with this reversal; refunds before it returned their own."""
    fees = price_of(order).fees
    before = Money(sum(each.amount.cents for each in earlier))
    after = refunded_fees(fees, charged=transfer.amount, refunded=before + reversal.amount)
    return after - refunded_fees(fees, charged=transfer.amount, refunded=before)


def return_transfer(operation: PaymentOperation, now: datetime) -> None:
    """Transfer what the reversal took, less the fees it returned.

    While the reversal is still being carried out this waits for its outcome.
    """
    dispute = _dispute_of(operation)
    reversals = dispute.operations.filter(kind=OperationKind.REVERSE_TRANSFER)
    if reversals.filter(state=OperationStatus.PENDING).exists():
        return  # the lease ends, and the next worker looks again
    reversed_by = reversals.exclude(reference="").first()
    entry = _reversal_entry(dispute, reversed_by.reference) if reversed_by else None
    if entry is None:
        finish(operation, OperationStatus.DONE, now, "nothing to return")
        return
    fees = Fees(Money.of(entry.platform_fee_amount), Money.of(entry.processing_fee_amount))
    amount = Money.of(entry.amount) - fees.application_fee
    made = gateway.transfer_for_dispute(dispute.dispute_id)
    if made is None:
        hold = gateway.retrieve_intent(dispute.payment_intent_id)
        first = gateway.retrieve_transfer(hold.transfer_id)
        try:
            made = gateway.return_transfer(
                amount=amount,
                currency=first.currency,
                destination=first.destination,
                dispute_id=dispute.dispute_id,
                key=key_of(operation, "return"),
            )
        except Refused as error:
            _give_up_or_raise(operation, error, now)
            return
    with transaction.atomic():
        order = lock_order(operation.pre_order_id)
        ref = _ref(order, dispute)
        ledger.record_transfer_return(ref, made.amount, fees, reference=made.transfer_id, now=now)
        claimed_by(operation).update(reference=made.transfer_id)
        finish(operation, OperationStatus.DONE, now, "")


def _reversal_entry(dispute: Dispute, reference: str) -> PaymentHistory | None:
    return PaymentHistory.objects.filter(
        payment_intent_id=dispute.payment_intent_id,
        transaction_type=PaymentHistory.Type.TRANSFER_REVERSAL,
        reference=reference,
    ).first()


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


def _give_up_or_raise(operation: PaymentOperation, error: Refused, now: datetime) -> None:
    if now < operation.created_at + PATIENCE:
        raise error
    finish(operation, OperationStatus.FAILED, now, error.code)
