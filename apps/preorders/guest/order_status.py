"""What a guest reads about an order and the card, for every state an order can be in."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.common.money import Money
from apps.offers.presentation import Special
from apps.offers.states import DECIDED, OfferStatus
from apps.preorders.checkout.terms import terms_of
from apps.preorders.core.cart_items import (
    authorization_for,
    can_be_authorized,
    cart_item_outcome,
    finish_until,
    reservation_sentence,
)
from apps.preorders.core.selectors import (
    ended_too_late,
    had_too_many_declines,
    released_first,
    was_sold_out,
)
from apps.preorders.guest.changes import ends_too_early
from apps.preorders.models import PaymentOperation, PreOrder
from apps.preorders.models.states import (
    CartItemStatus,
    OperationKind,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
    ReasonCode,
)
from apps.preorders.settlement.alarms import is_refund_owed
from apps.preorders.settlement.operations import link_ends, pending_pay_link

# Kept by DECISIONS X20; the headline says what it means.
SUCCESS_TITLE = gettext_lazy("Payment Successful!")
CHECK_EVERY = 4  # seconds
TOO_MANY_DECLINES = gettext_lazy(
    "Several cards were declined, so we closed the checkout. Ask your bank, or call the "
    "restaurant to order."
)
CANCELLED_TITLES = frozenset({OfferStatus.FAILED, OfferStatus.DELETED})


@dataclass(frozen=True, slots=True)
class OrderStatus:
    """`tone` is the notice's color; `refresh` is the seconds until the page reloads; `next_step`
    is the text of the button to `changing.page_to_finish`, where a card can be added."""

    title: str
    headline: str
    text: str
    tone: str
    refresh: int | None = None
    next_step: str = ""


def order_status(order: PreOrder, special: Special) -> OrderStatus:
    """What the guest's pages say about the order."""
    total = _say(special, order.total_amount)
    match PaymentStatus(order.payment_status):
        case PaymentStatus.UNPAID | PaymentStatus.REQUIRES_ACTION:
            return (
                _item_in_checkout(order, special) if order.cart_id else _in_checkout(order, special)
            )
        case PaymentStatus.AUTHORIZED:
            return _held(order, special, total)
        case PaymentStatus.CAPTURED:
            return (
                _refund_returned(order, special)
                or _being_refunded(order, special, total)
                or _charged(order, special, total)
            )
        case PaymentStatus.CAPTURE_FAILED:
            return _capture_failed(order, special, total)
        case PaymentStatus.RELEASED:
            return _released(order, special, total)
        case PaymentStatus.REFUNDED:
            return OrderStatus(
                _("Refunded"),
                _("We refunded your %(total)s") % {"total": total},
                _("It goes to the card you paid with, usually within 5 to 10 days."),
                "",
            )


def _not_finished(why: str) -> OrderStatus:
    return OrderStatus(
        _("This order wasn't placed"), _("Your card wasn't held or charged"), why, ""
    )


def _item_in_checkout(order: PreOrder, special: Special) -> OrderStatus:
    """An item of a cart whose card is not held, or not yet (DECISIONS X23)."""
    authorization = authorization_for(order)
    state = cart_item_outcome(order, authorization).state
    if not can_be_authorized(order, special.now):
        if had_too_many_declines(order):
            return _not_finished(str(TOO_MANY_DECLINES))
        if was_sold_out(order):
            return _not_finished(
                _("The last portions were ordered by others before your card was held.")
            )
        refused = authorization is not None and authorization.state == OperationStatus.FAILED
        return _not_finished(
            _(
                "Your bank declined the hold, and the time to add another card has passed. Your "
                "other orders aren't affected."
            )
            if refused
            else _("The checkout ended before you added a card.")
        )
    facts = {
        "total": _say(special, order.total_amount),
        "dish": order.served_name,
        "until": formats.moment(finish_until(order), special.restaurant.zone),
        "reservation": reservation_sentence(order),
    }
    if state is CartItemStatus.DECLINED:
        return OrderStatus(
            _("This order isn't placed yet"),
            _("Your card was declined"),
            _(
                "Your bank declined the hold of %(total)s for %(dish)s. Your card wasn't held or "
                "charged for it. Try this or another card by %(until)s. %(reservation)s"
            )
            % facts,
            "berry",
            next_step=_("Add a card"),
        )
    if state is CartItemStatus.REQUIRES_ACTION:
        return OrderStatus(
            _("This order isn't placed yet"),
            _("Your bank wants to make sure it's you"),
            _(
                "Confirm with your bank by %(until)s to place your order for %(dish)s. "
                "%(reservation)s Your card isn't held or charged for it yet."
            )
            % facts,
            "honey",
            next_step=_("Confirm with your bank"),
        )
    is_asked = authorization is not None and authorization.state == OperationStatus.PENDING
    if is_asked:
        return OrderStatus(
            _("One moment"),
            _("We're waiting for your bank"),
            _("This page refreshes on its own. You haven't been charged."),
            "honey",
            refresh=CHECK_EVERY,
        )
    return OrderStatus(
        _("This order isn't placed yet"),
        _("Add a card to place your order"),
        _(
            "You haven't been charged. %(reservation)s If you don't finish by %(until)s, the order "
            "ends and you pay nothing."
        )
        % facts,
        "honey",
        # With several items, the tab that holds the cart asks for the card.
        next_step=_("Continue to payment") if order.payment_intent_id else "",
    )


