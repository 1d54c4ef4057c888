"""A guest's actions on the waitlist of a sold-out offer: join, change the portions or the address,
leave, order (decision 29)."""

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
from apps.offers.serving import check_service_mode
from apps.offers.states import OfferStatus
from apps.preorders.checkout.acceptance import (
    agreed_alternative,
    check_open,
    check_price,
    too_many_portions,
)
from apps.preorders.checkout.limits import Origin
from apps.preorders.checkout.payment_page import CHECKOUT_LIFE, open_checkout
from apps.preorders.checkout.services import GuestDetails, OrderRequest, cart_of_one, reserve
from apps.preorders.core.email_queue import queue_waitlist_email
from apps.preorders.core.portions import recount, reserved_portions
from apps.preorders.core.pricing import price_order
from apps.preorders.core.reservations import RESERVATION_TIME
from apps.preorders.core.waitlist import most_to_wait_for, promote_waitlist
from apps.preorders.models import PreOrder, WaitlistEntry
from apps.preorders.models.states import ON_WAITLIST, EmailKind, WaitlistStatus


@dataclass(frozen=True, slots=True)
class WaitlistOrder:
    """An invited guest's order of the portions reserved for them."""

    quantity: int
    guest: GuestDetails
    claimed_total: Decimal | None
    note: str = ""
    slot_id: int | None = None
    alternative_consent: bool = False
    service_mode: str = ""
    pays_here: bool = False


def join_waitlist(
    *, offer_id: UUID, guest: GuestDetails, portions: int, now: datetime
) -> WaitlistEntry:
    """Add the guest to the end of the waitlist; an email confirms it with the link to the entry.

    Raises NotFound for an offer that is not this restaurant's, Conflict when it takes no orders, is
    not sold out, or this address is already on the list (its link is only in the email, because
    anyone can type someone else's address), Invalid for more portions than can ever come free.
    """
    email = guest.email.lower()
    with transaction.atomic():
        offer = _locked(offer_id)
        check_open(offer, now)
        _check_worth_waiting(offer, portions)
        _check_not_waiting(offer, email)
        entry = WaitlistEntry.objects.create(
            restaurant_id=offer.restaurant_id,
            offer=offer,
            name=guest.name,
            email=email,
            phone=guest.phone,
            portions=portions,
            joined_at=now,
        )
        queue_waitlist_email(entry, EmailKind.WAITLIST_JOINED, now=now)
    return entry


def change_waitlist_portions(*, entry_id: UUID, portions: int, now: datetime) -> WaitlistEntry:
    """Wait for more or fewer portions, in the same place; fewer that fit now are reserved at once.
    An email says the new number. The same number again, or one that comes after the guest's turn or
    the end of the list, changes nothing. Raises Invalid for more portions than can ever be free,
    WaitlistEntry.DoesNotExist.
    """
    with transaction.atomic():
        entry = _locked_entry(entry_id)
        offer = entry.offer
        is_open = offer.status == OfferStatus.ACTIVE and now < offer.deadline
        if entry.state != WaitlistStatus.WAITING or not is_open or portions == entry.portions:
            return entry
        _check_can_come_free(offer, portions)
        entry.portions = portions
        entry.save(update_fields=["portions"])
        recount(offer, now=now)
        entry.refresh_from_db(fields=["state", "reserved_until"])
        if entry.state == WaitlistStatus.WAITING:  # one whose turn it is gets that email
            queue_waitlist_email(entry, EmailKind.WAITLIST_JOINED, now=now, again=True, number=2)
    return entry


def change_waitlist_email(*, entry_id: UUID, email: str, now: datetime) -> WaitlistEntry:
    """Wait under another address, for a guest who mistyped theirs. The same address again, or one
    after the guest's turn or the end of the list, changes nothing.

    A new entry takes the place, and the link to the old one only says that it ended, because the
    old address may be somebody else's. Raises Conflict for an address that is on the list already.
    """
    email = email.lower()
    with transaction.atomic():
        old = _locked_entry(entry_id)
        offer = old.offer
        is_open = offer.status == OfferStatus.ACTIVE and now < offer.deadline
        if old.state != WaitlistStatus.WAITING or not is_open or email == old.email:
            return old
        _check_not_waiting(offer, email)
        old.state = WaitlistStatus.LEFT
        old.save(update_fields=["state"])
        old.emails.filter(sent_at=None, dropped_at=None).update(dropped_at=now)
        entry = WaitlistEntry.objects.create(
            restaurant_id=old.restaurant_id,
            offer=offer,
            name=old.name,
            email=email,
            phone=old.phone,
            portions=old.portions,
            language=old.language,
            joined_at=old.joined_at,
        )
        queue_waitlist_email(entry, EmailKind.WAITLIST_JOINED, now=now)
    return entry


def moved_entry(entry: WaitlistEntry) -> WaitlistEntry | None:
    """The entry that has the place of one whose guest corrected the address; None otherwise."""
    if entry.state != WaitlistStatus.LEFT:
        return None
    others = WaitlistEntry.objects.filter(
        offer=entry.offer_id, joined_at=entry.joined_at, name=entry.name
    )
    return others.exclude(pk=entry.pk).exclude(state=WaitlistStatus.LEFT).first()


def leave_waitlist(*, entry_id: UUID, now: datetime) -> WaitlistEntry:
    """Leave the waitlist; reserved portions go to the next guest at once. Leaving twice, or a list
    that has closed, changes nothing. Raises WaitlistEntry.DoesNotExist."""
    with transaction.atomic():
        entry = _locked_entry(entry_id)
        if entry.state in ON_WAITLIST:
            entry.state = WaitlistStatus.LEFT
            entry.save(update_fields=["state"])
            recount(entry.offer, now=now)
    return entry


