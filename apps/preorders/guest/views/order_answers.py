"""What an order's page answers to the last thing its guest did there."""

from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common import formats
from apps.common.errors import DomainError
from apps.offers.dietary import mentioned_allergens
from apps.offers.sold_dishes import dish_now
from apps.preorders.checkout.terms import choice_saved_of
from apps.preorders.core.friends import portions_ordered
from apps.preorders.core.quantities import last_change
from apps.preorders.core.selectors import slot_label
from apps.preorders.guest import changes
from apps.preorders.models import PreOrder

# The markers in the address after a form that was sent as it was.
SAME_ORDER, UNCHANGED = "same", "unchanged"
# After portions were reserved at a time that the guest's own order moved to.
RESERVED_AND_MOVED = "reserved"
# What the card of the guest's friends answers itself.
FOR_FRIENDS = ("friends", RESERVED_AND_MOVED, "move", "open_to_everybody")
# The folded part of the page with an action's form.
PARTS = {
    **dict.fromkeys(
        (
            "change",
            "portions",
            "keep",
            "service",
            "slot",
            "note",
            "email",
            "alternative",
            "renew",
            "release_first",
        ),
        "change",
    ),
    "cancel": "cancel",
    **dict.fromkeys(("emails", "revoke", "data", "erase"), "data"),
}


def marker_of(name: str, order: PreOrder, form: QueryDict) -> str:
    """The marker for what the action `name` did to `order`, which is as it was before it. What
    the form showed decides, because one that is sent twice changed something the first time."""
    as_shown = form.get("slotId", "") == form.get("shownSlot", "")
    if name == "portions" and as_shown and form.get("quantity") == form.get("shown"):
        return "keep" if changes.unfinished_change(order) else SAME_ORDER
    if name == "slot" and as_shown:
        return UNCHANGED
    if name == "service" and form.get("serviceMode") == form.get("shownMode"):
        return UNCHANGED
    if name == "friends" and "@" in form.get("friends", ""):
        return RESERVED_AND_MOVED
    return name


def answer_to(
    request: HttpRequest,
    order: PreOrder,
    refusal: DomainError | None,
    action: str,
    *,
    can_change: bool,
) -> dict[str, Any]:
    """The result of the last action: what was done, or why not, with what was typed."""
    unfinished = changes.unfinished_change(order)
    portions = {"number": order.quantity}
    moved = _("You all come at %(time)s now.") % {"time": slot_label(order)}
    ordered = ", ".join(filter(None, (formats.portions(order.quantity), slot_label(order))))
    done = {
        SAME_ORDER: _("It's %(order)s already. Nothing changed.") % {"order": ordered},
        UNCHANGED: _("Nothing changed."),
        "keep": _dropped_change(order, portions),
        "note": _("Note saved. The kitchen will see it."),
        "email": _("Changed. We're sending the confirmation to %(address)s.")
        % {"address": order.customer_email if can_change else _("the new address")},
        "service": _("Changed: %(mode)s.") % {"mode": order.serving.mode},
        "slot": _("Time changed.") if order.is_eaten_there else _("Pickup time changed."),
        "alternative": choice_saved_of(order),
        "renew": _("Hold renewed."),
        "link": _("Check your email. We sent a link to the address on this order."),
        "revoke": _("Your old links no longer work. We'll use the new one in our emails."),
        "opened": _("This browser can now download or delete your data for 30 minutes."),
        "friends": _("Reserved. Send your friends the link."),
        "move": moved,
        "open_to_everybody": _("Open to everyone."),
        "erase": _("Your data is deleted."),
        "cancel": "",  # the headline says so
        "rate": _("Thanks! The restaurant sees your answer."),
    }
    errors = {error.field: error.message for error in refusal.fields} if refusal else {}
    marker = request.GET.get("done", "")
    # Each of these needs a query.
    if marker == RESERVED_AND_MOVED:
        done[marker] = f"{_reserved(order)} {moved}"
    elif marker == "portions":
        # Back from the card page, before the payment provider has told about it.
        done[marker] = (
            _("We're saving your change. This takes a moment.")
            if unfinished
            else _("Updated: %(order)s.") % {"order": last_change(order) or ordered}
        )
    return {
        "is_saving": marker == "portions" and unfinished is not None and not refusal,
        "done": "" if refusal else done.get(marker, ""),
        # Personal, as the note is.
        "note_clash": _note_clash(order) if marker == "note" and can_change and not refusal else "",
        "did_nothing": marker in (SAME_ORDER, UNCHANGED),
        "done_for_friends": not refusal and marker in FOR_FRIENDS,
        "link_ended": marker == "ended",
        "refusal": refusal.message if refusal and not errors else "",
        "errors": errors,
        # The fold that the email's link or an error is about is open.
        "action": (opened := action or request.GET.get("open", "")),
        "opened": PARTS.get(opened, ""),
        "typed": request.POST if refusal else {},
        "chosen_for_friends": request.POST.get("friends", "").partition("@")[0],
    }


def _note_clash(order: PreOrder) -> str:
    """The allergens in the dish that the guest's note mentions, in words."""
    contained = dish_now(order.offer).allergen_values
    return formats.listed(
        [str(each.label).lower() for each in mentioned_allergens(order.note, contained)]
    )


def _reserved(order: PreOrder) -> str:
    """The portions that friends didn't order before."""
    reserved = order.friend_portions - portions_ordered(order)
    text = ngettext(
        "Reserved %(portions)s portion for a friend.",
        "Reserved %(portions)s portions for friends.",
        reserved,
    )
    return text % {"portions": reserved}


def _dropped_change(order: PreOrder, portions: dict[str, int]) -> str:
    """What became of a change that the guest dropped."""
    says = ngettext(
        "Your order stays at %(number)d portion.",
        "Your order stays at %(number)d portions.",
        order.quantity,
    )
    if changes.was_dropped_despite_hold(order):
        says += " " + _("Your bank had placed the new hold already, so we're releasing it.")
    return says % portions