def _in_checkout(order: PreOrder, special: Special) -> OrderStatus:
    if order.authorized_at and released_first(order):
        return _without_its_hold(order, special)
    if order.status == PreOrderStatus.CANCELLED:
        if had_too_many_declines(order):
            return _not_finished(str(TOO_MANY_DECLINES))
        return _not_finished(
            _(
                "The checkout ended before you added a card. You can order again while the special "
                "is open."
            )
        )
    until = formats.moment(finish_until(order), special.restaurant.zone)
    if order.payment_status == PaymentStatus.REQUIRES_ACTION:
        headline = _("Your bank wants to make sure it's you")
        text = _(
            "Your card isn't held or charged yet. Finish the checkout by %(until)s. "
            "%(reservation)s This page refreshes on its own."
        )
    else:
        headline = _("Your order isn't placed yet")
        text = _(
            "If you just added your card, we're waiting for your bank, and this page refreshes on "
            "its own. If not, finish the checkout by %(until)s. %(reservation)s You haven't been "
            "charged."
        )
    return OrderStatus(
        _("One moment"),
        headline,
        text % {"until": until, "reservation": reservation_sentence(order)},
        "honey",
        refresh=CHECK_EVERY,
        next_step=_("Continue to payment") if order.checkout_url else "",
    )


def _without_its_hold(order: PreOrder, special: Special) -> OrderStatus:
    """The guest let the hold go to make room for a new one (decision 50)."""
    total = _say(special, order.total_amount)
    if order.status == PreOrderStatus.CANCELLED:
        return OrderStatus(
            _("This order has ended"),
            _("Order ended. You weren't charged"),
            _(
                "We released the old hold, as you asked, and no new one was placed in time. The "
                "old hold can stay visible for a few days. You don't need to do anything."
            ),
            "",
        )
    until = formats.moment(order.checkout_expires_at, special.restaurant.zone)
    return OrderStatus(
        _("Your payment needs attention"),
        _("Add a card to keep your order"),
        _(
            "We released the old hold. Your portions are reserved until %(until)s. If no hold of "
            "%(total)s is placed by then, your order ends and you pay nothing. If your bank hasn't "
            "freed the old hold yet, use another card."
        )
        % {"until": until, "total": total},
        "honey",
        refresh=CHECK_EVERY,
        next_step=_("Add a card"),
    )


def _capture_failed(order: PreOrder, special: Special, total: str) -> OrderStatus:
    """The card is tried once more on its own, then the guest gets a payment link (design §3)."""
    title = _("Your payment needs attention")
    headline = _("Your payment didn't go through")
    link = pending_pay_link(order, OperationKind.CAPTURE)
    facts = {"dish": order.served_name, "total": total}
    if link is None:
        text = _(
            "%(dish)s is on, but your bank declined the charge. We're trying once more; if it "
            "declines again, we'll email you a link to pay with this or another card."
        )
        return OrderStatus(title, headline, text % facts, "berry", refresh=CHECK_EVERY)
    text = _(
        "%(dish)s is on, but your bank declined the charge, so you weren't charged. To keep your "
        "order, pay %(total)s with this or another card by %(until)s; the link is in the email we "
        "sent you. After that we'll cancel the order and you pay nothing."
    )
    facts["until"] = formats.moment(link_ends(link), special.restaurant.zone)
    return OrderStatus(title, headline, text % facts, "berry")


