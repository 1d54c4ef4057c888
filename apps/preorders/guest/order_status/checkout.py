"""An order whose card is not held: it is in checkout, or its checkout ended."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.offers.presentation import Special
from apps.preorders.core.cart_items import (
    authorization_for,
    can_be_authorized,
    cart_item_outcome,
    finish_until,
    reservation_sentence,
    reserved_until,
)
from apps.preorders.core.reservations import is_reserved
from apps.preorders.core.selectors import had_too_many_declines, released_first, was_sold_out
from apps.preorders.guest.order_status.text import (
    CANCELED,
    CHECK_EVERY,
    NextMoment,
    OrderStatus,
    in_currency,
    next_moment,
)
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


def canceled_unfinished(order: PreOrder) -> OrderStatus:
    """The guest canceled it while it waited for a card."""
    why = _("You canceled before you added a card, so your bank holds nothing.")
    if order.authorized_at:  # for another card, after the first one's hold (decision 50)
        why = _(
            "You canceled. We released the old hold, which can stay visible in your banking app "
            "for a few days."
        )
    return OrderStatus(_("This order is canceled"), str(CANCELED), why, "")


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
    facts = {"total": in_currency(special, order.total_amount), "dish": order.served_name}
    finish_by = _finish_by(order, special)
    no_longer = _no_longer_reserved(order)
    if state is CartItemStatus.DECLINED:
        return OrderStatus(
            _("This order hasn't been placed yet"),
            _("Your card was declined"),
            _(
                "Your bank declined the hold of %(total)s for %(dish)s. Your card wasn't held or "
                "charged for it. Try this or another card."
            )
            % facts
            + no_longer,
            "berry",
            next_step=_("Add a card"),
            moment=finish_by,
        )
    if state is CartItemStatus.REQUIRES_ACTION:
        return OrderStatus(
            _("This order hasn't been placed yet"),
            _("Your bank wants to make sure it's you"),
            _(
                "Confirm with your bank to place your order for %(dish)s. Your card isn't held or "
                "charged for it yet."
            )
            % facts
            + no_longer,
            "honey",
            next_step=_("Confirm with your bank"),
            moment=finish_by,
        )
    is_asked = authorization is not None and authorization.state == OperationStatus.PENDING
    if is_asked:
        return OrderStatus(
            _("One moment"),
            _("We're waiting for your bank"),
            _("You haven't been charged."),
            "honey",
            refresh=CHECK_EVERY,
        )
    return OrderStatus(
        _("This order hasn't been placed yet"),
        _("Add a card to place your order"),
        _("You haven't been charged. If you don't finish, the order ends and you pay nothing.")
        + no_longer,
        "honey",
        moment=finish_by,
        next_step=_("Continue to payment"),
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
    if order.payment_status == PaymentStatus.REQUIRES_ACTION:
        headline = _("Your bank wants to make sure it's you")
        text = _("Confirm with your bank to place your order. Your card isn't held or charged yet.")
    else:
        headline = _("Your order hasn't been placed yet")
        text = _(
            "Add your card to place it. If you just did, we're waiting for your bank. You haven't "
            "been charged."
        )
    return OrderStatus(
        _("One moment"),
        headline,
        text + _no_longer_reserved(order),
        "honey",
        refresh=CHECK_EVERY,
        next_step=_("Continue to payment") if order.checkout_url else "",
        moment=_finish_by(order, special),
    )


def _finish_by(order: PreOrder, special: Special) -> NextMoment:
    """Until when the portions are reserved; then, until when the order can be finished."""
    if is_reserved(order):
        return next_moment(_("Reserved for you until %(moment)s"), reserved_until(order), special)
    return next_moment(_("Finish by %(moment)s"), finish_until(order), special)


def _no_longer_reserved(order: PreOrder) -> str:
    """That others can have its portions, with a space before."""
    return "" if is_reserved(order) else " " + reservation_sentence(order)


def _without_its_hold(order: PreOrder, special: Special) -> OrderStatus:
    """The guest let the hold go to make room for a new one (decision 50)."""
    total = in_currency(special, order.total_amount)
    if order.status == PreOrderStatus.CANCELLED:
        return OrderStatus(
            _("This order has ended"),
            _("Order ended. You weren't charged"),
            _(
                "We released the old hold, as you asked, and no new one was placed in time. The "
                "old hold can stay visible in your banking app for a few days. You don't need to "
                "do anything."
            ),
            "",
        )
    return OrderStatus(
        _("Your payment needs attention"),
        _("Add a card to keep your order"),
        _(
            "We released the old hold. If no hold of %(total)s is placed in time, your order ends "
            "and you pay nothing. If your bank hasn't freed the old hold yet, use another card."
        )
        % {"total": total},
        "honey",
        refresh=CHECK_EVERY,
        next_step=_("Add a card"),
        moment=next_moment(
            _("Reserved for you until %(moment)s"), order.checkout_expires_at, special
        ),
    )
