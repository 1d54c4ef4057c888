"""The actions of the order page: each reads its form and calls one service."""

from collections.abc import Callable
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.errors import FieldError, Invalid
from apps.preorders.checkout.serializers import MAX_NOTE_LENGTH
from apps.preorders.guest import changes, replacement
from apps.preorders.guest.erasure import erase_guest
from apps.preorders.models import PreOrder


def _change_portions(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    try:
        quantity = int(request.POST.get("quantity", ""))
    except ValueError:
        message = _("Enter the number of portions as a whole number.")
        raise Invalid.because([FieldError("quantity", message)]) from None
    if abs(quantity) > 1000:
        message = ngettext(
            "You can order up to %(number)s portion at once.",
            "You can order up to %(number)s portions at once.",
            order.offer.max_per_order,
        ) % {"number": order.offer.max_per_order}
        raise Invalid.because([FieldError("quantity", message)])
    return changes.change_quantity(order=order, quantity=quantity, now=now)


def _change_note(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    note = request.POST.get("note", "").replace("\r\n", "\n").replace("\0", "").strip()
    if len(note) > MAX_NOTE_LENGTH:
        message = _("Use at most %(most)d characters.") % {"most": MAX_NOTE_LENGTH}
        raise Invalid.because([FieldError("note", message)])
    return changes.change_note(order=order, note=note, now=now)


def _change_slot(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    chosen = request.POST.get("slotId", "")
    slot_id = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 19 else -1
    return changes.change_slot(order=order, slot_id=slot_id, now=now)


def _choose_alternative(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    wanted = request.POST.get("alternative") == "serve"
    return changes.choose_alternative(order=order, accepted=wanted, now=now)


def _renew(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return changes.renew_authorization(order=order, now=now)


def _release_first(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return replacement.release_first(order=order, now=now)


def _cancel(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    return changes.cancel_own_order(order=order, now=now)


def _erase(request: HttpRequest, order: PreOrder, now: datetime) -> PreOrder:
    if request.POST.get("sure") != "yes":
        raise Invalid.because([FieldError("sure", _("Check the box to confirm."))])
    return erase_guest(order=order, now=now)


ACTIONS: dict[str, Callable[[HttpRequest, PreOrder, datetime], PreOrder]] = {
    "portions": _change_portions,
    "note": _change_note,
    "slot": _change_slot,
    "alternative": _choose_alternative,
    "renew": _renew,
    "release_first": _release_first,
    "cancel": _cancel,
    "erase": _erase,
}