def _held(order: PreOrder, special: Special, total: str) -> OrderStatus:
    status = special.offer.status
    if order.status == PreOrderStatus.CANCELLED and was_sold_out(order):
        return OrderStatus(
            _("Sold out"),
            _("Sold out while you were checking out"),
            _(
                "The last portions were ordered by others before your card was held. We're "
                "releasing the hold of %(total)s, and you pay nothing."
            )
            % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if order.status == PreOrderStatus.CANCELLED:
        return OrderStatus(
            _("This order is canceled"),
            _("You won't be charged"),
            _("We're releasing the hold of %(total)s on your card.") % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if order.serves_alternative:
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("You're getting %(dish)s") % {"dish": order.served_name},
            _(
                "%(special)s didn't get enough orders, so you'll get %(dish)s instead, as you "
                "chose. We're charging your card %(total)s and releasing the rest of the hold."
            )
            % {"special": order.sold.name, "dish": order.served_name, "total": total},
            "herb",
            refresh=CHECK_EVERY,
        )
    if status in CANCELLED_TITLES:
        return OrderStatus(
            _("Not this time"),
            _("You won't be charged"),
            _("We're releasing the hold of %(total)s on your card.") % {"total": total},
            "",
            refresh=CHECK_EVERY,
        )
    if status == OfferStatus.SUCCEEDED:
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("It's on"),
            _enough(special)
            + _("We're charging your card %(total)s and will email you when it's done.")
            % {"total": total},
            "herb",
            refresh=CHECK_EVERY,
        )
    if not special.is_open:
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("We're counting the orders"),
            terms_of(order, special.now),
            "honey",
            refresh=CHECK_EVERY,
        )
    renewal = pending_pay_link(order, OperationKind.RENEW) if ends_too_early(order) else None
    if renewal:
        return _to_be_renewed(order, special, link_ends(renewal), total)
    text = _("Your bank holds %(total)s on your card until then. We sent you a confirmation email.")
    return OrderStatus(
        str(SUCCESS_TITLE),
        _("You're in for %(dish)s") % {"dish": order.served_name},
        f"{terms_of(order, special.now)} {text % {'total': total}}",
        "herb",
    )


def _to_be_renewed(order: PreOrder, special: Special, until: datetime, total: str) -> OrderStatus:
    """A hold that ends too early, whose bank wants the guest to confirm (DECISIONS X12)."""
    return OrderStatus(
        _("Your payment needs attention"),
        _("Renew the hold on your card"),
        _(
            "Your bank's hold of %(total)s ends before the deadline, %(deadline)s. Renew it by "
            "%(until)s to keep your order. If you don't, the order ends with the hold and you pay "
            "nothing."
        )
        % {
            "total": total,
            "deadline": special.deadline,
            "until": formats.moment(until, special.restaurant.zone),
        },
        "honey",
    )


def _say(special: Special, amount: Decimal | Money) -> str:
    return formats.money(amount, special.restaurant.currency)


def _enough(special: Special) -> str:
    """Said only where it is true: a restaurant may go ahead below the minimum."""
    return _("Enough guests ordered.") + " " if special.needed == 0 else ""


def _refund_returned(order: PreOrder, special: Special) -> OrderStatus | None:
    """A refund that the guest's bank sent back; a person pays it another way."""
    if not order.returned_amount:
        return None
    amount = {"amount": _say(special, order.returned_amount)}
    stands = ""
    if order.status != PreOrderStatus.CANCELLED:
        stands = " " + _("Your order stands: %(dish)s on %(day)s.") % {
            "dish": order.served_name,
            "day": formats.day(special.offer.serve_date),
        }
    if is_refund_owed(order):
        return OrderStatus(
            _("Refund returned"),
            _("Your bank returned our refund of %(amount)s") % amount,
            _(
                "You don't have this money yet. We'll pay it to you another way and contact you "
                "about it."
            )
            + stands,
            "berry",
        )
    return OrderStatus(
        _("Refunded"),
        _("We paid your refund of %(amount)s another way") % amount,
        _("Your bank had returned it to us.") + stands,
        "",
    )


def _being_refunded(order: PreOrder, special: Special, total: str) -> OrderStatus | None:
    """A refund that Stripe hasn't finished: seconds as a rule, at times days."""
    refund = order.operations.filter(
        kind=OperationKind.REFUND, state=OperationStatus.PENDING
    ).first()
    if refund is None:
        return None
    if refund.amount is None:
        left = _say(special, order.total_amount - order.refunded_amount)
        return OrderStatus(
            _("Being refunded"),
            _("We're refunding your %(amount)s") % {"amount": left},
            _(
                "It's on its way to the card you paid with, and we'll email you when your bank has "
                "it. This order won't be ready for pickup."
            ),
            "honey",
        )
    return OrderStatus(
        _("Being partly refunded"),
        _("We're refunding %(amount)s of your %(total)s")
        % {"amount": _say(special, refund.amount), "total": total},
        _(
            "It's on its way to the card you paid with, and we'll email you when your bank has it. "
            "Your order stands: %(dish)s on %(day)s."
        )
        % {"dish": order.served_name, "day": formats.day(special.offer.serve_date)},
        "herb",
    )


