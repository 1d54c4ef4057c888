"""The diner's pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.common.languages import for_diners
from apps.preorders.pages import (
    cart,
    finding,
    mail_choices,
    own_order,
    special,
    waiting,
)

urlpatterns = [
    path("specials/<uuid:special_id>", special.special, name="special"),
    path("specials/<uuid:special_id>/pre-order", special.pre_order, name="pre-order"),
    path("specials/<uuid:special_id>/waiting-list", waiting.join, name="waiting-list"),
    path("waiting/<str:token>", waiting.place, name="waiting-place"),
    path("waiting/<str:token>/order", waiting.order, name="waiting-order"),
    path("waiting/<str:token>/leave", waiting.leave, name="waiting-leave"),
    path("order/<str:token>", own_order.order_page, name="order"),
    path("mail-choices/<str:key>", mail_choices.mail_choices, name="mail-choices"),
    path("email-updates", mail_choices.email_updates, name="email-updates"),
    path("order/<str:token>/card", own_order.order_card, name="order-card"),
    path("order/<str:token>/calendar.ics", own_order.calendar, name="order-calendar"),
    path("order/<str:token>/receipt.pdf", own_order.receipt, name="order-receipt"),
    path("order/<str:token>/data.json", own_order.my_data, name="order-data"),
    path("find-order", finding.find_order, name="find-order"),
    path("cancel-pre-order", own_order.old_link, name="cancel-pre-order"),
    path("cart/return", cart.cart_return, name="cart-return"),
    path("pre-order-confirmation", special.confirmation, name="pre-order-confirmation"),
]
for each in urlpatterns:
    for_diners(each.callback)
