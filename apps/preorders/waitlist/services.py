"""What a diner does with a place in the line for a full offer: join, leave, order (decision 29)."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.errors import Conflict, FieldError, Invalid, NotFound
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.pickup_slots import choose_slot
from apps.offers.states import OfferStatus
from apps.preorders.checkout.services import (
    CHECKOUT_LIFE,
    GuestDetails,
    OrderRequest,
    agreed_alternative,
    check_open,
    check_price,
    open_checkout,
    reserve,
)
from apps.preorders.core.portions import recount, reserved_portions
from apps.preorders.core.pricing import price_order
from apps.preorders.core.waitlist import promote_waitlist, queue_waitlist_email
from apps.preorders.models import PreOrder, WaitlistEmail, WaitlistEntry
from apps.preorders.models.states import ON_WAITLIST, WaitlistStatus


@dataclass(frozen=True, slots=True)
class WaitlistOrder:
    """What an invited diner orders of the portions kept for them."""

    quantity: int
    customer: GuestDetails
    claimed_total: Decimal | None
    note: str = ""
    slot_id: int | None = None
    alternative_consent: bool = False


def join_waitlist(
    *, offer_id: UUID, customer: GuestDetails, portions: int, now: datetime
) -> WaitlistEntry:
    """Put the diner at the end of the line; a letter says so and holds the link to the place.

    Raises NotFound for an offer that is not this restaurant's, Conflict when it takes no orders, is
    not full, or this address is in line already (its link is in the letter: whoever types somebody
    else's address must not get theirs), Invalid for more portions than one order may have.
    """
    email = customer.email.lower()
    with transaction.atomic():
        offer = _locked(offer_id)
        check_open(offer, now)
        _check_worth_waiting(offer, portions)
        if WaitlistEntry.objects.filter(
            offer=offer, email=email, state__in=sorted(ON_WAITLIST)
        ).exists():
            message = _("This address is on the list already. Its place is in the letter we sent.")
            raise Conflict(message, fields=[FieldError("customerEmail", message)])
        place = WaitlistEntry.objects.create(
            restaurant_id=offer.restaurant_id,
            offer=offer,
            name=customer.name,
            email=email,
            phone=customer.phone,
            portions=portions,
            joined_at=now,
        )
        queue_waitlist_email(place, WaitlistEmail.Kind.JOINED, now=now)
    return place


def leave_waitlist(*, place_id: UUID, now: datetime) -> WaitlistEntry:
    """Give the place up; portions kept for it go to the next in line at once. Leaving twice, or a
    line that has ended, changes nothing. Raises WaitlistEntry.DoesNotExist."""
    with transaction.atomic():
        place = _locked_place(place_id)
        if place.state in ON_WAITLIST:
            place.state = WaitlistStatus.LEFT
            place.save(update_fields=["state"])
            recount(place.offer)
    return place


def order_from_waitlist(*, place_id: UUID, wanted: WaitlistOrder, now: datetime) -> PreOrder:
    """Order what is kept for this diner, all of it or less; the order's `checkout_url` leads to
    where a card is given. Pressed twice it is one order.

    Raises Conflict when nothing is kept any more or the offer takes no orders, Invalid for what the
    diner can mend, Unavailable when the processor does not answer: the portions stay kept then.
    """
    with transaction.atomic():
        place = _locked_place(place_id)
        offer = place.offer
        check_open(offer, now)
        order = _begun_before(place)
        if order is None:
            order = _reserve_of(place, wanted, now)
            place.state, place.pre_order = WaitlistStatus.TAKEN, order
            place.save(update_fields=["state", "pre_order"])
            recount(offer)
    if not order.checkout_url:
        open_checkout(order, now)
    return order


def promote_waitlists(*, now: datetime) -> None:
    """What the sweep does: end what has lapsed, and serve lines whose offer has changed meanwhile,
    such as by a higher maximum or by being deleted."""
    lines = WaitlistEntry.objects.filter(state__in=sorted(ON_WAITLIST)).order_by()
    for offer_id in list(lines.values_list("offer_id", flat=True).distinct()):
        with transaction.atomic():
            offer = lock_offer(offer_id)
            if offer.status == OfferStatus.ACTIVE and offer.max_preorders is not None:
                recount(offer)
            else:
                promote_waitlist(offer, taken=offer.reserved_portions)


def _locked(offer_id: UUID) -> SpecialOffer:
    try:
        return lock_offer(offer_id)
    except SpecialOffer.DoesNotExist:
        message = _("We could not find this offer. Check the link and try again.")
        raise NotFound(message) from None


def _locked_place(place_id: UUID) -> WaitlistEntry:
    """The place with its offer, both locked in that order."""
    offer = lock_offer(WaitlistEntry.objects.only("offer_id").get(pk=place_id).offer_id)
    place = WaitlistEntry.objects.select_for_update(of=("self",)).get(pk=place_id)
    place.offer = offer
    return place


def _check_worth_waiting(offer: SpecialOffer, portions: int) -> None:
    """Nobody waits for what can be had now, nor for what one order cannot have."""
    if portions > offer.max_per_order:
        message = ngettext(
            "One order can have up to %(most)d portion.",
            "One order can have up to %(most)d portions.",
            offer.max_per_order,
        ) % {"most": offer.max_per_order}
        raise Invalid.because([FieldError("quantity", message)])
    if offer.max_preorders is None or offer.max_preorders - reserved_portions(offer) >= portions:
        message = _("There are enough portions left. Order now, you need not wait.")
        raise Conflict(message, fields=[FieldError("quantity", message)])


def _begun_before(place: WaitlistEntry) -> PreOrder | None:
    if place.state != WaitlistStatus.TAKEN or place.pre_order_id is None:
        return None
    begun = PreOrder.objects.in_checkout().filter(pk=place.pre_order_id).first()
    if begun:
        begun.offer = place.offer
    return begun


def _reserve_of(place: WaitlistEntry, wanted: WaitlistOrder, now: datetime) -> PreOrder:
    offer = place.offer
    if (
        place.state != WaitlistStatus.INVITED
        or place.reserved_until is None
        or place.reserved_until <= now
    ):
        raise Conflict(_("No portions are kept for you any more. Your card was not touched."))
    if wanted.quantity > place.portions:
        message = ngettext(
            "%(kept)d portion is kept for you. Order that one.",
            "%(kept)d portions are kept for you. Order that many or fewer.",
            place.portions,
        ) % {"kept": place.portions}
        raise Invalid.because([FieldError("quantity", message)])
    price = price_order(offer, wanted.quantity)
    if wanted.claimed_total is not None:
        check_price(price, wanted.claimed_total, currency=offer.restaurant.currency)
    choose_slot(offer, wanted.slot_id, portions=wanted.quantity)
    agreed = agreed_alternative(offer) if wanted.alternative_consent else None
    what = OrderRequest(wanted.quantity, wanted.customer, wanted.note, agreed, wanted.slot_id)
    return reserve(offer, what, price, expires_at=now + CHECKOUT_LIFE, now=now)