def _charged(order: PreOrder, special: Special, total: str) -> OrderStatus:
    day = formats.day(special.offer.serve_date)
    if order.disputed_amount:
        return OrderStatus(
            _("Payment disputed"),
            _("Your bank took the payment back"),
            _(
                "Your payment of %(total)s for %(dish)s was disputed with your bank, so the "
                "restaurant doesn't have it. If that's a mistake, ask your bank to withdraw the "
                "dispute and call the restaurant. Until then you may not get the order."
            )
            % {"total": total, "dish": order.served_name},
            "berry",
        )
    if order.status == PreOrderStatus.CANCELLED:
        return OrderStatus(
            _("This order is canceled"),
            _("Order canceled. We're refunding your %(total)s") % {"total": total},
            _("It goes to the card you paid with, usually within 5 to 10 days."),
            "",
            refresh=CHECK_EVERY,
        )
    if order.refunded_amount:
        return OrderStatus(
            _("Partly refunded"),
            _("We refunded %(amount)s of your %(total)s")
            % {"amount": _say(special, order.refunded_amount), "total": total},
            _(
                "It goes to the card you paid with, usually within 5 to 10 days. Your order "
                "stands: %(dish)s on %(day)s."
            )
            % {"dish": order.served_name, "day": day},
            "herb",
        )
    if order.status == PreOrderStatus.FULFILLED:
        return OrderStatus(
            _("Picked up"),
            _("Picked up. Enjoy!"),
            _("We charged your card %(total)s. You don't owe anything else.") % {"total": total},
            "herb",
        )
    if order.status == PreOrderStatus.NO_SHOW:
        return OrderStatus(
            _("Not picked up"),
            _("Your order wasn't picked up"),
            _(
                "It was ready on %(day)s, and we charged your card %(total)s. If you did pick it "
                "up or are on your way, call the restaurant."
            )
            % {"day": day, "total": total},
            "honey",
        )
    if order.serves_alternative:
        text = _(
            "%(special)s didn't get enough orders, so you'll get %(dish)s on %(day)s, as you "
            "chose. Show your order code when you pick up your order."
        )
        text %= {"special": order.sold.name, "dish": order.served_name, "day": day}
    elif special.offer.status in DECIDED:
        text = _("It's on for %(day)s. Show your order code when you pick up your order.")
        text %= {"day": day}
    else:
        # The hold would have ended before the deadline (DECISIONS X12).
        return OrderStatus(
            str(SUCCESS_TITLE),
            _("You're in for %(dish)s") % {"dish": order.served_name},
            terms_of(order, special.now),
            "herb",
        )
    return OrderStatus(
        str(SUCCESS_TITLE),
        _("Confirmed. We charged your card %(total)s") % {"total": total},
        text,
        "herb",
    )


def was_cancelled(operations: Iterable[PaymentOperation]) -> bool:
    """Whether somebody canceled the order while an early charge was under way."""
    return any(each.error == ReasonCode.CANCELLED for each in operations)


def _released(order: PreOrder, special: Special, total: str) -> OrderStatus:
    operations = list(order.operations.all())
    kinds = {each.kind: each.actor for each in operations}
    headline, why = _("You weren't charged"), ""
    title = headline
    if ended_too_late(order, operations):
        headline = _("Order canceled. You weren't charged")
        why = _("We couldn't complete your order in time.")
    elif was_sold_out(order):
        title = _("Sold out")
        headline = _("Sold out while you were checking out")
        why = _("The last portions were ordered by others before your card was held.")
    elif kinds.get(OperationKind.RELEASE) or was_cancelled(operations):
        title = _("This order is canceled")
        headline = _("Order canceled. You weren't charged")
    elif OperationKind.CAPTURE in kinds and special.offer.status not in CANCELLED_TITLES:
        headline = _("Order canceled. You weren't charged")
        why = _("Your bank declined the charge, and no payment arrived in time.")
    elif special.offer.status == OfferStatus.FAILED:
        headline = _("Not this time. You weren't charged")
        why = _("It didn't get enough orders by the deadline.")
    elif special.offer.status == OfferStatus.DELETED:
        why = _("The restaurant withdrew the special.")
    elif special.offer.status == OfferStatus.SUCCEEDED:
        why = _("Your card was confirmed after the orders had been counted.")
    else:
        why = _("The hold on your card ended before the deadline.")
    rest = _(
        "We released the hold of %(total)s. You don't need to do anything. The hold can stay "
        "visible for a few days."
    ) % {"total": total}
    return OrderStatus(title, headline, f"{why} {rest}".strip(), "")
