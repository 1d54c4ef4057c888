"""The actions of the order page: each reads its form and calls one service."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.rate_limits import Limit
from apps.common.client_address import client_address
from apps.common.errors import Conflict, FieldError, Invalid
from apps.offers.serving import MODE_REQUIRED, ServiceChoice
from apps.preorders.checkout.acceptance import EMAIL_REQUIRED, too_many_portions
from apps.preorders.checkout.serializers import MAX_NOTE_LENGTH
from apps.preorders.core.access import Purpose
from apps.preorders.core.links import revoke_order_link
from apps.preorders.emails.guest_links import email_access_link
from apps.preorders.guest import changes, choices, friends, replacement
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.guest.email_address import change_email_address
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.guest.rating import rate_order
from apps.preorders.models import PreOrder
from apps.preorders.models.states import GUEST

NOT_AS_NAMED = gettext_lazy(
    "The number or the time isn't the one on the button anymore. Check both, then press it again."
)
# Emails that anyone with the link can cause.
LINKS_BY_ADDRESS = Limit("order-links-by-address", times=10, window=10 * 60)
LINKS_OF_ORDER = Limit("order-links", times=4, window=10 * 60)
ADDRESSES_OF_ORDER = Limit("order-addresses", times=3, window=60 * 60)


def _change_portions(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    try:
        quantity = int(request.POST.get("quantity", ""))
    except ValueError:
        message = _("Enter the number of portions as a whole number.")
        raise Invalid.because([FieldError("quantity", message)]) from None
    if abs(quantity) > 1000:
        raise too_many_portions(order.offer)
    # Without a script, the button goes on naming what the form was sent with before.
    named = request.POST.get("named", "")
    if named and named != f"{quantity}:{request.POST.get('slotId', '')}":
        raise Conflict(str(NOT_AS_NAMED))
    # A time that wasn't changed here may have been elsewhere.
    is_same_slot = request.POST.get("slotId", "") == request.POST.get("shownSlot", "")
    return changes.change_quantity(
        order=order,
        quantity=quantity,
        slot_id=None if is_same_slot else _slot_in(request, "slotId"),
        shown=_shown_portions(request),
        shown_slot_id=_slot_in(request, "shownSlot"),
        now=now,
    )


def _drop_change(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return changes.drop_change(order=order, shown=_shown_portions(request), now=now)


def _shown_portions(request: HttpRequest) -> int | None:
    """How many portions the page showed."""
    return _small_number(request.POST.get("shown", ""))


def _small_number(typed: str) -> int | None:
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else None


def _change_note(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    note = request.POST.get("note", "").replace("\r\n", "\n").replace("\0", "").strip()
    if len(note) > MAX_NOTE_LENGTH:
        message = _("Use at most %(most)d characters.") % {"most": MAX_NOTE_LENGTH}
        raise Invalid.because([FieldError("note", message)])
    return choices.change_note(order=order, note=note, now=now)


def _change_email(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    address = request.POST.get("email", "").strip()
    try:
        validate_email(address)
        MaxLengthValidator(255)(address)
    except ValidationError:
        error = FieldError("email", str(EMAIL_REQUIRED))
        raise Invalid.because([error]) from None
    ADDRESSES_OF_ORDER.count(str(order.pk))
    changed = change_email_address(order=order, address=address, now=now)
    return next(each for each in changed if each.pk == order.pk)


def _change_service(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    mode = request.POST.get("serviceMode", "")
    if mode not in ServiceChoice.values:
        raise Invalid.because([FieldError("serviceMode", str(MODE_REQUIRED))])
    return choices.change_service_mode(order=order, mode=mode, now=now)


def _change_slot(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return choices.change_slot(order=order, slot_id=_slot_in(request, "slotId"), now=now)


def _slot_in(request: HttpRequest, field: str) -> int:
    """The id of the pickup time in this field; -1 for what isn't one."""
    return _slot_from(request.POST.get(field, ""))


def _slot_from(chosen: str) -> int:
    """A pickup time's id; -1 for what isn't one."""
    return int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 19 else -1


def _choose_alternative(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    wanted = request.POST.get("alternative") == "serve"
    return choices.choose_alternative(order=order, accepted=wanted, now=now)


def _renew(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return changes.renew_authorization(order=order, now=now)


def _release_first(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return replacement.release_first(order=order, now=now)


def _cancel(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return cancel_own_order(order=order, now=now)


def _reserve_for_friends(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    typed, moves, slot = request.POST.get("friends", "").partition("@")
    return friends.reserve_for_friends(
        order=order,
        portions=_small_number(typed) or 0,
        slot_id=_slot_from(slot) if moves else None,
        again=request.POST.get("again") == "yes",
        asked_for=_small_number(request.POST.get("askedFor", "")),
        now=now,
    )


def _move_with_friends(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return friends.move_with_friends(order=order, slot_id=_slot_in(request, "slotId"), now=now)


def _open_to_everybody(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return friends.open_to_everybody(order=order, now=now)


def _erase(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    if request.POST.get("sure") != "yes":
        raise Invalid.because([FieldError("sure", _("Check the box to confirm."))])
    return erase_guest(order=order, now=now)


def _email_link(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    """Email the guest a link, whoever asks: only the address on file gets it."""
    wanted = request.POST.get("for", "")
    if wanted not in list(Purpose):
        raise Invalid(_("Use the buttons on this page."))
    if not order.customer_email:
        raise Conflict(_("This order has no email address. Ask the restaurant."))
    LINKS_BY_ADDRESS.count(client_address(request))
    LINKS_OF_ORDER.count(str(order.pk))
    email_access_link(order, Purpose(wanted), now=now)
    return order


def _rate(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    answer = request.POST.get("again", "")
    if answer not in ("yes", "no"):
        raise Invalid(_("Use the buttons on this page."))
    return rate_order(order=order, would_order_again=answer == "yes", now=now)


def _revoke(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    revoke_order_link(order, by=GUEST, now=now)
    return order


@dataclass(frozen=True, slots=True)
class Action:
    """An action and the access it needs; with None, whoever has the link can do it."""

    run: Callable[[HttpRequest, PreOrder, datetime], PreOrder]
    purpose: Purpose | None = Purpose.CHANGE


ACTIONS = {
    "portions": Action(_change_portions),
    "keep": Action(_drop_change),
    "note": Action(_change_note),
    "email": Action(_change_email),
    "service": Action(_change_service),
    "slot": Action(_change_slot),
    "alternative": Action(_choose_alternative),
    "renew": Action(_renew),
    "release_first": Action(_release_first),
    "cancel": Action(_cancel),
    "revoke": Action(_revoke),
    "friends": Action(_reserve_for_friends),
    "move": Action(_move_with_friends),
    "open_to_everybody": Action(_open_to_everybody),
    "erase": Action(_erase, Purpose.DATA),
    "link": Action(_email_link, None),
    "rate": Action(_rate, None),
}
