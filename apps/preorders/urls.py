"""The diner's pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.common.languages import for_diners
from apps.preorders import (
    cart_pages,
    finding_pages,
    guest_pages,
    mail_pages,
    pages,
    waiting_pages,
)

urlpatterns = [
    path("specials/<uuid:special_id>", pages.special, name="special"),
    path("specials/<uuid:special_id>/pre-order", pages.pre_order, name="pre-order"),
    path("specials/<uuid:special_id>/waiting-list", waiting_pages.join, name="waiting-list"),
    path("waiting/<str:token>", waiting_pages.place, name="waiting-place"),
    path("waiting/<str:token>/order", waiting_pages.order, name="waiting-order"),
    path("waiting/<str:token>/leave", waiting_pages.leave, name="waiting-leave"),
    path("order/<str:token>", guest_pages.order_page, name="order"),
    path("mail-choices/<str:key>", mail_pages.mail_choices, name="mail-choices"),
    path("email-updates", mail_pages.email_updates, name="email-updates"),
    path("order/<str:token>/card", guest_pages.order_card, name="order-card"),
    path("order/<str:token>/calendar.ics", guest_pages.calendar, name="order-calendar"),
    path("order/<str:token>/receipt.pdf", guest_pages.receipt, name="order-receipt"),
    path("order/<str:token>/data.json", guest_pages.my_data, name="order-data"),
    path("find-order", finding_pages.find_order, name="find-order"),
    path("cancel-pre-order", guest_pages.old_link, name="cancel-pre-order"),
    path("cart/return", cart_pages.cart_return, name="cart-return"),
    path("pre-order-confirmation", pages.confirmation, name="pre-order-confirmation"),
]
for each in urlpatterns:
    for_diners(each.callback)
