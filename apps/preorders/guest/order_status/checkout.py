"""An order whose card is not held: it is in checkout, or its checkout ended."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common import formats
from apps.offers.presentation import Special
from apps.preorders.core.cart_items import (
    authorization_for,
    can_be_authorized,
    cart_item_outcome,
    finish_until,
    reservation_sentence,
)
from apps.preorders.core.selectors import had_too_many_declines, released_first, was_sold_out
from apps.preorders.guest.order_status.text import CHECK_EVERY, OrderStatus, in_currency
from apps.preorders.models import PreOrder
from apps.preorders.models.states import (
    CartItemStatus,
    OperationStatus,
    PaymentStatus,
    PreOrderStatus,
)

TOO_MANY_DECLINES = gettext_lazy(
    "Several cards were declined, so we closed the checkout. Ask your bank, or call the "
    "restaurant to order."
)


def not_finished(why: str) -> OrderStatus:
    return OrderStatus(
        _("This order wasn't placed"), _("Your card wasn't held or charged"), why, ""
    )


def item_in_checkout(order: PreOrder, special: Special) -> OrderStatus:
    """An item of a cart whose card is not held, or not yet (DECISIONS X23)."""
    authorization = authorization_for(order)
    state = cart_item_outcome(order, authorization).state
    if not can_be_authorized(order, special.now):
        if had_too_many_declines(order):
            return not_finished(str(TOO_MANY_DECLINES))
        if was_sold_out(order):
            return not_finished(
                _("The last portions were ordered by others before your card was held.")
            )
        refused = authorization is not None and authorization.state == OperationStatus.FAILED
        return not_finished(
            _(
                "Your bank declined the hold, and the time to add another card has passed. Your "
                "other orders aren't affected."
            )
            if refused
            else _("The checkout ended before you added a card.")
        )
    facts = {
        "total": in_currency(special, order.total_amount),
        "dish": order.served_name,
        "until": formats.moment(finish_until(order), special.restaurant.zone),
        "reservation": reservation_sentence(order),
    }
    if state is CartItemStatus.DECLINED:
        return OrderStatus(
            _("This order hasn't been placed yet"),
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
            _("This order hasn't been placed yet"),
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
        _("This order hasn't been placed yet"),
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


def in_checkout(order: PreOrder, special: Special) -> OrderStatus:
    """A single order whose card is not held, or not yet."""
    if order.authorized_at and released_first(order):
        return _without_its_hold(order, special)
    if order.status == PreOrderStatus.CANCELLED:
        if had_too_many_declines(order):
            return not_finished(str(TOO_MANY_DECLINES))
        return not_finished(
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
        headline = _("Your order hasn't been placed yet")
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
    total = in_currency(special, order.total_amount)
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
