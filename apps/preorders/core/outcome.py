"""How a decided offer ended, in portions, cards, and money."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, Sum

from apps.billing.models import PaymentHistory
from apps.billing.payouts import payout_day
from apps.common import formats
from apps.common.money import Money
from apps.offers.models import SpecialOffer
from apps.offers.selectors import ReliabilityRecord, record_of
from apps.offers.states import OfferStatus
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus


@dataclass(frozen=True, slots=True)
class OfferOutcome:
    """The result of a decided offer, from its orders and the ledger as they are now.

    `unsettled` orders are still being charged or released.
    """

    sentence: str
    charged_orders: int
    charged_portions: int
    unsettled: int
    lapsed: int
    picked_up: int
    no_shows: int
    gross: Money
    refunded: Money
    revenue_share: Money
    processing_fee: Money
    payout: Money
    payout_day: date
    record: ReliabilityRecord


def outcome_of(offer: SpecialOffer) -> OfferOutcome:
    """The result of a decided offer."""
    paid = Q(payment_status__in=[PaymentStatus.CAPTURED, PaymentStatus.REFUNDED])
    orders = PreOrder.objects.filter(offer=offer).aggregate(
        charged=Count("pk", filter=paid),
        portions=Sum("quantity", filter=paid),
        unsettled=Count(
            "pk",
            filter=Q(payment_status__in=[PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURE_FAILED]),
        ),
        picked_up=Count("pk", filter=Q(status=PreOrderStatus.FULFILLED)),
        no_shows=Count("pk", filter=Q(status=PreOrderStatus.NO_SHOW)),
    )
    lapsed = Email.objects.filter(pre_order__offer=offer, kind=EmailKind.PAYMENT_LAPSED)
    return OfferOutcome(
        sentence=_sentence(offer, orders["charged"], orders["unsettled"]),
        charged_orders=orders["charged"],
        charged_portions=orders["portions"] or 0,
        unsettled=orders["unsettled"],
        lapsed=lapsed.count(),
        picked_up=orders["picked_up"],
        no_shows=orders["no_shows"],
        payout_day=payout_day(offer.serve_date),
        record=record_of(offer.restaurant),
        **_ledger_sums(offer),
    )


def _ledger_sums(offer: SpecialOffer) -> dict[str, Money]:
    kind = PaymentHistory.Type
    captured, refund = Q(transaction_type=kind.CAPTURE), Q(transaction_type=kind.REFUND)
    entries = PaymentHistory.objects.filter(restaurant_id=offer.restaurant_id, offer=offer)
    sums = entries.aggregate(
        gross=Sum("amount", filter=captured),
        refunded=Sum("amount", filter=refund),
        share=Sum("platform_fee_amount", filter=captured),
        share_back=Sum("platform_fee_amount", filter=refund),
        processing=Sum("amount", filter=Q(transaction_type=kind.FEE)),
        processing_back=Sum("processing_fee_amount", filter=refund),
    )
    value = {name: Money.of(amount or 0) for name, amount in sums.items()}
    share = value["share"] - value["share_back"]
    processing = value["processing"] - value["processing_back"]
    return {
        "gross": value["gross"],
        "refunded": value["refunded"],
        "revenue_share": share,
        "processing_fee": processing,
        "payout": value["gross"] - value["refunded"] - share - processing,
    }


def _sentence(offer: SpecialOffer, charged: int, unsettled: int) -> str:
    cards = f"{formats.count(charged, 'card')} {'was' if charged == 1 else 'were'} charged"
    if offer.status == OfferStatus.SUCCEEDED:
        result = f"It went ahead with {formats.count(offer.ordered_portions, 'portion')}: {cards}."
    else:
        ending = f"{cards} for the alternative." if charged else "No one was charged."
        needed = formats.count(offer.min_preorders, "portion")
        reached = f"{offer.ordered_portions:,} of {needed} ordered"
        result = f"It didn't reach its minimum, with {reached}. {ending[:1].upper()}{ending[1:]}"
    if unsettled:
        verb = "is" if unsettled == 1 else "are"
        result += f" {formats.count(unsettled, 'order')} {verb} still being processed."
    return result
