"""Closes offers at their deadline: waits for open checkouts, then decides once (design §3).

`close_offer` can be called at any time, also concurrently. It decides in one transaction under the
offer's lock and creates the payment operations there; workers execute them.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.common.money import Money
from apps.common.transitions import Cause, transition
from apps.integrations.event_types import EventType
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.states import ALLOWED, OfferStatus
from apps.offers.webhook_events import publish_special_event
from apps.preorders.core import jobs
from apps.preorders.core.decision import ChargeOutcome, Decision, DecisionBasis, decide
from apps.preorders.core.email_queue import queue_offer_email
from apps.preorders.core.notices import notify_owners
from apps.preorders.core.portions import recount
from apps.preorders.core.transitions import drop_renewals, request_refund
from apps.preorders.models import SETTLEMENT_KINDS, PaymentOperation, PreOrder
from apps.preorders.models.querysets import CHECKOUT_OPEN_Q
from apps.preorders.models.states import (
    EmailKind,
    NoticeKind,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    ReasonCode,
)
from apps.preorders.settlement import pauses
from apps.preorders.settlement.capture import settle_charged
from apps.preorders.settlement.open_checkouts import finish_open_checkouts


def due_offers(*, now: datetime, limit: int = 200, automatic: bool = True) -> list[SpecialOffer]:
    """Undecided offers past their deadline, oldest deadline first.

    Without those for which a pause leaves nothing to do: they would take the others' places.
    `automatic`: whether the stopped scheduler counts as one.
    """
    due = SpecialOffer.objects.due(now)
    paused = pauses.paused_offers(pauses.settlement_pauses(now=now), automatic=automatic)
    if paused is not None:
        in_checkout = PreOrder.objects.filter(CHECKOUT_OPEN_Q, offer=OuterRef("pk"))
        due = due.exclude(paused, ~Exists(in_checkout), status=OfferStatus.CLOSING)
    return list(due.order_by("deadline")[:limit])


def close_offer(offer_id: UUID, *, now: datetime, automatic: bool = False) -> OfferStatus:
    """Advance an offer past its deadline as far as possible; returns its status. See
    `settle_offer`."""
    return settle_offer(offer_id, now=now, automatic=automatic)[0]


def settle_offer(
    offer_id: UUID, *, now: datetime, automatic: bool = False, given_up: Cause | None = None
) -> tuple[OfferStatus, Decision | None]:
    """Advance an offer past its deadline as far as possible; returns its status, and the decision
    if this call made it.

    `closing` means that checkouts begun before the deadline are still open, or that a pause holds
    the decision back: call it again. After the grace period (DECISIONS X22) open checkouts are
    closed at Stripe, also during a pause. While Stripe can't tell the result of a checkout, nothing
    is decided for up to two hours (decision 45). `automatic`: the scheduler asks, which staff can
    stop. `given_up`: a person ends it, so it doesn't go ahead whatever was ordered, also during a
    pause.
    """
    status = _begin_closing(offer_id, now)
    if status == OfferStatus.CLOSING and finish_open_checkouts(offer_id, now=now):
        return _decide(offer_id, now, automatic=automatic, given_up=given_up)
    return status, None


def _begin_closing(offer_id: UUID, now: datetime) -> OfferStatus:
    with transaction.atomic():
        offer = lock_offer(offer_id)
        if offer.status == OfferStatus.ACTIVE and now >= offer.deadline:
            transition(offer, "status", OfferStatus.CLOSING, allowed=ALLOWED, now=now)
        return OfferStatus(offer.status)


def decision_now(offer: SpecialOffer, *, too_late: bool = False) -> Decision:
    """The decision about the offer with its current orders; nothing is written.

    The deadline itself holds the offer's lock: nobody changes what is read here without it
    (`core.locks`).
    """
    counted = offer.pre_orders.counted().order_by("pk")  # order.offer is already set
    # Early captures (DECISIONS X12) that aren't finished.
    being_charged = PaymentOperation.objects.filter(
        pre_order__offer=offer, kind=OperationKind.CAPTURE, state=OperationStatus.PENDING
    ).values_list("pre_order_id", flat=True)
    return decide(offer, list(counted), being_charged=set(being_charged), too_late=too_late)


_EVENTS = {
    OfferStatus.SUCCEEDED: EventType.SPECIAL_SUCCEEDED,
    OfferStatus.FAILED: EventType.SPECIAL_FAILED,
}


def _decide(
    offer_id: UUID, now: datetime, *, automatic: bool, given_up: Cause | None
) -> tuple[OfferStatus, Decision | None]:
    """Decide the offer and record the outcome of each order."""
    with transaction.atomic():
        offer = lock_offer(offer_id)
        if offer.status != OfferStatus.CLOSING:
            return OfferStatus(offer.status), None
        if not given_up and pauses.decision_pause(offer, now=now, automatic=automatic):
            return OfferStatus.CLOSING, None
        orders = PreOrder.objects.filter(offer=offer)
        if orders.in_checkout().exists():
            return OfferStatus.CLOSING, None
        # After an outage or a pause: nobody could tell the kitchen to cook.
        too_late = now >= offer.serving_ends
        decision = decision_now(offer, too_late=too_late or given_up is not None)
        transition(
            offer,
            "status",
            decision.outcome,
            allowed=ALLOWED,
            now=now,
            cause=given_up or _decision_cause(offer, decision, too_late=too_late),
            decided_at=now,
            ordered_portions=decision.portions,
        )
        publish_special_event(offer, _EVENTS[decision.outcome], now=now)
        drop_renewals(orders, now=now, why="the offer was decided")
        _serve_alternative(decision.serves_alternative)
        _write_operations(offer, decision, now=now)
        _settle_early_charges(offer, decision, now=now)
        recount(offer, now=now)
        if decision.charged or decision.serves_alternative:
            queue_offer_email(offer, EmailKind.KITCHEN_SHEET, now=now)
        notify_owners(NoticeKind.OFFER_RESULT, offer, now=now)
        return decision.outcome, decision


def _decision_cause(offer: SpecialOffer, decision: Decision, *, too_late: bool) -> Cause:
    if too_late:
        code = ReasonCode.SERVE_DATE_OVER
    elif decision.met_by is None:
        code = ReasonCode.MINIMUM_MISSED
    elif decision.met_by is DecisionBasis.WORD:
        code = ReasonCode.GUARANTEED
    else:
        code = ReasonCode.MINIMUM_MET
    return Cause(code, f"{decision.portions} of {offer.min_preorders} portions")


def _serve_alternative(agreed: Sequence[ChargeOutcome]) -> None:
    """Switch these orders to the alternative, at its price (DECISIONS X18).

    Orders that were charged before the decision keep their amounts; the difference is refunded.
    """
    for charged in agreed:
        order, price = charged.order, charged.price
        order.serves_alternative = True
        if order.payment_status == PaymentStatus.AUTHORIZED:
            order.unit_price, order.subtotal = price.unit.amount, price.subtotal.amount
            order.tax, order.total_amount = price.tax.amount, price.total.amount
            order.revenue_share = price.fees.revenue_share.amount
            order.processing_fee = price.fees.processing.amount
    columns = ["serves_alternative", "unit_price", "subtotal", "tax", "total_amount"]
    columns += ["revenue_share", "processing_fee"]
    PreOrder.objects.bulk_update([charged.order for charged in agreed], columns, batch_size=500)


def _write_operations(offer: SpecialOffer, decision: Decision, *, now: datetime) -> None:
    charged = [each.order for each in (*decision.charged, *decision.serves_alternative)]
    outcomes = [(order, OperationKind.CAPTURE) for order in charged]
    outcomes += [(order, OperationKind.RELEASE) for order in decision.released]
    PaymentOperation.objects.bulk_create(
        [
            PaymentOperation(
                restaurant_id=offer.restaurant_id,
                pre_order=order,
                kind=kind,
                due_at=now,
                created_at=now,
            )
            for order, kind in outcomes
            if order.payment_status == PaymentStatus.AUTHORIZED
        ],
        # Holds close to expiry can already have a capture (settlement.expiry).
        ignore_conflicts=True,
    )
    written = PaymentOperation.objects.filter(
        pre_order__offer=offer, kind__in=SETTLEMENT_KINDS, state=OperationStatus.PENDING
    )
    if decision.met_by is None:
        # Unfinished early captures, even those waiting for a payment link, stop right away.
        written.update(due_at=now)
    jobs.enqueue_operations(
        list(written.order_by("pk").values_list("pk", flat=True)),
        restaurant_id=offer.restaurant_id,
    )


def _settle_early_charges(offer: SpecialOffer, decision: Decision, *, now: datetime) -> None:
    """Give orders that were charged before the decision (DECISIONS X12) their outcome."""
    going_ahead = [each.order for each in (*decision.charged, *decision.serves_alternative)]
    for order in (*going_ahead, *decision.refunded):
        if order.payment_status == PaymentStatus.CAPTURED:
            order.offer = offer
            settle_charged([order], now=now)
    for charged in decision.serves_alternative:
        if charged.order.payment_status == PaymentStatus.CAPTURED:
            too_much = Money.of(charged.order.total_amount) - charged.amount
            cheaper = Cause(ReasonCode.ALTERNATIVE_CHEAPER)
            request_refund(charged.order, up_to=too_much, cause=cheaper, now=now)
