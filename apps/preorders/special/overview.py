"""The owner's page of one offer: everything it shows before, during and after the deadline."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, Sum

from apps.billing.models import PaymentHistory
from apps.common import formats
from apps.common.money import Money
from apps.offers.models import OfferChange, SpecialOffer
from apps.offers.presentation import Special
from apps.offers.selectors import ReliabilityRecord, offer_for_display, record_of
from apps.offers.states import DECIDED, UNDECIDED, OfferStatus
from apps.preorders.core.portions import reserved_portions
from apps.preorders.core.referrals import ReferralTotals, referral_totals
from apps.preorders.models import Email, PreOrder, WaitlistEntry
from apps.preorders.models.states import ON_WAITLIST, EmailKind, PaymentStatus, PreOrderStatus
from apps.preorders.settlement.deadline import decision_now
from apps.preorders.special.rehearsal import Rehearsal, rehearse
from apps.preorders.special.rescue import latest_deadline, portions_to_keep
from apps.preorders.special.timeline import Timeline, timeline_of
from apps.restaurants.models import Restaurant


@dataclass(frozen=True, slots=True)
class RescueOptions:
    """What the owner can change now.

    `restaurant_portions_left` is the most portions the restaurant can reserve for itself, None
    without a maximum; `restaurant_portions_to_keep` is how many it can't take back.
    `latest_deadline` is None if the deadline can't move; `latest_reason` says why.
    """

    at_risk: bool
    goes_ahead: bool
    minimum: int
    suggested_minimum: int | None
    restaurant_portions: int
    restaurant_portions_left: int | None
    restaurant_portions_to_keep: int
    latest_deadline: datetime | None
    latest_reason: str


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
    record: ReliabilityRecord


@dataclass(frozen=True, slots=True)
class Overview:
    """The page's data: `rehearsal` until the decision, then `outcome`; neither if deleted."""

    special: Special
    rehearsal: Rehearsal | None
    outcome: OfferOutcome | None
    timeline: Timeline
    changes: list[OfferChange]
    rescue: RescueOptions | None
    shared: ReferralTotals
    waitlist: list[WaitlistEntry]  # the waitlist, in order


def offer_overview(*, restaurant: Restaurant, offer_id: UUID, now: datetime) -> Overview | None:
    """The data of an offer's page; None if the offer doesn't belong to the restaurant."""
    offer = offer_for_display(restaurant=restaurant, offer_id=offer_id)
    if offer is None:
        return None
    special = Special(offer, now)
    changes = list(OfferChange.objects.filter(offer=offer).order_by("at", "pk"))
    rehearsal = None
    if offer.status in UNDECIDED:
        rehearsal = rehearse(offer, decision_now(offer))
    return Overview(
        special=special,
        rehearsal=rehearsal,
        outcome=_outcome(offer) if offer.status in DECIDED else None,
        timeline=timeline_of(offer, changes, now=now),
        changes=changes[::-1],
        rescue=_rescue_options(special, rehearsal) if rehearsal and special.is_open else None,
        shared=referral_totals(offer),
        waitlist=_waitlist(offer),
    )


def _waitlist(offer: SpecialOffer) -> list[WaitlistEntry]:
    if offer.max_preorders is None or offer.status in DECIDED:
        return []
    entries = WaitlistEntry.objects.filter(offer=offer, state__in=sorted(ON_WAITLIST))
    return list(entries.order_by("joined_at", "pk")[:500])


def _rescue_options(special: Special, rehearsal: Rehearsal) -> RescueOptions:
    offer = special.offer
    capacity = None
    if offer.max_preorders is not None:
        guests = reserved_portions(offer) - offer.restaurant_portions
        capacity = max(0, offer.max_preorders - guests)
    latest = latest_deadline(offer, special.now)
    can_lower = 0 < rehearsal.portions < offer.min_preorders
    return RescueOptions(
        at_risk=special.is_near and not rehearsal.goes_ahead,
        goes_ahead=offer.goes_ahead,
        minimum=offer.min_preorders,
        suggested_minimum=rehearsal.portions if can_lower else None,
        restaurant_portions=offer.restaurant_portions,
        restaurant_portions_left=capacity,
        restaurant_portions_to_keep=portions_to_keep(offer, special.now),
        latest_deadline=latest.moment if latest.moment > offer.deadline else None,
        latest_reason=latest.reason,
    )


# --- afterwards -----------------------------------------------------------------------------------
def _outcome(offer: SpecialOffer) -> OfferOutcome:
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