def order_from_waitlist(
    *, entry_id: UUID, order_request: WaitlistOrder, now: datetime, origin: Origin | None = None
) -> PreOrder:
    """Order the reserved portions, all or fewer; the guest adds a card at the order's `card_url`,
    on our own page with `pays_here`. A double press makes one order.

    Raises Conflict when nothing is reserved anymore or the offer takes no orders, Invalid for
    input the guest can correct, Unavailable when the payment provider does not answer: the portions
    stay reserved then.
    """
    with transaction.atomic():
        entry = _locked_entry(entry_id)
        offer = entry.offer
        check_open(offer, now)
        order = _begun_before(entry)
        if order is None:
            order = _reserve_of(entry, order_request, origin, now)
            entry.state, entry.pre_order = WaitlistStatus.TAKEN, order
            entry.save(update_fields=["state", "pre_order"])
            recount(offer, now=now)
    if not order.checkout_url and not order.cart_id:
        open_checkout(order, now)
    return order


def promote_waitlists(*, now: datetime) -> None:
    """The sweep: expire reservations, and promote waitlists whose offer changed meanwhile, for
    example by a higher maximum or by being deleted."""
    waiting = WaitlistEntry.objects.filter(state__in=sorted(ON_WAITLIST)).order_by()
    for offer_id in list(waiting.values_list("offer_id", flat=True).distinct()):
        with transaction.atomic():
            offer = lock_offer(offer_id)
            if offer.status == OfferStatus.ACTIVE and offer.max_preorders is not None:
                recount(offer, now=now)
            else:
                promote_waitlist(offer, taken=offer.reserved_portions, now=now)


def _locked(offer_id: UUID) -> SpecialOffer:
    try:
        return lock_offer(offer_id)
    except SpecialOffer.DoesNotExist:
        message = _("We couldn't find this special. Check the link and try again.")
        raise NotFound(message) from None


def _locked_entry(entry_id: UUID) -> WaitlistEntry:
    """The entry with its offer; the offer is locked first."""
    offer = lock_offer(WaitlistEntry.objects.only("offer_id").get(pk=entry_id).offer_id)
    entry = WaitlistEntry.objects.select_for_update(of=("self",)).get(pk=entry_id)
    entry.offer = offer
    return entry


def _check_not_waiting(offer: SpecialOffer, email: str) -> None:
    waiting = WaitlistEntry.objects.filter(offer=offer, email=email, state__in=sorted(ON_WAITLIST))
    if waiting.exists():
        message = _("You're already on the waitlist. Check your email for your place.")
        raise Conflict(message, fields=[FieldError("customerEmail", message)])


def _check_worth_waiting(offer: SpecialOffer, portions: int) -> None:
    """Refuse to wait for what can be ordered now, or for what will never be free."""
    _check_can_come_free(offer, portions)
    if offer.max_preorders is None or offer.max_preorders - reserved_portions(offer) >= portions:
        message = _("Portions are available. Order now, no waiting needed.")
        raise Conflict(message, fields=[FieldError("quantity", message)])


def _check_can_come_free(offer: SpecialOffer, portions: int) -> None:
    """Refuse more portions than one order can have, or than there are in all."""
    if portions <= most_to_wait_for(offer):
        return
    if offer.max_preorders is None or offer.max_per_order <= offer.max_preorders:
        raise too_many_portions(offer)
    message = ngettext(
        "There is only %(number)s portion in all.",
        "There are only %(number)s portions in all.",
        offer.max_preorders,
    ) % {"number": offer.max_preorders}
    raise Invalid.because([FieldError("quantity", message)])


def _begun_before(entry: WaitlistEntry) -> PreOrder | None:
    if entry.state != WaitlistStatus.TAKEN or entry.pre_order_id is None:
        return None
    begun = PreOrder.objects.in_checkout().filter(pk=entry.pre_order_id).first()
    if begun:
        begun.offer = entry.offer
    return begun


def _reserve_of(
    entry: WaitlistEntry, order_request: WaitlistOrder, origin: Origin | None, now: datetime
) -> PreOrder:
    offer = entry.offer
    if (
        entry.state != WaitlistStatus.INVITED
        or entry.reserved_until is None
        or entry.reserved_until <= now
    ):
        raise Conflict(_("Your reserved portions have expired. Your card wasn't held or charged."))
    if order_request.quantity > entry.portions:
        message = ngettext(
            "%(reserved)d portion is reserved for you. Order that one.",
            "%(reserved)d portions are reserved for you. Order that many or fewer.",
            entry.portions,
        ) % {"reserved": entry.portions}
        raise Invalid.because([FieldError("quantity", message)])
    price = price_order(offer, order_request.quantity)
    if order_request.claimed_total is not None:
        check_price(price, order_request.claimed_total, currency=offer.restaurant.currency)
    check_service_mode(offer, order_request.service_mode)
    choose_slot(offer, order_request.slot_id, portions=order_request.quantity)
    agreed = agreed_alternative(offer) if order_request.alternative_consent else None
    request = OrderRequest(
        order_request.quantity,
        order_request.guest,
        order_request.note,
        agreed,
        order_request.slot_id,
        service_mode=order_request.service_mode,
    )
    return reserve(
        offer,
        request,
        price,
        # As long as the turn, two hours at most. Stripe allows from 30 minutes to 24 hours:
        # https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at
        expires_at=max(entry.reserved_until, now + CHECKOUT_LIFE),
        reserved_until=max(entry.reserved_until, now + RESERVATION_TIME),
        cart=cart_of_one(offer, now) if order_request.pays_here else None,
        origin=origin,
        now=now,
    )
