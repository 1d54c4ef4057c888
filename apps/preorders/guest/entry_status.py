"""The state of a guest's place on a waitlist, in words."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.formats import moment
from apps.offers.presentation import Special
from apps.preorders.core.cart_items import reservation_sentence
from apps.preorders.core.waitlist import guests_ahead, waitlist_sentence, who_is_ahead
from apps.preorders.models import WaitlistEntry
from apps.preorders.models.states import CHECKOUT_STATUSES, PreOrderStatus, WaitlistStatus


@dataclass(frozen=True, slots=True)
class EntryStatus:
    """A waitlist entry in words; `tone` is the notice's color."""

    title: str
    text: str
    tone: str = ""


def is_waiting(found: WaitlistEntry, special: Special) -> bool:
    return found.state == WaitlistStatus.WAITING and special.is_open


def is_reserved(found: WaitlistEntry, special: Special) -> bool:
    is_invited = found.state == WaitlistStatus.INVITED and found.reserved_until is not None
    return is_invited and special.is_open and special.now < found.reserved_until  # type: ignore[operator]


def is_unfinished(found: WaitlistEntry) -> bool:
    """Whether the guest has begun to order and hasn't given a card."""
    order = found.pre_order
    return (
        found.state == WaitlistStatus.TAKEN
        and order is not None
        and order.status == PreOrderStatus.PENDING
        and order.payment_status in CHECKOUT_STATUSES
    )


def can_rejoin(found: WaitlistEntry, special: Special) -> bool:
    """Whether the guest isn't on the waitlist anymore, and the special can still be ordered."""
    has_order = found.state == WaitlistStatus.TAKEN
    is_on_it = is_waiting(found, special) or is_reserved(found, special)
    return special.is_ordering_open and not has_order and not is_on_it


def entry_status(found: WaitlistEntry, special: Special) -> EntryStatus:
    if is_reserved(found, special):
        assert found.reserved_until is not None
        until = moment(found.reserved_until, special.restaurant.zone)
        return EntryStatus(
            _("It's your turn"),
            _("Reserved for you until %(until)s. After that, it's the next person's turn.")
            % {"until": until},
            tone="herb",
        )
    if is_unfinished(found):
        assert found.pre_order is not None
        text = _(
            "Add your card to place it. If you just did, we're waiting for your bank. You haven't "
            "been charged."
        )
        reserved = reservation_sentence(found.pre_order)
        return EntryStatus(
            _("Your order hasn't been placed yet"), f"{text} {reserved}", tone="honey"
        )
    match found.state:
        case WaitlistStatus.WAITING if special.is_open:
            ahead = who_is_ahead(found.offer_id, of=found)
            no_card = _("You don't need a card until it's your turn.")
            text = f"{guests_ahead(ahead)} {no_card}" if ahead.guests else no_card
            return EntryStatus(waitlist_sentence(found), text)
        case WaitlistStatus.TAKEN:
            return EntryStatus(
                _("You ordered"),
                ngettext(
                    "You ordered the portion we reserved for you.",
                    "You ordered the portions we reserved for you.",
                    found.portions,
                ),
                tone="herb",
            )
        case WaitlistStatus.LEFT:
            return EntryStatus(
                _("You left the waitlist"), _("You won't get more emails about this.")
            )
        case WaitlistStatus.INVITED | WaitlistStatus.LAPSED if special.is_open:
            return EntryStatus(
                _("Your time to order has passed"),
                ngettext(
                    "Your portion isn't reserved for you anymore.",
                    "Your portions aren't reserved for you anymore.",
                    found.portions,
                ),
                tone="honey",
            )
    return EntryStatus(
        _("The waitlist has closed"),
        _("No portions opened up before the deadline. You weren't charged."),
    )
